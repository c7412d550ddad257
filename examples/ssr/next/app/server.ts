// For server components: they send the user's cookies with their requests.
import { createServerData } from '@roundtable/react/next'
import { cookies } from 'next/headers'

export const { prefetch, Prefetched } = createServerData({
  async transport(input, init) {
    const headers = new Headers(init?.headers)
    headers.set('cookie', String(await cookies()))
    return fetch(new URL(String(input), process.env.API_URL), { ...init, headers })
  },
})

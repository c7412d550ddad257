// For server components and actions: they send the user's cookies with their requests.
import type { Transport } from '@roundtable/core'
import { createServerData } from '@roundtable/react/next'
import { cookies } from 'next/headers'
import { toApi } from './to-api'

export const transport: Transport = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('cookie', String(await cookies()))
  return toApi(input, { ...init, headers })
}

export const { prefetch, Prefetched } = createServerData({ transport })

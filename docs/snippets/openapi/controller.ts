import { Controller } from '@roundtable/core'

export const controller = new Controller({
  transport: (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${localStorage.token}`)
    return fetch(url, { ...init, headers })
  },
})

import { Controller } from '@roundtable/core'

export function controllerFor(request: Request): Controller {
  const cookie = request.headers.get('cookie') ?? ''
  return new Controller({
    server: true,
    transport(input, init) {
      const headers = new Headers(init.headers)
      headers.set('cookie', cookie)
      return fetch(new URL(String(input), 'https://api.test'), {
        ...init,
        headers,
      })
    },
  })
}

// For loaders: what they load, with the cookies of the request, is the state of its keys.
import { Controller, type ReadEndpoint } from '@roundtable/core'
import { type Dehydrated, type DehydrateOptions, dehydrate } from '@roundtable/core/hydration'

/** Returns a function that loads the data of endpoints for one request. */
export function loaderFor(
  request: Request,
  options?: DehydrateOptions,
): <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => Promise<Dehydrated> {
  const controller = new Controller({
    server: true,
    transport(input, init) {
      const headers = new Headers(init?.headers)
      headers.set('cookie', request.headers.get('cookie') ?? '')
      return fetch(new URL(String(input), process.env.API_URL), { ...init, headers })
    },
  })
  return async (endpoint, ...args) => {
    const key = endpoint.key(...args)
    // An error is part of the state: the component that reads it throws it.
    await controller.fetch(endpoint, ...args).catch(() => {})
    return dehydrate(controller, { ...options, include: (known) => known === key })
  }
}

// For loaders and actions: sends the cookies of the request being handled.
import { Controller, NetworkError, type ReadEndpoint } from '@roundtable/core'
import { type Dehydrated, type DehydrateOptions, dehydrate } from '@roundtable/core/hydration'
import { data } from 'react-router'

/** Returns a transport to the API for one browser request. */
export function transportFor(request: Request) {
  return (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', request.headers.get('cookie') ?? '')
    return fetch(new URL(String(input), process.env.API_URL), { ...init, headers })
  }
}

/** Returns a function that loads the data of endpoints for one request: the state of their keys. */
export function loaderFor(
  request: Request,
  options?: DehydrateOptions,
): <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => Promise<Dehydrated> {
  const controller = new Controller({ server: true, transport: transportFor(request) })
  return async (endpoint, ...args) => {
    const key = endpoint.key(...args)
    await controller.fetch(endpoint, ...args).catch((error: unknown) => {
      // The route's ErrorBoundary shows it, with this status.
      if (error instanceof NetworkError && error.status === 404) throw data(null, { status: 404 })
      // Any other error is part of the state: the component that reads it throws it.
    })
    return dehydrate(controller, { ...options, include: (known) => known === key })
  }
}

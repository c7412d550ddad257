/** The functions of MSW that `handlersFor` needs. */
export interface MswFunctions<Handler> {
  /** MSW's `http`. */
  readonly http: {
    all(path: string, resolver: (info: { readonly request: Request }) => Promise<Response | undefined>): Handler
  }
  /**
   * MSW's `passthrough`: requests for which the backend has no endpoint go to the network.
   *
   * @default undefined: other handlers see them, and then `onUnhandledRequest`
   */
  readonly passthrough?: (() => Response) | undefined
}

/**
 * Makes the handlers of Mock Service Worker for a backend.
 *
 * @example
 * ```ts
 * import { http } from 'msw'
 * import { setupServer } from 'msw/node'
 *
 * const server = setupServer(...handlersFor(backend({ TodoResource }), { http }))
 * ```
 */
export function handlersFor<Handler>(
  backend: (request: Request) => Promise<Response | undefined>,
  { http, passthrough }: MswFunctions<Handler>,
): Handler[] {
  return [http.all('*', async ({ request }) => (await backend(request)) ?? passthrough?.())]
}

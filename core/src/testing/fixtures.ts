import type { EndpointInterface } from '../endpoint/options.js'

/**
 * The response to one call.
 *
 * @example
 * ```ts
 * const fixture: Fixture = { endpoint: getTodo, args: [{ id: 1 }], response: { id: 1, title: 'Sharpen the pencil' } }
 * const failure: Fixture = { endpoint: getTodo, args: [{ id: 2 }], response: new Error('No such todo'), error: true }
 * ```
 */
export interface Fixture {
  readonly endpoint: EndpointInterface
  /** The arguments that it matches: all that have the same key. */
  readonly args: readonly unknown[]
  /** The value that the call resolves with, or, with `error`, the error that it rejects with. */
  readonly response: unknown
  /**
   * True if the call rejects with `response`.
   *
   * @default false
   */
  readonly error?: boolean | undefined
  /**
   * The delay of the response, in ms.
   *
   * @default 0
   */
  readonly delay?: number | undefined
}

/**
 * Responds to every call of an endpoint.
 *
 * @example
 * ```ts
 * const interceptor: Interceptor = {
 *   endpoint: updateTodo,
 *   response: ({ id }: { id: number }, body: { title: string }) => ({ id, ...body }),
 *   delay: 500,
 * }
 * ```
 */
export interface Interceptor {
  /** It responds to the calls that this endpoint's `testKey` accepts. */
  readonly endpoint: EndpointInterface
  /** Computes the response from the arguments. An error that it throws is the error of the call. */
  readonly response: (...args: never) => unknown
  /**
   * The delay of the response, in ms.
   *
   * @default 0
   */
  readonly delay?: number | ((...args: never) => number) | undefined
}

/** The response that `findAnswer` found for a call. */
export interface FoundResponse {
  /** In ms. */
  readonly delay: number
  /** Returns the response, or throws. */
  respond(): unknown
}

/** Finds the response to a call: a fixture with the same key, or else the first interceptor whose endpoint accepts the key. */
export function findResponse(
  fixtures: readonly (Fixture | Interceptor)[],
  endpoint: EndpointInterface,
  args: readonly unknown[],
): FoundResponse | undefined {
  let key: string
  try {
    key = fixtureKey(endpoint, args)
  } catch {
    // The method that receives the call reports its mistakes.
    return undefined
  }
  for (const fixture of fixtures) {
    if (isFixture(fixture) && fixtureKey(fixture.endpoint, fixture.args) === key) return ofFixture(fixture)
  }
  for (const interceptor of fixtures) {
    if (!isFixture(interceptor) && interceptor.endpoint.testKey?.(key)) return ofInterceptor(interceptor, args)
  }
  return undefined
}

function isFixture(given: Fixture | Interceptor): given is Fixture {
  return 'args' in given
}

function ofFixture({ response, error, delay = 0 }: Fixture): FoundResponse {
  return {
    delay,
    respond() {
      if (error) throw response
      return response
    },
  }
}

function ofInterceptor({ response, delay = 0 }: Interceptor, args: readonly unknown[]): FoundResponse {
  // The arguments are those of the endpoint that the interceptor names.
  const given = args as never
  return {
    delay: typeof delay === 'function' ? delay(...given) : delay,
    respond: () => response(...given),
  }
}

/** The arguments of fixtures are the test's own; those of calls were checked. */
function fixtureKey(endpoint: EndpointInterface, args: readonly unknown[]): string {
  return endpoint.key(...(args as never))
}

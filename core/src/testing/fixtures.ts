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
  /** The arguments, which match all with the same key; for a page, those of `getPage` or of its list with the page. */
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
  /** The delay of the response, in ms. */
  readonly delay: number
  /** Returns the response, or throws. */
  respond(): unknown
}

/**
 * Finds the response to a call: a fixture of the same call, or else the first interceptor whose endpoint accepts the key. A
 * page prefers interceptors of pages to those of its list, and a list uses only its own.
 */
export function findResponse(
  fixtures: readonly (Fixture | Interceptor)[],
  endpoint: EndpointInterface,
  args: readonly unknown[],
): FoundResponse | undefined {
  let key: string
  try {
    key = fixtureKey(endpoint, args)
  } catch {
    // The method that receives the call reports the error.
    return undefined
  }
  const call = { endpoint, args, key }
  for (const fixture of fixtures) if (isFixture(fixture) && isOf(fixture, call)) return ofFixture(fixture)
  let ofList: Interceptor | undefined
  for (const interceptor of fixtures) {
    if (isFixture(interceptor) || !interceptor.endpoint.testKey?.(key)) continue
    if (isPage(interceptor.endpoint) === isPage(endpoint)) return ofInterceptor(interceptor, args)
    if (isPage(endpoint)) ofList ??= interceptor
  }
  return ofList && ofInterceptor(ofList, args)
}

interface FixtureCall {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
}

/** Pages have their list's key. The fixture of a page has its endpoint, or the list's with the page's arguments. */
function isOf(fixture: Fixture, { endpoint, args, key }: FixtureCall): boolean {
  const own = fixtureKey(fixture.endpoint, fixture.args)
  if (isPage(endpoint) !== isPage(fixture.endpoint)) {
    return isPage(endpoint) && fixture.endpoint.testKey?.(key) === true && fixtureKey(fixture.endpoint, args) === own
  }
  return own === key && requestOf(fixture.endpoint, fixture.args) === requestOf(endpoint, args)
}

/** True for an endpoint whose key has several requests, such as the pages of a list. */
function isPage({ requestKey }: EndpointInterface): boolean {
  return requestKey !== undefined
}

function requestOf(endpoint: EndpointInterface, args: readonly unknown[]): string | undefined {
  return endpoint.requestKey?.(...(args as never))
}

function isFixture(candidate: Fixture | Interceptor): candidate is Fixture {
  return 'args' in candidate
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
  // The interceptor's endpoint has these arguments.
  const callArgs = args as never
  return {
    delay: typeof delay === 'function' ? delay(...callArgs) : delay,
    respond: () => response(...callArgs),
  }
}

/** Needs no checks: tests determine the arguments of fixtures, and those of calls were checked. */
function fixtureKey(endpoint: EndpointInterface, args: readonly unknown[]): string {
  return endpoint.key(...(args as never))
}

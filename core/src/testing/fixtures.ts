import type { EndpointInterface } from '../endpoint/options.js'

/**
 * The answer to one call.
 *
 * @example
 * ```ts
 * const fixture: Fixture = { endpoint: getTodo, args: [{ id: 1 }], response: { id: 1, title: 'Sharpen the pencil' } }
 * const failure: Fixture = { endpoint: getTodo, args: [{ id: 2 }], response: new Error('No such todo'), error: true }
 * ```
 */
export interface Fixture {
  readonly endpoint: EndpointInterface
  /** The arguments that it answers: those of the same key. */
  readonly args: readonly unknown[]
  /** What the call resolves with, or with `error` what it rejects with. */
  readonly response: unknown
  /**
   * True if the call fails.
   *
   * @default false
   */
  readonly error?: boolean | undefined
  /**
   * How long the answer takes, in ms.
   *
   * @default 0
   */
  readonly delay?: number | undefined
}

/**
 * Answers every call of an endpoint.
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
  /** Its `testKey` says which calls are answered. */
  readonly endpoint: EndpointInterface
  /** Makes the answer of the arguments. What it throws is what the call fails with. */
  readonly response: (...args: never) => unknown
  /**
   * How long the answer takes, in ms.
   *
   * @default 0
   */
  readonly delay?: number | ((...args: never) => number) | undefined
}

/** An answer that was found. */
export interface FoundAnswer {
  /** In ms. */
  readonly delay: number
  /** Returns the response, or throws. */
  answer(): unknown
}

/** What answers a call: a fixture of its key, or else the first interceptor whose endpoint knows the key. */
export function findAnswer(
  fixtures: readonly (Fixture | Interceptor)[],
  endpoint: EndpointInterface,
  args: readonly unknown[],
): FoundAnswer | undefined {
  let key: string
  try {
    key = keyOf(endpoint, args)
  } catch {
    // What is wrong with the call is told by the verb that takes it.
    return undefined
  }
  for (const fixture of fixtures) {
    if (isFixture(fixture) && keyOf(fixture.endpoint, fixture.args) === key) return ofFixture(fixture)
  }
  for (const interceptor of fixtures) {
    if (!isFixture(interceptor) && interceptor.endpoint.testKey?.(key)) return ofInterceptor(interceptor, args)
  }
  return undefined
}

function isFixture(given: Fixture | Interceptor): given is Fixture {
  return 'args' in given
}

function ofFixture({ response, error, delay = 0 }: Fixture): FoundAnswer {
  return {
    delay,
    answer() {
      if (error) throw response
      return response
    },
  }
}

function ofInterceptor({ response, delay = 0 }: Interceptor, args: readonly unknown[]): FoundAnswer {
  // The arguments are those of the endpoint that the interceptor names.
  const given = args as never
  return {
    delay: typeof delay === 'function' ? delay(...given) : delay,
    answer: () => response(...given),
  }
}

/** Whoever hands over fixtures answers for their arguments; those of calls were checked. */
function keyOf(endpoint: EndpointInterface, args: readonly unknown[]): string {
  return endpoint.key(...(args as never))
}

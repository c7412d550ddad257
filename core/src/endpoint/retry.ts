import { describe } from '../util/describe.js'
import { CallbackError, OptionError, TimeoutError, TransportError } from '../util/errors.js'
import { httpDate } from '../util/http-date.js'
import { isMissing, isNotDone, statusOf, toError } from '../util/thrown.js'
import { abortError, withTimeout } from './abort.js'
import type { Exchange, PartRequest, RequestPart } from './options.js'

/** The options of `retry`. */
export interface RetryOptions {
  /**
   * The maximum number of repetitions of a failed request, an integer from 0.
   *
   * @default 2
   */
  readonly limit?: number | undefined
  /**
   * The HTTP statuses after which a request is repeated.
   *
   * @default [408, 425, 429, 500, 502, 503, 504]
   */
  readonly statuses?: readonly number[] | undefined
  /**
   * The methods of mutations that may be repeated. Other mutations are repeated only if they have an
   * `Idempotency-Key` header; all attempts use the first one's. Reads may always be repeated.
   *
   * @default ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'QUERY']
   */
  readonly methods?: readonly string[] | undefined
  /**
   * Returns the pause before an attempt in ms; `failures` counts from 1.
   *
   * @default random between 0 and 0.5 · 2ⁿ s, at most 30 s ("full jitter")
   */
  readonly delay?: ((failures: number) => number) | undefined
  /**
   * The longest `Retry-After` to wait for, in ms. If the server demands more, the request fails at once.
   *
   * @default 60_000
   */
  readonly maxRetryAfter?: number | undefined
  /**
   * The limit for all attempts together, including pauses and time offline, in ms, above 0. After that the request
   * rejects with a `TimeoutError`.
   *
   * @default undefined: no limit
   */
  readonly totalTimeout?: number | undefined
}

/** The longest default pause, in ms. */
const LONGEST_RETRY_PAUSE = 30_000

/**
 * Creates the `retry` option of a controller or an endpoint, from a limit or from options.
 *
 * @remarks
 * It repeats requests that got no response, timed out or failed with one of the `statuses`; never aborted ones. The pause is
 * at least the response's `Retry-After`. After a 429, all requests of the controller to that origin wait, including polls.
 * While the device is offline, a failed request waits for the connection, which does not count as an attempt. A repeated
 * DELETE that the server answers with 404 or 410 has succeeded if an earlier attempt may have been applied.
 *
 * @example
 * ```ts
 * const controller = new Controller({ retry: retry(2) })
 * const getReport = new RestEndpoint({ path: '/report', retry: retry({ limit: 5, totalTimeout: 60_000 }) })
 * ```
 * @throws OptionError for an invalid or unknown option
 */
export function retry(options: number | RetryOptions = {}): RequestPart {
  const settings = checked(typeof options === 'object' ? options : { limit: options })
  const sentKeys: SentKeys = new WeakMap()
  return {
    name: 'retry',
    isOnly: true,
    repeat(request, next) {
      const { key, env, signal = new AbortController().signal } = request
      const mayRepeat = (error: unknown): boolean => isPassing(settings, request, sentKeys.has(request), error)
      const all = (until: AbortSignal): Promise<unknown> => repeat(settings, request, { until, mayRepeat, next })
      return withTimeout(all, { timeout: settings.totalTimeout, signal, key: () => key, env })
    },
    exchange: (exchange, next) => withSameKey(sentKeys, exchange, next),
  }
}

/** The monotonic ms until which requests wait, by controller and origin. Direct calls do not wait for each other. */
const holdsOf = new WeakMap<object, Map<string, number>>()

/** The state that all attempts of a request share. */
interface Repeated {
  /** Aborted when the request is aborted or its `totalTimeout` is over. */
  readonly until: AbortSignal
  mayRepeat(error: unknown): boolean
  next(signal: AbortSignal): Promise<unknown>
}

async function repeat(
  settings: Settings,
  request: PartRequest,
  { until: signal, mayRepeat, next: attempt }: Repeated,
): Promise<unknown> {
  const { env, key, owner = request } = request
  const origin = originInKey(key)
  const holds = holdsOf.get(owner) ?? new Map<string, number>()
  holdsOf.set(owner, holds)
  const heldFor = (): number => (holds.get(origin) ?? 0) - env.mono()
  const pause = (ms: number): Promise<void> =>
    unlessAborted(signal, (done) => {
      const timer = env.setTimeout(done, ms)
      return () => env.clearTimeout(timer)
    })
  let mayBeDone = false
  for (let failures = 0; ; ) {
    for (let left = heldFor(); left > 0; left = heldFor()) await pause(left)
    try {
      return await attempt(signal)
    } catch (error) {
      if (signal.aborted) throw error
      if (mayBeDone && isGone(request, error)) return null
      mayBeDone ||= !isNotDone(error)
      const after = retryAfter(error, env.now())
      const wait = after + delayOf(settings, failures + 1, request)
      // Rate limits apply to all endpoints of a server.
      if (statusOf(error) === 429) holds.set(origin, env.mono() + Math.min(wait, settings.maxRetryAfter))
      if (after > settings.maxRetryAfter || !mayRepeat(error)) throw error
      const isOffline = error instanceof TransportError && !env.isOnline()
      if (!isOffline && failures >= settings.limit) throw error
      request.failureCount = (request.failureCount ?? 0) + 1
      request.failureReason = toError(error, key)
      request.repeats(request.failureReason)
      if (isOffline) {
        await unlessAborted(signal, (done) => env.onChange(() => env.isOnline() && done()))
      } else {
        failures++
        await pause(wait)
      }
    }
  }
}

/** Returns the origin in a fetch key; empty for the page's own. */
function originInKey(key: string): string {
  return /\w+:\/\/[^/?#\s]+/.exec(key)?.[0] ?? ''
}

/**
 * Waits until `done` is called; rejects as soon as the signal is aborted. `begin` returns a function that ends the waiting.
 */
async function unlessAborted(signal: AbortSignal, begin: (done: () => void) => () => void): Promise<void> {
  let end = (): void => {}
  let forward = (): void => {}
  try {
    await new Promise<void>((resolve, reject) => {
      forward = () => reject(abortError(signal.reason))
      signal.addEventListener('abort', forward)
      end = begin(resolve)
    })
  } finally {
    signal.removeEventListener('abort', forward)
    end()
  }
}

// --- what may be repeated

/**
 * True if a DELETE failed because there is nothing to delete. If an earlier attempt may have been applied, that is what was
 * wanted.
 */
export function isGone({ endpoint }: PartRequest, error: unknown): boolean {
  const { method } = endpoint as { readonly method?: unknown }
  return typeof method === 'string' && /^delete$/i.test(method) && isMissing(error)
}

/** The idempotency keys of first attempts. */
type SentKeys = WeakMap<PartRequest, string>

const IDEMPOTENCY_KEY = 'idempotency-key'

/** Sends the first attempt's idempotency key with all attempts, since `getHeaders` may create a new one each time. */
function withSameKey(
  sentKeys: SentKeys,
  { request, init }: Exchange,
  next: (init: RequestInit) => Promise<Response>,
): Promise<Response> {
  if (request.endpoint.sideEffect !== true) return next(init)
  const headers = readableHeaders(init)
  const key = headers?.get(IDEMPOTENCY_KEY) ?? null
  const sent = sentKeys.get(request)
  if (sent === undefined) {
    if (key !== null) sentKeys.set(request, key)
  } else if (sent !== key) {
    headers?.set(IDEMPOTENCY_KEY, sent)
    // The options are changed in place, so that the request's event reports what was sent.
    if (headers !== undefined) init.headers = headers
  }
  return next(init)
}

/** Returns the headers; undefined if the platform refuses them, which fails the request. */
function readableHeaders(init: RequestInit): Headers | undefined {
  try {
    return new Headers(init.headers)
  } catch {
    return undefined
  }
}

function isPassing(settings: Settings, { endpoint }: PartRequest, hasKey: boolean, error: unknown): boolean {
  const status = statusOf(error)
  const maySucceed =
    status === undefined
      ? error instanceof TransportError || error instanceof TimeoutError
      : settings.statuses.includes(status)
  if (!maySucceed || endpoint.sideEffect !== true || hasKey) return maySucceed
  const { method } = endpoint as { readonly method?: string }
  // On an endpoint other than a `RestEndpoint`, `method` may be anything.
  return typeof method === 'string' && settings.methods.includes(method.toUpperCase())
}

// --- pauses

/** Returns the `Retry-After` of a response in ms; 0 if it is missing or invalid. */
export function retryAfter(error: unknown, now: number): number {
  const { headers } = (error ?? {}) as { readonly headers?: unknown }
  const text = headers instanceof Headers ? (headers.get('retry-after') ?? '').trim() : ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  return Math.max(0, httpDate(text) - now || 0)
}

function delayOf({ delay }: Settings, failures: number, { env, key }: PartRequest): number {
  if (delay === undefined) return env.random() * Math.min(LONGEST_RETRY_PAUSE, 500 * 2 ** (failures - 1))
  try {
    return Math.max(0, Number(delay(failures)) || 0)
  } catch (cause) {
    throw new CallbackError('delay', key, { cause })
  }
}

// --- options

interface Settings {
  readonly limit: number
  readonly statuses: readonly number[]
  readonly methods: readonly string[]
  readonly delay: ((failures: number) => number) | undefined
  readonly maxRetryAfter: number
  readonly totalTimeout: number | undefined
}

/** The rule of each option, with the option's name in an error. */
const rules: { readonly [Name in keyof Settings]: readonly [test: (value: unknown) => boolean, needed: string] } = {
  limit: [(value) => Number.isInteger(value) && Number(value) >= 0, 'an integer from 0'],
  statuses: [(value) => Array.isArray(value) && value.every(Number.isInteger), 'a list of HTTP statuses'],
  methods: [(value) => Array.isArray(value) && value.every((one) => typeof one === 'string'), 'a list of HTTP methods'],
  delay: [(value) => typeof value === 'function', 'a function'],
  maxRetryAfter: [(value) => Number(value) >= 0, '0 or more milliseconds'],
  totalTimeout: [(value) => Number(value) > 0, 'more than 0 milliseconds'],
}

function checked(options: RetryOptions): Settings {
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name as keyof Settings] as (typeof rules)['limit'] | undefined
    if (rule === undefined) {
      throw new OptionError(`retry.${name}`, `is unknown. The options are ${Object.keys(rules).join(', ')}.`)
    }
    if (value !== undefined && !rule[0](value)) {
      throw new OptionError(`retry.${name}`, `must be ${rule[1]}, found ${describe(value)}.`)
    }
  }
  const { limit = 2, statuses, methods, delay, maxRetryAfter = 60_000, totalTimeout } = options
  return {
    limit,
    statuses: statuses ?? [408, 425, 429, 500, 502, 503, 504],
    methods: methods?.map((method) => method.toUpperCase()) ?? ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'QUERY'],
    delay,
    maxRetryAfter,
    totalTimeout,
  }
}

import type { PartRequest, RequestPart } from '../endpoint/options.js'
import { Flight, type FlightReceived } from '../engine/flight.js'
import type { RestEndpoint } from '../rest/rest-endpoint.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { needOptions } from '../util/need-options.js'
import type { ConflictError } from './conflict-error.js'
import { conflicts, type Resolution } from './conflicts.js'
import { readerOf } from './headers.js'
import type { HeaderOf } from './lifetime.js'
import { lifetimes } from './lifetimes.js'
import { noteValidators, revalidate } from './validators.js'

/** The options of `http` and `withHttp`. */
export interface HttpOptions {
  /**
   * True if `Cache-Control`, `Expires` and `Age` determine how long a response is fresh. An endpoint with a
   * `dataExpiryLength` ignores them, and a response without them has the lifetime of the controller.
   *
   * @default false
   */
  readonly cache?: boolean | undefined
  /**
   * True to send `If-None-Match` with the `ETag` of the stored response. A 304 renews that without parsing anything.
   *
   * @default false
   */
  readonly etag?: boolean | undefined
  /**
   * `'update'` to send `If-Match` with PUT, PATCH and DELETE of a URL whose stored response is one entity with a strong
   * `ETag`.
   *
   * @default undefined: never
   */
  readonly ifMatch?: 'update' | undefined
  /**
   * Resolves the conflict if another user has changed the same fields.
   *
   * @default undefined: the request rejects with the ConflictError
   */
  readonly onConflict?: ((conflict: ConflictError) => Resolution | Promise<Resolution>) | undefined
}

/**
 * Returns the class with HTTP's own rules for all of its endpoints: those of `http`.
 *
 * @example
 * ```ts
 * const Api = withHttp(RestEndpoint, { cache: true, etag: true, ifMatch: 'update' })
 * const TodoResource = resource({ path: '/todos/:id', schema: Todo, Endpoint: Api })
 * ```
 * @throws OptionError in development for a value that is no class of endpoints, and for an invalid or unknown option
 */
export function withHttp<Class extends typeof RestEndpoint>(Base: Class, options: HttpOptions): Class {
  if (process.env.NODE_ENV !== 'production') checkBase(Base, options)
  // A class that a function extends must accept any arguments. The result is the same class with one more part.
  const Parent = Base as unknown as typeof RestEndpoint
  const part = http(options)
  return class HttpEndpoint extends Parent {
    static override readonly parts: readonly RequestPart[] = [part]
  } as unknown as Class
}

/**
 * Creates a part with HTTP's own rules: freshness by `Cache-Control`, revalidation by `ETag`, and updates that do not
 * overwrite other users' changes by `If-Match`. It is for one endpoint or for all requests of a controller;
 * `withHttp` is for a class of endpoints.
 *
 * @remarks
 * It affects requests of a controller, not direct calls. Across origins, `If-None-Match` and `If-Match` cause a preflight,
 * and the server must expose headers: `Access-Control-Expose-Headers: ETag, Age, Expires`. Of several, the last one applies:
 * the endpoint's, or else the class's, or else the controller's.
 *
 * @example
 * ```ts
 * const controller = new Controller({ parts: [http({ cache: true })] })
 * const getReport = new RestEndpoint({ path: '/report', parts: [http({ cache: true, etag: true })] })
 * ```
 * @throws OptionError in development for an invalid or unknown option
 */
export function http(options: HttpOptions): RequestPart {
  if (process.env.NODE_ENV !== 'production') checkOptions('http', options, 'http({ cache: true })')
  const { cache, etag, ifMatch, onConflict } = options
  /** The headers of the response to a read. */
  const headersOf = new WeakMap<PartRequest, HeaderOf>()
  const updates = ifMatch && conflicts(onConflict)
  return {
    name: 'http',
    isOnly: true,

    async exchange({ request: flight, input, init }, send) {
      if (!(flight instanceof Flight)) return send(init)
      if (flight.isMutation) return updates ? updates.exchange(flight, String(input), init, send) : send(init)
      const response = await (etag ? revalidate(flight, init, send) : send(init))
      if (response.ok || flight.answer) headersOf.set(flight, readerOf(response))
      return response
    },

    ...(cache && lifetimes(headersOf)),

    // Only flights change rows.
    ...(updates && {
      prepare: (request) => request instanceof Flight && request.isMutation && updates.begin(request),
    }),

    // Only flights write.
    wrote(flight: Flight, received: FlightReceived) {
      updates?.wrote(flight)
      const header = headersOf.get(flight)
      if (header !== undefined) noteValidators(flight, received, header)
    },
  }
}

const httpRules: { readonly [Name in keyof Required<HttpOptions>]: (value: unknown) => boolean } = {
  cache: (value) => typeof value === 'boolean',
  etag: (value) => typeof value === 'boolean',
  ifMatch: (value) => value === 'update',
  onConflict: (value) => typeof value === 'function',
}

function checkBase(Base: Partial<typeof RestEndpoint> | undefined, options: HttpOptions): void {
  const remedy = 'withHttp(RestEndpoint, { etag: true })'
  if (typeof Base?.prototype?.fetchResponse !== 'function') {
    const reason = `must be RestEndpoint or a subclass, found ${describe(Base)}: write ${remedy}.`
    throw new OptionError('withHttp', reason, { message: `The class of withHttp ${reason}` })
  }
  checkOptions('withHttp', options, remedy)
}

function checkOptions(owner: string, options: HttpOptions, remedy: string): void {
  needOptions(owner, options, remedy)
  for (const [name, value] of Object.entries(options)) {
    const isValid = httpRules[name as keyof HttpOptions] as ((value: unknown) => boolean) | undefined
    if (value === undefined || isValid?.(value)) continue
    const reason = isValid === undefined ? 'is unknown' : `cannot be ${describe(value)}`
    throw new OptionError(`withHttp.${name}`, `${reason}. The options are ${Object.keys(httpRules).join(', ')}.`)
  }
}

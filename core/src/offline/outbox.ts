import { isEndpoint } from '../schema/literal.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import { OpenOutbox, type OutboxHost } from './open-outbox.js'

/** Resources and endpoints, by the names under which their mutations are stored. */
export type OutboxEndpoints = Readonly<Record<string, object>>

/** The mutations that `offline` stores until the server responds: the result of `outbox`. */
export interface Outbox<Endpoints extends OutboxEndpoints = OutboxEndpoints> {
  readonly endpoints: Endpoints
}

/** The internal form of an `Outbox`: it has an outbox for each controller. */
export interface OutboxMaker extends Outbox {
  openFor(host: OutboxHost): OpenOutbox
}

/** The options of `outbox`. */
export interface OutboxOptions {
  /**
   * The number of attempts that end with a status such as 500, or with the end of the page, after which a mutation is
   * refused.
   *
   * @default 10
   */
  readonly maxAttempts?: number | undefined
}

/**
 * Selects the mutations that `offline` stores until the server responds: they are sent even if the page or the network
 * ends first.
 *
 * @remarks
 * Give resources and endpoints names that stay, since a later version of the application may send what this one has
 * stored. Applications without an outbox do not load its code.
 *
 * The response to a mutation that was sent before with an unknown outcome may be as old as that: readers of a row fetch it
 * once if the response changes it. They do the same if such a mutation is refused, since the server may have applied it.
 *
 * @example
 * ```ts
 * const store = offline({ log: indexedDbLog('board:42'), outbox: outbox({ TodoResource }, { maxAttempts: 5 }) })
 * ```
 * @throws OptionError for an invalid option, and in development for a value that is neither a resource nor an endpoint
 */
export function outbox<const Endpoints extends OutboxEndpoints>(
  endpoints: Endpoints,
  options: OutboxOptions = {},
): Outbox<Endpoints> {
  const { maxAttempts = 10 } = options
  if (process.env.NODE_ENV !== 'production') checkEndpoints(endpoints)
  if (process.env.NODE_ENV !== 'production' && !(maxAttempts >= 1))
    throw new OptionError('outbox.maxAttempts', `cannot be ${describe(maxAttempts)}: it is a number from 1 on.`)
  const made: Outbox<Endpoints> & OutboxMaker = {
    endpoints,
    openFor: (host) => new OpenOutbox(host, endpoints, maxAttempts),
  }
  return made
}

/** The names are stored, so an array, whose names are positions, is refused, too. */
function checkEndpoints(endpoints: unknown): void {
  const remedy = 'Write outbox({ TodoResource, uploadFile }).'
  if (!isPlain(endpoints) || Array.isArray(endpoints)) {
    const reason = `must be resources and endpoints by name, found ${describe(endpoints)}. ${remedy}`
    throw new OptionError('outbox', reason)
  }
  const entries = Object.entries(endpoints)
  // Modules may export anything beside their endpoints.
  const isNone = entries.every(([, value]) => !isEndpoint(value) && !Object.values(Object(value)).some(isEndpoint))
  const [[name, value] = []] = entries
  if (name !== undefined && isNone)
    throw new OptionError(`outbox.${name}`, `must be a resource or an endpoint, found ${describe(value)}. ${remedy}`)
}

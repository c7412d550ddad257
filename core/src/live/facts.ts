import type { PartRequest } from '../endpoint/options.js'

/** The facts known from the requests of a key. */
interface KeyFacts {
  readonly flights: Map<PartRequest, Flight>
  /** The last event that its newest response includes. */
  eventId: string | undefined
  /** The stretch of the stream since which its data has no gap. */
  stretch: object | undefined
}

/** A request of a key in flight. */
interface Flight {
  /** The stretch of the stream during which it began. */
  readonly stretch: object | undefined
  /** The last event that its response claims to include. */
  eventId: string | undefined
}

/** The state of a source for one controller. */
export interface Board {
  /** Its connections, by their URLs. */
  readonly connections: Pick<Map<string, unknown>, 'delete'>
  readonly facts: Map<string, KeyFacts>
  /** The observers of the connection of a URL. */
  readonly listeners: Map<string, Set<() => void>>
}

/** The maximum numbers of remembered keys without a connection, and of events of a stream. */
export const REMEMBERED = 1_000

/** Returns the facts known from the requests of a key, created on first use. */
export function factsOf({ facts }: Board, key: string): KeyFacts {
  const existing = facts.get(key)
  if (existing !== undefined) return existing
  const added: KeyFacts = { flights: new Map(), eventId: undefined, stretch: undefined }
  facts.set(key, added)
  if (facts.size > REMEMBERED) {
    const [oldest] = facts
    if (oldest !== undefined && oldest[1].flights.size === 0) facts.delete(oldest[0])
  }
  return added
}

import type { PartRequest } from '../endpoint/options.js'

/** The facts that the requests of a key have told. */
interface KeyFacts {
  readonly flights: Map<PartRequest, Flight>
  /** The event up to which its newest response knows all. */
  eventId: string | undefined
  /** The stretch of the stream from which on nothing is missing in it. */
  stretch: object | undefined
}

/** A request of a key in flight. */
interface Flight {
  /** The stretch of the stream during which it began. */
  readonly stretch: object | undefined
  /** The event up to which its response says to know all. */
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

/** How many keys without a connection, and how many events of a stream, are remembered. */
export const REMEMBERED = 1_000

/** Returns the facts that the requests of a key have told, which are created on first use. */
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

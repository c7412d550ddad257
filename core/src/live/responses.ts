import type { PartRequest } from '../endpoint/options.js'
import { REMEMBERED, type Stretch } from './stretch.js'

/** The facts known from a request. */
export interface Flight {
  /** The requests that it overlaps with, and its place among them. */
  readonly round: Round
  readonly place: number
  /** The gapless stretch of the stream during which it began. */
  readonly began: Stretch | undefined
  /** The last event of that stretch when it began. */
  readonly last: string | undefined
  /** The last event that its response includes. */
  eventId: string | undefined
}

/**
 * Requests of one stream, each of which began while another was in flight. A server may handle them in another order, but
 * a later request wins the rows that two responses share.
 */
export class Round {
  /** The number of requests that have begun, and of those in flight. */
  begun = 0
  open = 0
  /** The place up to which a later request has a response with another event. */
  mixed = 0
  /** The latest request with a response. */
  #latest: Flight | undefined

  /** Adds a response. Returns true if its event differs from that of the latest request. */
  add(flight: Flight): boolean {
    const { place, eventId } = flight
    const latest = this.#latest ?? flight
    if (place >= latest.place) this.#latest = flight
    if (eventId === latest.eventId) return false
    this.mixed = Math.max(this.mixed, Math.min(place, latest.place))
    return true
  }
}

/** Returns the last event that a response includes. It is unknown if a later request has won some of its rows with another one. */
export function eventOf(flight: Flight | undefined): string | undefined {
  return flight && flight.place > flight.round.mixed ? flight.eventId : undefined
}

/** The facts known from the requests of a key. */
export interface KeyResponses {
  /** Its requests in flight. */
  readonly flights: Set<PartRequest>
  /** The request of its newest response. */
  newest: Flight | undefined
}

/** The facts known from the requests of all keys of one source and controller. */
export class Responses {
  readonly #keys = new Map<string, KeyResponses>()

  /** Returns the facts of a key, created on first use. */
  of(key: string): KeyResponses {
    const existing = this.#keys.get(key)
    if (existing !== undefined) return existing
    const added: KeyResponses = { flights: new Set(), newest: undefined }
    this.#keys.set(key, added)
    const [oldest] = this.#keys
    if (this.#keys.size > REMEMBERED && oldest?.[1].flights.size === 0) this.#keys.delete(oldest[0])
    return added
  }
}

import type { PartRequest } from '../endpoint/options.js'
import { REMEMBERED, type Stretch } from './stretch.js'

/** The facts known from the requests of a key. */
export interface KeyResponses {
  /** Its requests in flight. */
  readonly flights: Set<PartRequest>
  /** The last event that its newest response includes. */
  eventId: string | undefined
  /** The stretch of the stream that continues this response without a gap. */
  stretch: Stretch | undefined
}

/** The facts known from the requests of all keys of one source and controller. */
export class Responses {
  readonly #keys = new Map<string, KeyResponses>()

  /** Returns the facts of a key, created on first use. */
  of(key: string): KeyResponses {
    const existing = this.#keys.get(key)
    if (existing !== undefined) return existing
    const added: KeyResponses = { flights: new Set(), eventId: undefined, stretch: undefined }
    this.#keys.set(key, added)
    const [oldest] = this.#keys
    if (this.#keys.size > REMEMBERED && oldest?.[1].flights.size === 0) this.#keys.delete(oldest[0])
    return added
  }
}

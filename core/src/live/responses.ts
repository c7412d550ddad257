import type { PartRequest } from '../endpoint/options.js'
import { REMEMBERED, type Stretch } from './stretch.js'

/** What is known of the responses of a key. */
export interface KeyResponses {
  /** Its requests in flight. */
  readonly flights: Set<PartRequest>
  /** The event up to which the newest response knows all. */
  eventId: string | undefined
  /** The stretch of the stream that continues it: nothing is missing. */
  stretch: Stretch | undefined
}

/** What is known of the responses of keys, for one source and controller. */
export class Responses {
  readonly #keys = new Map<string, KeyResponses>()

  /** Those of a key, which are created on first use. */
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

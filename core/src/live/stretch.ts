/** How many events of a stretch are remembered, and how many keys of a source. */
export const REMEMBERED = 1_000

/** A stretch of a stream without a gap, over any number of connections. */
export class Stretch {
  /** The event that it has reached; undefined if none is known. */
  last: string | undefined = undefined
  readonly #events = new Set<string>()

  /** @param from - The event behind which it begins. */
  constructor(from: string | undefined) {
    if (from !== undefined) this.reach(from)
  }

  reach(id: string): void {
    this.last = id
    this.#events.add(id)
    const [oldest] = this.#events
    if (this.#events.size > REMEMBERED && oldest !== undefined) this.#events.delete(oldest)
  }

  /** True if it brings all that came after an event. */
  continues(id: string | undefined): boolean {
    return id !== undefined && this.#events.has(id)
  }
}

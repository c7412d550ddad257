/** The maximum numbers of remembered events of a stretch, and of keys of a source. */
export const REMEMBERED = 1_000

/** A gapless stretch of a stream, over any number of connections. */
export class Stretch {
  /** The last event of the stretch; undefined if none is known. */
  last: string | undefined
  readonly #events = new Set<string>()

  /** @param from - the event after which it begins */
  constructor(from: string | undefined) {
    if (from !== undefined) this.reach(from)
  }

  reach(id: string): void {
    this.last = id
    this.#events.add(id)
    const [oldest] = this.#events
    if (this.#events.size > REMEMBERED && oldest !== undefined) this.#events.delete(oldest)
  }

  /** True if the stretch contains all events after this one. */
  continues(id: string | undefined): boolean {
    return id !== undefined && this.#events.has(id)
  }
}

import type { LogEvent } from './story.js'

/** An event without its place in the log. */
export type NewEvent = LogEvent extends infer Event ? (Event extends LogEvent ? Omit<Event, 'n' | 'at'> : never) : never

/** The last events, in a ring: the oldest make room for new ones. */
export class EventLog {
  readonly #ring: LogEvent[] = []
  readonly #size: number
  #count = 0
  /** How many there were when the log was cleared. */
  #cleared = 0
  readonly #listeners = new Set<() => void>()

  constructor(size: number) {
    this.#size = size
  }

  /** How many there have been. */
  get count(): number {
    return this.#count
  }

  add(event: NewEvent): void {
    const n = ++this.#count
    // The event is the log's own: with its place it is complete, and nothing is copied.
    this.#ring[(n - 1) % this.#size] = Object.assign(event, { n, at: Date.now() }) as LogEvent
    for (const listener of this.#listeners) listener()
  }

  /** The events that are left, oldest first. */
  list(): LogEvent[] {
    const length = Math.min(this.#count - this.#cleared, this.#size)
    const first = this.#count - length
    return Array.from({ length }, (_, i) => this.#ring[(first + i) % this.#size] as LogEvent)
  }

  clear(): void {
    this.#ring.length = 0
    this.#cleared = this.#count
    for (const listener of this.#listeners) listener()
  }

  subscribe(listener: () => void): () => void {
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }
}

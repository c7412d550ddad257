/**
 * Assigns the sequence numbers that order requests and writes, and knows which requests are in flight. Independent of the
 * wall clock.
 */
export class Sequence {
  /** The position of the newest hydrated state, and the number of responses hydrated there. A reset keeps both. */
  hydratedSince = 0
  hydrated = 0
  #last = 0
  /** Starts of requests in flight. */
  readonly #inAir = new Set<number>()

  /** Returns a new sequence number. */
  next(): number {
    this.#last += 1
    return this.#last
  }

  /** The newest sequence number. */
  get now(): number {
    return this.#last
  }

  /** Counts a request as in flight again: while it waited to be sent, it did not count. */
  resume(start: number): void {
    this.#inAir.add(start)
  }

  /** Starts a request, with a new number or at an earlier position. */
  begin(start: number = this.next()): number {
    this.#inAir.add(start)
    return start
  }

  /** Ends a request. */
  end(start: number): void {
    this.#inAir.delete(start)
  }

  /** Returns the start of the oldest request in flight other than `except`; Infinity if there is none. */
  oldest(except?: number): number {
    let oldest = Infinity
    for (const start of this.#inAir) if (start !== except && start < oldest) oldest = start
    return oldest
  }
}

/** Assigns the sequence numbers that order requests and writes, and knows which requests are in flight. Independent of the wall clock. */
export class Sequence {
  /** The place of the newest hydrated state in the order, and the number of responses that were hydrated there, also before a reset. */
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

  /** A request that has waited, and did not count as in flight meanwhile, is sent. */
  resume(start: number): void {
    this.#inAir.add(start)
  }

  /** A request starts, now or in an earlier place. */
  begin(start: number = this.next()): number {
    this.#inAir.add(start)
    return start
  }

  /** A request is over. */
  end(start: number): void {
    this.#inAir.delete(start)
  }

  /** The start of the oldest request in flight except the given one; Infinity if there is none. */
  oldest(except?: number): number {
    let oldest = Infinity
    for (const start of this.#inAir) if (start !== except && start < oldest) oldest = start
    return oldest
  }
}

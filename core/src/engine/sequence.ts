/** Gives out the numbers that order everything, and knows which requests are under way. The wall clock has no part in it. */
export class Sequence {
  #last = 0
  /** Starts of requests under way; a Set keeps the order of insertion, so the first is the oldest. */
  readonly #inAir = new Set<number>()

  /** The next moment. */
  next(): number {
    this.#last += 1
    return this.#last
  }

  /** The last moment given out. */
  get now(): number {
    return this.#last
  }

  /** A request starts. */
  begin(): number {
    const start = this.next()
    this.#inAir.add(start)
    return start
  }

  /** A request is over. */
  end(start: number): void {
    this.#inAir.delete(start)
  }

  /** The start of the oldest request under way, but for one; Infinity if there is none. */
  oldest(except?: number): number {
    for (const start of this.#inAir) if (start !== except) return start
    return Infinity
  }
}

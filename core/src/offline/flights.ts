/** How many ended mutations a tab remembers. */
const MOST = 1_000

/** The mutations of the outbox in this tab's order: where their flights stand, and which of them are over. */
export class Flights {
  /** The starts of flights, by the ids of their mutations. */
  readonly #starts = new Map<string | undefined, number>()
  /** The last mutations that are over, and the first records that tell it. */
  readonly #ends = new Map<string | undefined, number>()

  /** A mutation has a flight here. */
  note(id: string, start: number): void {
    this.#starts.set(id, start)
  }

  /**
   * Returns the start of a mutation's flight. Mutations have one order in all tabs, whenever they were sent: each stands
   * where its flight does, below what was made since.
   */
  startOf(id: string | undefined): number | undefined {
    return this.#starts.get(id)
  }

  idOf(start: number): string | undefined {
    for (const [id, of] of this.#starts) if (of === start) return id
    return undefined
  }

  /** Notes mutations as over, in this record, or in one that is still to be written: `Infinity`. */
  noteEnds(ids: Iterable<string>, record: number): void {
    for (const id of ids) this.#ends.set(id, Math.min(record, this.#ends.get(id) ?? Infinity))
    for (const id of [...this.#ends.keys()].slice(0, -MOST)) {
      this.#ends.delete(id)
      // Their flights are forgotten with them.
      this.#starts.delete(id)
    }
  }

  /** True for a mutation that is over: a summary that another tab wrote before it knew still has it. */
  hasEnded(id: string): boolean {
    return this.#ends.has(id)
  }

  /**
   * True for the response to a mutation in a record that knew the log up to `knew` if another record had told its end:
   * it is as old as that.
   */
  isRepeated(id: string | undefined, knew: number): boolean {
    const first = this.#ends.get(id) ?? Infinity
    return first > knew && first < Infinity
  }
}

/** The number of mutations to remember: the last ones. */
const MOST = 1_000

/** Remembers mutations that are over, and the first records that tell it. */
export class Ends {
  readonly #records = new Map<string | undefined, number>()

  /**
   * Notes mutations as over, in this record, or in one that is still to be written: `Infinity`. Returns those that were
   * forgotten.
   */
  note(ids: Iterable<string>, record: number): readonly (string | undefined)[] {
    for (const id of ids) this.#records.set(id, Math.min(record, this.#records.get(id) ?? Infinity))
    const old = [...this.#records.keys()].slice(0, -MOST)
    for (const id of old) this.#records.delete(id)
    return old
  }

  /** True for a mutation that is over: a summary that another tab wrote before it knew still has it. */
  has(id: string | undefined): boolean {
    return this.#records.has(id)
  }

  /**
   * True for the response to a mutation in a record that knew the log up to `knew` if another record had told its end:
   * it is as old as that.
   */
  isRepeated(id: string | undefined, knew: number = Infinity): boolean {
    const first = this.#records.get(id) ?? Infinity
    return first > knew && first < Infinity
  }
}

/** Remembers mutations that are over, and the first records that tell it. */
export class Ends {
  readonly #records = new Map<string, number>()
  /** The number of mutations to remember: the last ones. */
  readonly #most: number

  constructor(most: number = Infinity) {
    this.#most = most
  }

  /**
   * Notes mutations as over, in this record, or in one that is still to be written: `Infinity`. Returns those that were
   * forgotten.
   */
  note(ids: Iterable<string>, record: number): readonly string[] {
    for (const id of ids) this.#records.set(id, Math.min(record, this.#records.get(id) ?? Infinity))
    const old: string[] = []
    for (const id of this.#records.keys()) {
      if (this.#records.size <= this.#most) break
      this.#records.delete(id)
      old.push(id)
    }
    return old
  }

  /** True for a mutation that is over: a summary that another tab wrote before it knew still has it. */
  has(id: string | undefined): boolean {
    return id !== undefined && this.#records.has(id)
  }

  /**
   * True for the response to a mutation in a record that knew the log up to `knew` if another record had told its end:
   * it is as old as that.
   */
  isRepeated(id: string | undefined, knew: number = Infinity): boolean {
    const first = id === undefined ? undefined : this.#records.get(id)
    return first !== undefined && first < Infinity && first > knew
  }
}

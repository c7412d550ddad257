import type { Entry } from './entry.js'

/** That all keys of an endpoint are invalid or stale since a moment. */
export interface Mark {
  /** Whose keys; a later mark of the same owner covers an earlier one of the same kind. */
  readonly owner: object
  readonly kind: 'invalid' | 'stale'
  readonly at: number
  testKey(key: string): boolean
}

/** Marks that hold for keys not heard of yet: those may be answered from rows that are older than the mark. */
export class Marks {
  #marks: Mark[] = []

  add(mark: Mark): void {
    this.#marks = this.#marks.filter(({ owner, kind }) => owner !== mark.owner || kind !== mark.kind)
    this.#marks.push(mark)
  }

  /** Marks a key if it is meant; true if so. */
  apply(entry: Entry, mark: Mark): boolean {
    if (!mark.testKey(entry.key)) return false
    entry[mark.kind] = mark.at
    return true
  }

  applyAll(entry: Entry): void {
    for (const mark of this.#marks) this.apply(entry, mark)
  }

  clear(): void {
    this.#marks = []
  }
}

import type { Entry } from './entry.js'

/** That all keys of an endpoint are invalid or stale since a moment. */
export interface Mark {
  /** What it matches, as text, or whoever tests keys: a later mark of the same owner covers an earlier one of the same kind. */
  readonly owner: object | string
  readonly kind: 'invalid' | 'stale'
  readonly at: number
  testKey(key: string): boolean
}

const KINDS = ['invalid', 'stale'] as const

/** So many marks of a kind are told apart. */
const MOST = 100

/**
 * Marks that hold for keys not heard of yet: those may be answered from rows that are older than the mark. What marks is mostly one
 * of few endpoints; where there are more, the oldest marks hold for every key from then on, so that a new key costs no more.
 */
export class Marks {
  readonly #marks = { invalid: new Map<object | string, Mark>(), stale: new Map<object | string, Mark>() }
  /** Since when every key that is not heard of yet is marked. */
  readonly #all = { invalid: 0, stale: 0 }

  add(mark: Mark): void {
    const marks = this.#marks[mark.kind]
    // Deleted first, so that the Map stays in the order of moments.
    marks.delete(mark.owner)
    marks.set(mark.owner, mark)
    if (marks.size <= MOST) return
    for (const [owner, { at }] of marks) {
      marks.delete(owner)
      this.#all[mark.kind] = Math.max(this.#all[mark.kind], at)
      return
    }
  }

  /** Marks a key if it is meant; true if so. */
  apply(entry: Entry, mark: Mark): boolean {
    if (!mark.testKey(entry.key)) return false
    entry[mark.kind] = mark.at
    return true
  }

  applyAll(entry: Entry): void {
    for (const kind of KINDS) entry[kind] = this.#since(entry.key, kind)
  }

  /** A key is about to be forgotten, though not that it is marked: what its arguments name may be older than that. */
  keep({ key, answer, ...entry }: Entry): void {
    for (const kind of KINDS) {
      const at = entry[kind]
      if (at <= Math.max(answer?.start ?? 0, this.#since(key, kind))) continue
      this.add({ owner: `= ${key}`, kind, at, testKey: (other) => other === key })
    }
  }

  /** Since when a key that is not heard of yet is marked; 0 if it is not. */
  #since(key: string, kind: Mark['kind']): number {
    let since = this.#all[kind]
    for (const { at, testKey } of this.#marks[kind].values()) if (at > since && testKey(key)) since = at
    return since
  }

  clear(): void {
    for (const kind of KINDS) {
      this.#marks[kind].clear()
      this.#all[kind] = 0
    }
  }
}

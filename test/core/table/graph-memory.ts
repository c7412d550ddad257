import type { GraphModel, RowName } from './graph-model.js'

interface Last {
  /** What it was built of; with what it may have been rebuilt of since, where nobody could see it. */
  readonly shells: readonly string[]
  readonly instance: object
  /** The instances of the rows below with which it was built. */
  readonly below: ReadonlyMap<RowName, object>
  /** True if it was rebuilt where nobody could see it, so that its instance is not known. */
  readonly isHidden: boolean
}

/** The last view of each row, which decides which instances must still be the same, and which must not. */
export class GraphMemory {
  readonly #model: GraphModel
  readonly #last = new Map<RowName, Last>()

  constructor(model: GraphModel) {
    this.#model = model
  }

  /** Checks the instances that a read showed against those of the reads before; returns what is wrong, if anything. */
  check(roots: readonly RowName[], shown: ReadonlyMap<RowName, object>): string | undefined {
    const perhaps = this.#kept(shown, true)
    const isHidden = [...shown.keys()].some((name) => this.#last.get(name)?.isHidden)
    const surely = isHidden ? this.#kept(shown, false) : perhaps
    let wrong: string | undefined
    for (const [name, instance] of shown) {
      const last = this.#last.get(name)
      if (last === undefined || last.isHidden) continue
      if (surely.has(name) && last.instance !== instance && !this.#hasReason(name, surely, shown))
        wrong = `${name} was replaced, though nothing in it changed`
      if (!perhaps.has(name) && last.instance === instance)
        wrong = `${name} is the same, though something in it changed`
    }
    this.#remember(roots, shown)
    return wrong
  }

  /** Notes that all rows but these may have been rebuilt for a reader that depended on them once and read again. */
  hideAllBut(seen: ReadonlySet<RowName>): void {
    for (const [name, last] of this.#last) if (!seen.has(name)) this.#last.set(name, { ...last, isHidden: true })
  }

  /**
   * Rows that refer to each other in a ring are replaced together, also where deleted rows keep the ring from being
   * seen whole; and so are their dependents.
   */
  #hasReason(name: RowName, stored: ReadonlySet<RowName>, shown: ReadonlyMap<RowName, object>): boolean {
    const ring = new Set([...this.#model.reached([name])].filter((to) => this.#model.reached([to]).has(name)))
    for (const member of ring) {
      if (!stored.has(member)) return true
      const below = this.#last.get(member)?.below
      const outside = this.#model.shown(member).filter((to) => !ring.has(to))
      if (outside.some((to) => shown.get(to) !== below?.get(to))) return true
    }
    return false
  }

  /** The largest set of rows that are unchanged and depend only on unchanged rows. */
  #kept(shown: ReadonlyMap<RowName, object>, isHopeful: boolean): ReadonlySet<RowName> {
    const stored = new Set<RowName>()
    for (const name of shown.keys()) {
      const last = this.#last.get(name)
      if (last?.shells.includes(this.#model.shell(name)) && (isHopeful || !last.isHidden)) stored.add(name)
    }
    for (let size = -1; size !== stored.size; ) {
      size = stored.size
      for (const name of stored) {
        const below = this.#last.get(name)?.below
        const isSame = (to: RowName) => stored.has(to) && this.#last.get(to)?.instance === below?.get(to)
        if (!this.#model.shown(name).every(isSame)) stored.delete(name)
      }
    }
    return stored
  }

  #remember(roots: readonly RowName[], shown: ReadonlyMap<RowName, object>): void {
    for (const name of this.#model.reached(roots)) {
      const instance = shown.get(name)
      const last = this.#last.get(name)
      if (instance !== undefined) {
        const below = new Map<RowName, object>()
        for (const to of this.#model.shown(name)) below.set(to, shown.get(to) as object)
        this.#last.set(name, { shells: [this.#model.shell(name)], instance, below, isHidden: false })
      } else if (last === undefined) {
        // Nobody has seen it.
      } else if (this.#model.invalid.has(name) || this.#model.record(name) === undefined) {
        // One that comes back as it was may be the same instance again.
        this.#last.set(name, { ...last, isHidden: true })
      } else {
        this.#last.set(name, { ...last, shells: [...last.shells, this.#model.shell(name)], isHidden: true })
      }
    }
  }
}

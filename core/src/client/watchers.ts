import type { Entry } from '../engine/entry.js'
import type { Wake } from '../engine/step.js'
import type { ResultView } from '../table/result-view.js'
import type { Row } from '../table/row.js'

/** Somebody who shows a result and wants to hear when it changes. */
export interface Watcher {
  readonly key: string
  /** False while nobody listens or waits: then it looks again when it is asked. */
  readonly isHeld: boolean
  /** What was last found to show. */
  readonly shown: unknown
  /** Judges anew what to show; `hasArrived` at the moment of an answer or error. */
  judge(hasArrived: boolean): void
  /** Looks again; true if something else is shown now. */
  reread(): boolean
  /** Tells whoever listens. */
  tell(): void
}

/** Finds, for what a commit changed, those who must hear of it: first all look again, then all are told. */
export class Watchers {
  readonly #byView = new Map<ResultView, Watcher>()
  /** By the row of the result that they show. */
  readonly #bySource = new Map<Row, Set<Watcher>>()
  /** Those who are asked again after the next commit. */
  readonly #postponed = new Set<Watcher>()
  readonly #wakes: Wake[] = []
  /** Tells all listeners of one commit; stores of another library may do that in a batch of theirs. */
  together: (notify: () => void) => void = (notify) => notify()
  #isWaking = false

  get size(): number {
    return this.#byView.size
  }

  add(view: ResultView, watcher: Watcher): void {
    this.#byView.set(view, watcher)
    if (view.source === undefined) return
    const known = this.#bySource.get(view.source)
    if (known === undefined) this.#bySource.set(view.source, new Set([watcher]))
    else known.add(watcher)
  }

  remove(view: ResultView, watcher: Watcher): void {
    this.#byView.delete(view)
    this.#postponed.delete(watcher)
    if (view.source === undefined) return
    const known = this.#bySource.get(view.source)
    known?.delete(watcher)
    if (known?.size === 0) this.#bySource.delete(view.source)
  }

  /** Asks a watcher again after the next commit: a pending mutation touches what it stands on, or what it stands on is invalid. */
  postpone(watcher: Watcher): void {
    this.#postponed.add(watcher)
  }

  /** Wakes those whom a commit concerns. A commit made by somebody who is told comes after this one is told to all. */
  wake(wake: Wake): void {
    this.#wakes.push(wake)
    if (this.#isWaking) return
    this.#isWaking = true
    try {
      for (let next = this.#wakes.shift(); next !== undefined; next = this.#wakes.shift()) this.#round(next)
    } finally {
      this.#isWaking = false
    }
  }

  #round(wake: Wake): void {
    // Taken first: who is put off in this round is asked in the next.
    const postponed = this.#takePostponed()
    const concerned = this.#ofEntries(wake.entries)
    for (const watcher of postponed) {
      watcher.judge(false)
      concerned.add(watcher)
    }
    for (const view of wake.soiled) {
      const watcher = this.#byView.get(view)
      if (watcher?.isHeld) concerned.add(watcher)
    }
    /** What they showed before. */
    const changed = new Map<Watcher, unknown>()
    const reread = (watcher: Watcher): void => {
      const { shown } = watcher
      if (watcher.reread() && !changed.has(watcher)) changed.set(watcher, shown)
    }
    for (const watcher of concerned) reread(watcher)
    // Asked for only now: those who looked again have noted anew what they stand on.
    for (const view of wake.stale) {
      const watcher = this.#byView.get(view)
      if (!watcher?.isHeld) continue
      watcher.judge(false)
      reread(watcher)
    }
    if (changed.size === 0) return
    this.together(() => {
      // What was shown for a moment only, nobody has seen.
      for (const [watcher, before] of changed) if (watcher.shown !== before) watcher.tell()
    })
  }

  #ofEntries(entries: ReadonlyMap<Entry, boolean>): Set<Watcher> {
    const concerned = new Set<Watcher>()
    for (const [entry, hasArrived] of entries) {
      for (const watcher of this.#bySource.get(entry.row) ?? []) {
        if (!watcher.isHeld) continue
        watcher.judge(hasArrived)
        concerned.add(watcher)
      }
    }
    return concerned
  }

  #takePostponed(): Watcher[] {
    const postponed = [...this.#postponed]
    this.#postponed.clear()
    return postponed
  }
}

import type { Change } from '../table/change.js'
import type { Version } from '../table/order.js'
import { Kind, type Row, type RowSource } from '../table/row.js'
import type { Commit } from './commit.js'

/**
 * The optimistic response of one pending mutation: a function of what is below it. Layers lie on top of each other in the order of
 * their starts. While something below is written they are lifted off; then each is laid on again as it was, or is run again if
 * something changed that it read, wrote or skipped.
 */
export class Layer {
  /** The request's own id. */
  readonly id: number
  readonly start: number
  /** Its request, which may have to wait before it is sent: see `Version.heldUntil`. */
  readonly request: Pick<Version, 'heldUntil'>
  /** Names the rows that it creates. */
  readonly label: number | string
  /** Returns the change that the layer makes to these rows; undefined if none. It never throws. */
  readonly make: (source: RowSource) => Change | undefined
  /** Called with the error that a user's function threw while the layer was run. */
  readonly failed: (error: Error) => void
  /** True if it is to be run again. */
  dirty = true
  /** True until it was run once. */
  isNew = true
  /** The error of the first run: then the mutation is not sent. */
  error: Error | undefined = undefined
  /** True while it is lifted: then it hides nothing. */
  isLifted = false
  /** The values below it, of exactly the rows that it wrote. */
  readonly below: Map<Row, unknown> = new Map()
  /** Its own values, while it is lifted. */
  readonly #own = new Map<Row, unknown>()
  /** The rows that it read, wrote or skipped, and the kinds that it searched or whose lists it changed. */
  readonly touched: Set<Row | Kind> = new Set()

  constructor(
    request: Pick<Version, 'start' | 'heldUntil'> & { readonly label: number | string },
    make: (source: RowSource) => Change | undefined,
    report: (error: Error) => void,
  ) {
    const { start, label } = request
    this.request = request
    this.id = start
    this.start = start
    this.label = label
    this.make = make
    this.failed = (error) => {
      if (this.isNew) this.error ??= error
      else report(error)
    }
  }

  /** The rows that it wrote. */
  get writes(): Iterable<Row> {
    return this.below.keys()
  }

  put(commit: Commit, row: Row, value: unknown): void {
    this.touched.add(row)
    if (!this.below.has(row)) this.below.set(row, row.value)
    commit.put(row, value)
  }

  /** Takes the layer off: its rows have the values below again. */
  lift(commit: Commit): void {
    this.isLifted = true
    for (const [row, value] of this.below) {
      commit.note(row)
      this.#own.set(row, row.value)
      row.value = value
    }
  }

  /** Lays the layer on again with the values that it had. */
  lay(commit: Commit): void {
    for (const [row, value] of this.#own) {
      commit.note(row)
      this.below.set(row, row.value)
      row.value = value
    }
    this.stay()
  }

  /** The layer is no longer lifted. */
  stay(): void {
    this.isLifted = false
    this.#own.clear()
  }

  /** Starts a new run: the layer depends on nothing yet and has written nothing. */
  begin(commit: Commit): void {
    this.leave(commit)
    this.below.clear()
    this.stay()
    this.touched.clear()
    this.dirty = false
  }

  /** Its values are gone: layers above may depend on them, and on the lists that it was asked about. */
  leave(commit: Commit): void {
    for (const row of this.below.keys()) commit.touch(row)
    if (this.below.size > 0) for (const each of this.touched) if (each instanceof Kind) commit.changed?.add(each)
  }

  /** True if a row or kind changed that the layer depends on. */
  isAffected({ changed, affectsAll }: Commit): boolean {
    if (this.dirty || affectsAll) return true
    for (const each of changed ?? []) if (this.touched.has(each)) return true
    return false
  }
}

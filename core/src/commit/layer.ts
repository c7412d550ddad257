import type { Change } from '../table/change.js'
import type { Version } from '../table/order.js'
import { Kind, type Row, type RowSource } from '../table/row.js'
import type { Commit } from './commit.js'

/** The request of a layer. It may have to wait before it is sent: see `Version.heldUntil`. */
interface LayerRequest extends Pick<Version, 'start' | 'heldUntil'> {
  /** The common part of the temporary keys of rows that it creates. */
  readonly label: number | string
}

/**
 * The optimistic response of one pending mutation: a function of the values below it. Layers lie on top of each other in the
 * order of their starts. During a write below them they are lifted; then each is laid on again, or runs again if anything
 * has changed that it read, wrote or skipped.
 */
export class Layer {
  /** The start of its request, which is also the request's id. */
  readonly start: number
  readonly request: LayerRequest
  /** Returns the change that the layer makes to the values below it; undefined for none. Never throws. */
  readonly make: (source: RowSource) => Change | undefined
  /** Called with the error of a user's function that the layer ran. */
  readonly failed: (error: Error) => void
  /** True if it must run again. */
  dirty = true
  /** True until its first run has ended. */
  isNew = true
  /** The error of the first run, with which the mutation is not sent. */
  error: Error | undefined
  /** True while it is lifted, and hides no values. */
  isLifted = false
  /** The values below it, for exactly the rows that it wrote. */
  readonly below: Map<Row, unknown> = new Map()
  /** Its own values while it is lifted. */
  readonly #own = new Map<Row, unknown>()
  /** The rows that it read, wrote or skipped, and the kinds that it searched or whose lists it changed. */
  readonly touched: Set<Row | Kind> = new Set()

  constructor(request: LayerRequest, make: (source: RowSource) => Change | undefined, report: (error: Error) => void) {
    this.request = request
    this.start = request.start
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

  /** Takes the layer off and restores the values below it. */
  lift(commit: Commit): void {
    this.isLifted = true
    for (const [row, value] of this.below) {
      commit.note(row)
      this.#own.set(row, row.value)
      row.value = value
    }
  }

  /** Lays the layer on again with its own values. */
  lay(commit: Commit): void {
    for (const [row, value] of this.#own) {
      commit.note(row)
      this.below.set(row, row.value)
      row.value = value
    }
    this.stay()
  }

  /** Ends lifting without changing values. */
  stay(): void {
    this.isLifted = false
    this.#own.clear()
  }

  /** Prepares a new run: clears the dependencies and writes. */
  begin(commit: Commit): void {
    this.leave(commit)
    this.below.clear()
    this.stay()
    this.touched.clear()
    this.dirty = false
  }

  /** Notes that its values are removed, since layers above may depend on them and on its lists. */
  leave(commit: Commit): void {
    for (const row of this.below.keys()) commit.touch(row)
    if (this.below.size > 0) for (const each of this.touched) if (each instanceof Kind) commit.changed?.add(each)
  }

  /** True if a commit changed a row or kind on which the layer depends. */
  isAffected({ changed, affectsAll }: Commit): boolean {
    if (this.dirty || affectsAll) return true
    for (const each of changed ?? []) if (this.touched.has(each)) return true
    return false
  }
}

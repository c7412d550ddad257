import { INVALID } from '../schema/schema.js'
import { DepthError } from '../util/errors.js'
import type { Row } from './row.js'

/** A row's view under certain arguments, and the value that it was built from. */
export interface ScopedView {
  readonly value: unknown
  readonly view: unknown
}

/** Views of one result are built on the call stack; deeper ones are rejected. */
const MAX_SCOPED_DEPTH = 500

/** Views that belong to one result, by row. */
export type ScopedViews = Map<Row, ScopedView>

/** The operations that build a scope's rows. */
export interface ScopeBuilder {
  /** Visits the rows of the scope directly below one. */
  eachBelow(row: Row, meet: (below: Row) => void): void
  /** Builds the view of a row from the views of the rows below. */
  build(row: Row): unknown
  /** Builds new views for rows that depend on each other. */
  replaceRing(rows: readonly Row[]): void
}

/** A row whose rows below are being built, by Tarjan's algorithm for strongly connected components. */
interface ScopeFrame {
  readonly row: Row
  readonly index: number
  low: number
  /** True if the row depends on itself. */
  isRing: boolean
}

/**
 * The views of one result whose rows depend on the call's arguments. They belong to the result, not to the rows, and keep their
 * identity between builds of the result if nothing in them has changed; rows in a ring keep it together.
 */
export class Scope {
  readonly #views: ScopedViews
  readonly #before: ScopedViews
  readonly #frames = new Map<Row, ScopeFrame>()
  /** Rows whose rings are not closed yet. */
  readonly #stack: ScopeFrame[] = []
  #at: ScopeFrame | undefined = undefined
  #depth = 0
  #count = 0

  constructor(views: ScopedViews) {
    this.#views = views
    this.#before = new Map(views)
    views.clear()
  }

  /** The view of the previous build. */
  before(row: Row): ScopedView | undefined {
    return this.#before.get(row)
  }

  viewOf(row: Row): unknown {
    return this.#views.get(row)?.view
  }

  setView(row: Row, view: unknown): void {
    this.#views.set(row, { value: row.value, view })
  }

  /** The view of a row in this build; for a row that only a user's schema leads back to, the previous one. */
  view(row: Row, builder: ScopeBuilder): unknown {
    const known = this.#views.get(row)
    if (known !== undefined) return known.view
    const open = this.#frames.get(row)
    if (open === undefined) this.#build(row, builder)
    else if (this.#at !== undefined) {
      if (this.#at === open) open.isRing = true
      this.#at.low = Math.min(this.#at.low, open.index)
    }
    return this.#views.has(row) ? this.viewOf(row) : this.#before.get(row)?.view
  }

  #build(row: Row, builder: ScopeBuilder): void {
    if (this.#depth === MAX_SCOPED_DEPTH) throw new DepthError(MAX_SCOPED_DEPTH)
    const around = this.#at
    const index = this.#count++
    const frame: ScopeFrame = { row, index, low: index, isRing: false }
    this.#frames.set(row, frame)
    this.#stack.push(frame)
    this.#at = frame
    this.#depth++
    builder.eachBelow(row, (below) => this.view(below, builder))
    this.#depth--
    this.#at = around
    if (frame.low === index) this.#close(frame, builder)
    else if (around !== undefined) around.low = Math.min(around.low, frame.low)
  }

  /** Builds the rows of a ring, usually a single one: they keep their views together, or get new ones together. */
  #close(first: ScopeFrame, builder: ScopeBuilder): void {
    const ring = this.#stack.splice(this.#stack.lastIndexOf(first)).map(({ row }) => row)
    for (const row of ring) this.#frames.delete(row)
    if (ring.length === 1 && !first.isRing) this.setView(first.row, builder.build(first.row))
    else if (!this.#stays(ring, builder)) builder.replaceRing(ring)
  }

  #stays(ring: readonly Row[], builder: ScopeBuilder): boolean {
    const views = ring.map((row) => this.#before.get(row)?.view)
    if (views.some((view) => view === undefined || view === INVALID)) return false
    ring.forEach((row, at) => {
      this.setView(row, views[at])
    })
    return ring.every((row, at) => builder.build(row) === views[at])
  }
}

import { INVALID } from '../schema/schema.js'
import { DepthError } from '../util/errors.js'
import { isShown } from './list-view.js'
import type { Row } from './row.js'

/** A row's view under certain arguments, and the value that it was built from. */
export interface ScopedView {
  readonly value: unknown
  readonly view: unknown
  /** Where the outermost row is that it leads back to, while that is being built. */
  outermost: number
}

/** Views of one result are built on the call stack; deeper ones are rejected. */
const MAX_SCOPED_DEPTH = 500

/** Views that belong to one result, by row. */
export type ScopedViews = Map<Row, ScopedView>

/** The operations that build a scope's rows. */
export interface ScopeBuilder {
  /** Creates the instance of an entity without its relations. */
  shell(row: Row): unknown
  /** Builds the view of a row from the views of the rows below; into the shell, if there is one. */
  build(row: Row, shell: unknown): unknown
}

/** An entity that is being built: what is shown of it until then. */
interface OpenRow {
  readonly view: unknown
  readonly depth: number
  isRead: boolean
}

/**
 * The views of one result whose rows depend on the call's arguments. They belong to the result, not to the rows, and keep their
 * identity between builds of the result if nothing in them has changed.
 *
 * A row that leads back to itself is shown there as it was before. If that turns out to be wrong, its ring is built once more, and each
 * row in it gets a new instance, which is shown to the others before its relations are filled in: rows in a ring keep their views
 * together, or get new ones together. Which rows are in a ring is found as in Tarjan's algorithm.
 */
export class Scope {
  readonly #views: ScopedViews
  readonly #before: ScopedViews
  /** The rows that have views, in the order in which they got them. */
  readonly #built: Row[] = []
  readonly #open = new Map<Row, OpenRow>()
  /** Rows of rings that cannot keep their views. */
  readonly #renewed = new Set<Row>()
  /** Rows of rings that lack a required relation, and count as missing for the others too. */
  readonly #rejected = new Set<Row>()
  #depth = 0
  /** Where the outermost open row is that the present one leads to. */
  #outermost = Infinity
  /** True if an open row was shown that cannot keep its view. */
  #isWrong = false

  constructor(views: ScopedViews) {
    this.#views = views
    this.#before = new Map(views)
    views.clear()
  }

  /** The view of the previous build. */
  before(row: Row): ScopedView | undefined {
    return this.#before.get(row)
  }

  /** The view of a row in this build. */
  view(row: Row, builder: ScopeBuilder): unknown {
    const known = this.#views.get(row)
    const open = this.#open.get(row)
    if (known === undefined && open === undefined) return this.#build(row, builder)
    this.#outermost = Math.min(this.#outermost, known?.outermost ?? open?.depth ?? Infinity)
    if (open !== undefined) open.isRead = true
    return (known ?? open)?.view
  }

  /** Builds a row; where a ring begins, again and again as long as something in the ring was shown wrongly. */
  #build(row: Row, builder: ScopeBuilder): unknown {
    const depth = this.#depth
    if (depth === MAX_SCOPED_DEPTH) throw new DepthError(MAX_SCOPED_DEPTH)
    const outer = { outermost: this.#outermost, isWrong: this.#isWrong }
    const start = this.#built.length
    let shown: ScopedView
    do {
      this.#outermost = Infinity
      this.#isWrong = false
      shown = this.#buildOnce(row, depth, builder)
      if (this.#outermost < depth) shown.outermost = this.#outermost
      else if (this.#outermost < Infinity) this.#close(row, start)
    } while (!this.#views.has(row))
    if (shown.outermost < Infinity) this.#isWrong ||= outer.isWrong
    else this.#isWrong = outer.isWrong
    this.#outermost = Math.min(shown.outermost, outer.outermost)
    return shown.view
  }

  /** The ring that begins at a row is complete: if it is wrong, it is to be built again with new instances. */
  #close(first: Row, start: number): void {
    for (const row of this.#isWrong ? this.#built.splice(start) : this.#built.slice(start)) {
      const shown = this.#views.get(row) as ScopedView
      if (this.#isWrong) {
        if (row === first || shown.outermost < Infinity) this.#renewed.add(row)
        this.#views.delete(row)
      }
      shown.outermost = Infinity
    }
  }

  #buildOnce(row: Row, depth: number, builder: ScopeBuilder): ScopedView {
    const isRenewed = this.#renewed.has(row)
    const before = this.#before.get(row)?.view
    const shown = isRenewed ? builder.shell(row) : isShown(before) ? before : undefined
    const open: OpenRow = { view: shown, depth, isRead: false }
    let view: unknown
    try {
      this.#depth = depth + 1
      // A ring always has an entity, and what computes something from a list needs all of it.
      if (row.list === undefined) this.#open.set(row, open)
      view = this.#rejected.has(row) ? INVALID : builder.build(row, isRenewed ? shown : undefined)
    } finally {
      this.#depth = depth
      this.#open.delete(row)
    }
    if (open.isRead && view !== shown) {
      this.#isWrong = true
      if (isRenewed) this.#rejected.add(row)
    }
    // A list may be in a ring with its members, and is complete there first.
    const known = this.#views.get(row)
    if (known !== undefined) return known
    const built: ScopedView = { value: row.value, view, outermost: Infinity }
    this.#views.set(row, built)
    this.#built.push(row)
    return built
  }
}

import { INVALID } from '../schema/schema.js'
import { DepthError } from '../util/errors.js'
import { isShown } from './list-view.js'
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
  /** Creates the instance of an entity without its relations. */
  shell(row: Row): unknown
  /** Builds the view of a row from the views of the rows below; into the shell, if there is one. */
  build(row: Row, shell: unknown): unknown
}

/** An entity that is being built: what is shown of it until then. */
interface OpenRow {
  readonly view: unknown
  isRead: boolean
}

/**
 * The views of one result whose rows depend on the call's arguments. They belong to the result, not to the rows, and keep their
 * identity between builds of the result if nothing in them has changed.
 *
 * A row that leads back to itself is shown there as it was before. If that turns out to be wrong, everything is built once more, and
 * there the row gets a new instance, which is shown before its relations are filled in. Rows in a ring thus keep their views together,
 * or get new ones together.
 */
export class Scope {
  readonly #views: ScopedViews
  readonly #before: ScopedViews
  /** What is built in the present pass. */
  #pass: ScopedViews | undefined = undefined
  #isWrong = false
  #depth = 0
  readonly #open = new Map<Row, OpenRow>()
  /** Rows of rings that cannot keep their views. */
  readonly #renewed = new Set<Row>()
  /** Rows of rings that lack a required relation, and count as missing for the others too. */
  readonly #rejected = new Set<Row>()

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
    const known = this.#views.get(row) ?? this.#pass?.get(row)
    if (known !== undefined) return known.view
    const open = this.#open.get(row)
    if (open !== undefined) {
      open.isRead = true
      return open.view
    }
    if (this.#pass !== undefined) return this.#build(row, this.#pass, builder)
    for (;;) {
      const pass: ScopedViews = new Map()
      this.#pass = pass
      this.#isWrong = false
      let view: unknown
      try {
        view = this.#build(row, pass, builder)
      } finally {
        this.#pass = undefined
        this.#open.clear()
        this.#depth = 0
      }
      if (this.#isWrong) continue
      for (const [built, shown] of pass) this.#views.set(built, shown)
      return view
    }
  }

  #build(row: Row, pass: ScopedViews, builder: ScopeBuilder): unknown {
    if (this.#depth++ === MAX_SCOPED_DEPTH) throw new DepthError(MAX_SCOPED_DEPTH)
    const isRenewed = this.#renewed.has(row)
    const before = this.#before.get(row)?.view
    const open: OpenRow = { view: isRenewed ? builder.shell(row) : isShown(before) ? before : undefined, isRead: false }
    // A ring always has an entity, and what computes something from a list needs all of it.
    if (row.list === undefined) this.#open.set(row, open)
    const view = this.#rejected.has(row) ? INVALID : builder.build(row, isRenewed ? open.view : undefined)
    this.#open.delete(row)
    this.#depth--
    if (open.isRead && view !== open.view) {
      this.#isWrong = true
      if (isRenewed) this.#rejected.add(row)
      this.#renewed.add(row)
    }
    // A list may be in a ring with its members, and is complete there first.
    const shown = pass.get(row) ?? { value: row.value, view }
    pass.set(row, shown)
    return shown.view
  }
}

import { DepthError } from '../tools/errors.js'
import type { Row } from './row.js'

/** A row's view under certain arguments, and the value that it was built from. */
export interface ScopedView {
  readonly value: unknown
  readonly view: unknown
}

/** Views of one result are built on the call stack; deeper than this they are refused. */
const DEEPEST = 500

/** Views that belong to one result, by row. */
export type ScopedViews = Map<Row, ScopedView>

/**
 * The views of one result whose rows depend on the call's arguments. They belong to the result, not to the rows, and keep their
 * identity from one build of the result to the next where nothing in them changed.
 */
export class Scope {
  readonly #kept: ScopedViews
  readonly #before: ScopedViews
  readonly #open = new Set<Row>()

  constructor(kept: ScopedViews) {
    this.#kept = kept
    this.#before = new Map(kept)
    kept.clear()
  }

  /** The view of the previous build. */
  before(row: Row): ScopedView | undefined {
    return this.#before.get(row)
  }

  /** The view of a row in this build; in a ring, where the row is being built already, the one of before. */
  view(row: Row, build: () => unknown): unknown {
    const known = this.#kept.get(row)
    if (known !== undefined) return known.view
    if (this.#open.has(row)) return this.#before.get(row)?.view
    if (this.#open.size > DEEPEST) throw new DepthError(DEEPEST)
    this.#open.add(row)
    const view = build()
    this.#open.delete(row)
    this.#kept.set(row, { value: row.value, view })
    return view
  }
}

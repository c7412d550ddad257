import { type ArgsCode, type EntityInterface, INVALID, type ListSchema, type RowRecord } from '../schema/schema.js'
import { DepthError } from '../util/errors.js'
import { freezeInDevelopment } from '../util/plain.js'
import { fillShell, isInstance, nextView, reuseInOrder, type Visit } from './entity-view.js'
import type { Node } from './graph.js'
import { isShown } from './list-view.js'
import { isThere, type ListValue, originOf, type Row, TOMBSTONE } from './row.js'

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

/** The shared views, whose result is being built. */
export interface ScopeHost {
  readonly visitHere: Visit
  dependOn(node: Node): void
  row(schema: EntityInterface | ListSchema, pk: string | RowRecord): unknown
}

/** The interface of scopes for the shared views. Schemas pass it, so that bundles without one that needs it do not contain it. */
export interface ScopeCode extends ArgsCode {
  open(views: ScopedViews, host: ScopeHost): Scope
}

const scopeCode: ScopeCode = { isArgsCode: true, open: (views, host) => new Scope(views, host) }

/**
 * What a schema sets as `usesArgs` if its `denormalize` reads the call's arguments.
 *
 * @example
 * ```ts
 * class InCurrency implements SchemaContract {
 *   readonly usesArgs = byArgs
 *   normalize(input: unknown) {
 *     return input
 *   }
 *   denormalize(amounts: unknown, { args }: DenormalizeContext) {
 *     return (amounts as Record<string, number>)[(args[0] as { currency: string }).currency]
 *   }
 * }
 * ```
 */
export const byArgs: ArgsCode = scopeCode

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
  readonly #host: ScopeHost
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

  constructor(views: ScopedViews, host: ScopeHost) {
    this.#host = host
    this.#views = views
    this.#before = new Map(views)
    views.clear()
  }

  /** The view of a row in this build. */
  view(row: Row): unknown {
    const known = this.#views.get(row)
    const open = this.#open.get(row)
    if (known === undefined && open === undefined) return this.#build(row)
    this.#outermost = Math.min(this.#outermost, known?.outermost ?? open?.depth ?? Infinity)
    if (open !== undefined) open.isRead = true
    return (known ?? open)?.view
  }

  /** Builds a row; where a ring begins, again and again as long as something in the ring was shown wrongly. */
  #build(row: Row): unknown {
    const depth = this.#depth
    if (depth === MAX_SCOPED_DEPTH) throw new DepthError(MAX_SCOPED_DEPTH)
    const outer = { outermost: this.#outermost, isWrong: this.#isWrong }
    const start = this.#built.length
    let shown: ScopedView
    do {
      this.#outermost = Infinity
      this.#isWrong = false
      shown = this.#buildOnce(row, depth)
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

  #buildOnce(row: Row, depth: number): ScopedView {
    const isRenewed = this.#renewed.has(row)
    const before = this.#before.get(row)?.view
    const shown = isRenewed
      ? row.home.info?.create(this.#current(row).value as RowRecord)
      : isShown(before)
        ? before
        : undefined
    const open: OpenRow = { view: shown, depth, isRead: false }
    let view: unknown
    try {
      this.#depth = depth + 1
      // A ring always has an entity, and what computes something from a list needs all of it.
      if (row.list === undefined) this.#open.set(row, open)
      view = this.#rejected.has(row) ? INVALID : this.#show(row, isRenewed ? shown : undefined)
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

  /** Builds the view of a row from the views of the rows below; into the shell, if there is one. */
  #show(row: Row, shell: unknown): unknown {
    const { value } = this.#current(row)
    if (value === TOMBSTONE) return INVALID
    if (!isThere(value)) return undefined
    const before = this.#before.get(row)
    const { visitHere } = this.#host
    const { list, home } = row
    if (list !== undefined) {
      const members = list.showBy((value as ListValue).members, (schema, pk) => this.#host.row(schema, pk))
      return reuseInOrder(before?.view, members)
    }
    const { info } = home
    if (info === undefined) return undefined
    const record = value as RowRecord
    if (shell === undefined && isInstance(before?.view))
      return nextView(info, record, { record: before.value, view: before.view }, visitHere)
    const instance = shell ?? info.create(record)
    return !isInstance(instance) || fillShell(instance, info, record, visitHere)
      ? freezeInDevelopment(instance)
      : INVALID
  }

  /** A row with its present value, on which the result depends. */
  #current(row: Row): Row {
    const origin = originOf(row)
    this.#host.dependOn(origin)
    row.value = origin.value
    return row
  }
}

import type { Schema } from '../schema/schema.js'
import { Node } from './graph.js'
import type { Items } from './items.js'
import type { Kind, Page, Row, RowSource, Scope, TableRow } from './row.js'

/**
 * The view of a key by one schema, which is the root of a read. Only observers depend on it. Rows whose view depends on the call's arguments
 * are shown by rows of its own.
 */
export class ResultView extends Node implements Scope {
  /** The row of the key's result; undefined for reads of the table alone. */
  readonly source: Row | undefined
  readonly schema: Schema
  readonly args: readonly unknown[]
  /** Called when the view may have changed, once until the next read; undefined for a single read. */
  readonly onDirty: ((view: ResultView) => void) | undefined
  readonly values: RowSource | undefined
  readonly isOnce: boolean
  page: Page | undefined = undefined
  isRemoved = false
  /** True if the view comes from rows that the arguments refer to, not from a response of the key. */
  inferred = false
  /** The error that a user's `process` or deserializer threw while the view was built. */
  error: Error | undefined = undefined
  /** For a plain array of entities: patched, not rebuilt, when a member changes. */
  items: Items<unknown, TableRow> | undefined = undefined
  #kinds: Map<Kind, Kind> | undefined = undefined

  /**
   * @param onDirty - undefined for a single read
   * @param values - for a single read of other values than the visible ones
   */
  constructor(
    source: Row | undefined,
    schema: Schema,
    args: readonly unknown[],
    onDirty?: (view: ResultView) => void,
    values?: RowSource,
  ) {
    super()
    this.source = source
    this.schema = schema
    this.args = args
    this.values = values
    this.onDirty = onDirty
    this.isOnce = onDirty === undefined
  }

  override markDirty(child: Node): boolean {
    this.items?.noteChange(child)
    if (!super.markDirty(child)) return false
    this.onDirty?.(this)
    return true
  }

  home<Member extends Row>(shared: Kind<Member>): Kind<Member> {
    this.#kinds ??= new Map()
    // A kind and its rows within a scope have one class of rows.
    const existing = this.#kinds.get(shared) as Kind<Member> | undefined
    if (existing !== undefined && existing.info === shared.info) return existing
    const own = shared.within(this)
    this.#kinds.set(shared, own)
    return own
  }
}

/** A node that is read: a row of the table, or a result. */
export type Viewed = TableRow | ResultView

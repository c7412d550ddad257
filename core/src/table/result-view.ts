import type { Schema } from '../schema/schema.js'
import { Node } from './graph.js'
import type { Items } from './items.js'
import type { Kind, Page, Row, RowSource, Scope, TableRow } from './row.js'

/**
 * The view of a key by one schema, the root of a read. Only observers depend on it. It has its own rows for those whose view
 * depends on the call's arguments.
 */
export class ResultView extends Node implements Scope {
  /** The row of the key's result; undefined for reads of only the table. */
  readonly source: Row | undefined
  readonly schema: Schema
  readonly args: readonly unknown[]
  /** Called when the view may have changed, at most once per read; undefined for a single read. */
  readonly onDirty: ((view: ResultView) => void) | undefined
  readonly values: RowSource | undefined
  readonly isOnce: boolean
  page: Page | undefined
  isRemoved = false
  /** True if the view is built from rows to which the arguments refer, not from a response of the key. */
  inferred = false
  /** The error that a user's `process` or deserializer threw while the view was built. */
  error: Error | undefined
  /** For a plain array of entities, which is patched, not rebuilt, when a member changes. */
  items: Items<unknown, TableRow> | undefined
  #kinds: Map<Kind, Kind> | undefined

  /**
   * @param onDirty - undefined for a single read
   * @param values - for a single read of values other than the visible ones
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
    // The rows of a scope have the class of the kind's rows.
    const existing = this.#kinds.get(shared) as Kind<Member> | undefined
    if (existing !== undefined && existing.info === shared.info) return existing
    const own = shared.within(this)
    this.#kinds.set(shared, own)
    return own
  }
}

/** A node with a view: a row of the table, or a result. */
export type Viewed = TableRow | ResultView

import type { Schema } from '../schema/schema.js'
import { Node } from './graph.js'
import type { Items } from './items.js'
import type { Row, Scope, TableRow } from './row.js'

/** The view of a key by one schema, which is the root of a read. Only observers depend on it. */
export class ResultView extends Node {
  /** The row of the key's result; undefined for reads of the table alone. */
  readonly source: Row | undefined
  readonly schema: Schema
  readonly scope: Scope
  /** Called when the view may have changed, once until the next read. */
  readonly onDirty: (view: ResultView) => void
  /** True if the view comes from rows that the arguments refer to, not from a response of the key. */
  inferred = false
  /** The error that a user's `process` or deserializer threw while the view was built. */
  error: Error | undefined = undefined
  /** For a plain array of entities: patched, not rebuilt, when a member changes. */
  items: Items<unknown, TableRow> | undefined = undefined

  constructor(source: Row | undefined, schema: Schema, scope: Scope, onDirty: (view: ResultView) => void) {
    super()
    this.source = source
    this.schema = schema
    this.scope = scope
    scope.root = this
    this.onDirty = onDirty
  }

  /** True once it will not be read again: the rows that it depends on drop it. */
  get isRemoved(): boolean {
    return this.scope.isRemoved
  }

  set isRemoved(isRemoved: boolean) {
    this.scope.isRemoved = isRemoved
  }

  override markDirty(child: Node): boolean {
    this.items?.noteChange(child)
    if (!super.markDirty(child)) return false
    this.onDirty(this)
    return true
  }
}

/** A node that is read: a row of the table, or a result. */
export type Viewed = TableRow | ResultView

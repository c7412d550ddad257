import type { Schema } from '../schema/schema.js'
import { ListView } from './list-view.js'
import { Node } from './node.js'
import type { Row } from './row.js'
import type { ScopedViews } from './scope.js'

/** The view of a key by one schema, which is the root of a read. Only observers depend on it. */
export class ResultView extends Node {
  /** The row of the key's result; undefined for reads of the table alone. */
  readonly source: Row | undefined
  readonly schema: Schema
  readonly args: readonly unknown[]
  /** Called when the view may have changed, once until the next read. */
  readonly onSoil: (view: ResultView) => void
  /** True if the view comes from rows that the arguments refer to, not from a response of the key. */
  inferred = false
  /** The error that a user's `process` or deserializer threw while the view was built. */
  error: Error | undefined = undefined
  /** True once it will not be read again: the rows that it depends on drop it. */
  isGone = false
  /** For a plain array of entities: patched, not rebuilt, when a member changes. */
  readonly list: ListView = new ListView()
  children: readonly (Node | null)[] = []
  /** The result from which `children` was made. */
  built: unknown = undefined
  /** Views of rows that depend on the arguments: this view's own, not the rows'. */
  readonly scoped: ScopedViews = new Map()

  constructor(source: Row | undefined, schema: Schema, args: readonly unknown[], onSoil: (view: ResultView) => void) {
    super()
    this.source = source
    this.schema = schema
    this.args = args
    this.onSoil = onSoil
  }

  override soil(child: Node): boolean {
    this.list.soil(child)
    if (!super.soil(child)) return false
    this.onSoil(this)
    return true
  }
}

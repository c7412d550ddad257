import type { Schema } from '../schema/schema.js'
import { ListView } from './list-view.js'
import { Node } from './node.js'
import type { Row } from './row.js'
import type { ScopedViews } from './scope.js'

/** What a key shows by one schema: the root of a read. Nothing stands on it but those who watch. */
export class ResultView extends Node {
  /** Where the key's result is kept; undefined for reads of the table alone. */
  readonly source: Row | undefined
  readonly schema: Schema
  readonly args: readonly unknown[]
  /** Hears, once until the next read, that what is shown may have changed. */
  readonly onSoil: (view: ResultView) => void
  /** True if no answer of the key's own is shown, but what its arguments name in the table. */
  inferred = false
  /** What a user's `process` or deserializer threw while the view was built. */
  error: Error | undefined = undefined
  /** True once nobody will look at it again: the rows that it stands on forget it. */
  isGone = false
  /** For a plain array of entities: patched, not rebuilt, when a member changes. */
  readonly list: ListView = new ListView()
  children: readonly (Node | null)[] = []
  /** The result that `children` was made from. */
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

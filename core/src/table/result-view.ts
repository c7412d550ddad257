import { isArraySchema, isEntity, type Schema } from '../schema/schema.js'
import type { EntityInfos } from './entity-infos.js'
import { Node } from './graph.js'
import { ListView } from './list-view.js'
import type { Row } from './row.js'
import type { ScopedViews } from './scope.js'

/** The view of a key by one schema, which is the root of a read. Only observers depend on it. */
export class ResultView extends Node {
  /** The row of the key's result; undefined for reads of the table alone. */
  readonly source: Row | undefined
  readonly schema: Schema
  readonly args: readonly unknown[]
  /** Called when the view may have changed, once until the next read. */
  readonly onDirty: (view: ResultView) => void
  /** True if the view comes from rows that the arguments refer to, not from a response of the key. */
  inferred = false
  /** The error that a user's `process` or deserializer threw while the view was built. */
  error: Error | undefined = undefined
  /** True once it will not be read again: the rows that it depends on drop it. */
  isRemoved = false
  /** For a plain array of entities: patched, not rebuilt, when a member changes. */
  readonly list: ListView = new ListView()
  /** The result that `list` was made of. */
  built: unknown = undefined
  /** Views of rows that depend on the arguments: this view's own, not the rows'. */
  readonly scoped: ScopedViews = new Map()

  constructor(source: Row | undefined, schema: Schema, args: readonly unknown[], onDirty: (view: ResultView) => void) {
    super()
    this.source = source
    this.schema = schema
    this.args = args
    this.onDirty = onDirty
  }

  override markDirty(child: Node): boolean {
    this.list.noteChange(child)
    if (!super.markDirty(child)) return false
    this.onDirty(this)
    return true
  }

  /** The rows to read again if the result is a plain array of entities: those that changed, or all; undefined for other results. */
  toSee(value: unknown, infos: EntityInfos): readonly (Node | null)[] | undefined {
    const entity = isArraySchema(this.schema) ? this.schema[0] : undefined
    if (!Array.isArray(value) || !isEntity(entity)) return undefined
    const { info, shown } = infos.of(entity)
    if (info.usesArgs !== undefined) return undefined
    if (this.built !== value) {
      const members = value.filter((pk) => pk !== undefined)
      this.list.replace(members.map((pk) => (typeof pk === 'string' ? shown.row(pk) : null)))
      this.built = value
    }
    return this.list.toSee
  }
}

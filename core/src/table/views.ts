import {
  type EntityInterface,
  INVALID,
  isEntity,
  isListSchema,
  isSchemaObject,
  type ListSchema,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { seal } from '../tools/plain.js'
import { entityView, fillShell, holds, reuse } from './entity-view.js'
import { memberNodes, pkOfRef, type RowOf, showList, showMembers } from './list-members.js'
import { ListRow } from './list-row.js'
import { addDependent, type Node } from './node.js'
import type { Plans } from './plans.js'
import { isArraySchema, Reader } from './reader.js'
import { ResultView } from './result-view.js'
import { isThere, type ListValue, Row, TOMBSTONE } from './row.js'
import { Scope, type ScopedViews } from './scope.js'
import type { Table } from './table.js'
import { walkDirty } from './walk.js'

/**
 * The shared views: one instance for each row, built when first read, rebuilt when read after something it stands on changed.
 * Every row that a view read, found or not, is noted as what it stands on.
 */
export class Views extends Reader {
  readonly #table: Table
  readonly #plans: Plans
  /** The node whose view is being built. */
  #building: Node | undefined = undefined
  /** Dirty nodes right below the one that the walk is at. */
  #found: Node[] = []
  /** The arguments in force, and the views that depend on them. */
  #scope: Scope | undefined = undefined

  constructor(table: Table, plans: Plans) {
    super()
    this.#table = table
    this.#plans = plans
  }

  /** What a node shows now. Costs nothing if nothing below it changed. */
  read(node: Node): unknown {
    if (node.dirty && node.frame === undefined) walkDirty(node, this)
    return node.view
  }

  /**
   * What a schema shows for a result, or else for the arguments alone, without remembering that somebody asked. What is missing or
   * deleted is undefined.
   */
  show(schema: Schema, args: readonly unknown[], result?: unknown): unknown {
    return this.#asked(undefined, new Map(), args, () => {
      const value = result === undefined ? this.lookup(schema, args) : result
      const view = value === undefined ? undefined : this.visit(schema, value)
      return view === INVALID ? undefined : seal(view)
    })
  }

  /** What the table would keep for these arguments, without remembering that somebody asked. */
  lookupQuietly(schema: Schema, args: readonly unknown[]): unknown {
    return this.#asked(undefined, new Map(), args, () => this.lookup(schema, args))
  }

  /** Builds something with a call's arguments in force. */
  #asked<Shown>(node: Node | undefined, scoped: ScopedViews, args: readonly unknown[], build: () => Shown): Shown {
    const outer = { building: this.#building, scope: this.#scope, args: this.args }
    this.#building = node
    this.#scope = new Scope(scoped)
    this.args = args
    try {
      return build()
    } finally {
      this.#building = outer.building
      this.#scope = outer.scope
      this.args = outer.args
    }
  }

  // — what schemas see —

  override row(schema: EntityInterface | ListSchema, pk: string): unknown {
    const row = this.#rowOf(schema, pk)
    this.#note(row)
    if (this.#scope === undefined || !this.#plans.usesArgs(schema)) return this.read(row)
    return this.#scope.view(row, () => this.#showScoped(row))
  }

  override record(kind: string, pk: string): RowRecord | undefined {
    const row = this.#table.kind(kind).row(pk)
    this.#note(row)
    return isThere(row.value) ? (row.value as RowRecord) : undefined
  }

  override all(kind: string): readonly string[] {
    const rows = this.#table.kind(kind)
    this.#note(rows.everyone)
    return rows.keys()
  }

  override has(schema: EntityInterface | ListSchema, pk: string): boolean {
    const row = this.#rowOf(schema, pk)
    this.#note(row)
    return row.value !== undefined
  }

  override byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined {
    const found = this.#plans.of(entity).kind.indexes?.find(field, value)
    if (found !== undefined) this.#note(found.node)
    return found?.pk
  }

  override hasKind(kind: string): boolean {
    return this.all(kind).length > 0
  }

  #note(node: Node): void {
    if (this.#building !== undefined) addDependent(node, this.#building)
  }

  readonly #rowOf: RowOf & ((schema: EntityInterface | ListSchema, pk: string) => Row) = (schema, pk) =>
    isListSchema(schema) ? this.#table.listKind(schema).row(pk) : this.#plans.of(schema as EntityInterface).kind.row(pk)

  // — the rows that a node leads to —

  /** The dirty nodes right below one; rows that lead nowhere are built on the spot. */
  dirtyBelow(node: Node): readonly Node[] {
    const found: Node[] = []
    this.#found = found
    if (node instanceof ListRow) this.#meetMembers(node)
    else if (node instanceof Row) this.#meetRelations(node)
    else if (node instanceof ResultView) this.#meet(node.schema, node.source?.value)
    return found
  }

  #meetMembers(list: ListRow): void {
    for (const child of this.#membersToSee(list)) if (child !== null) this.#meetNode(child)
  }

  /** Only the members that changed, where the list itself did not. */
  #membersToSee(list: ListRow): readonly (Node | null)[] {
    const { value } = list
    if (!isThere(value) || list.home.list === undefined) return []
    if (list.built === value) return list.list.changed ?? list.children
    list.children = memberNodes(list.home.list, (value as ListValue).members, this.#rowOf)
    return list.children
  }

  #meetRelations(row: Row): void {
    const { plan } = row.home
    if (plan === undefined || !plan.hasLinks || !isThere(row.value)) return
    const record = row.value as RowRecord
    for (const { field, schema, isLeaf } of plan.relations) if (!isLeaf) this.#meet(schema, record[field])
  }

  readonly #meet = (schema: Schema, value: unknown): void => {
    if (value === undefined || value === null || schema === null) return
    if (isEntity(schema) || isListSchema(schema)) {
      if (typeof value === 'string') this.#meetNode(this.#rowOf(schema, value))
    } else if (typeof schema !== 'object') return
    else if (isSchemaObject(schema)) schema.refs?.(value, this.#meet)
    else if (isArraySchema(schema)) {
      if (Array.isArray(value)) for (const item of value) this.#meet(schema[0], item)
    } else if (typeof value === 'object') {
      const record = value as Record<string, unknown>
      for (const field of Object.keys(schema)) this.#meet(schema[field], record[field])
    }
  }

  #meetNode(node: Node): void {
    if (!node.dirty || !(node instanceof Row)) return
    if (node instanceof ListRow) {
      if (node.home.list !== undefined && this.#plans.usesArgs(node.home.list)) return
    } else if (node.frame === undefined) {
      const { plan } = node.home
      if (plan?.usesArgs) return
      if (plan === undefined || !plan.hasLinks || !isThere(node.value)) return this.build(node)
    }
    this.#found.push(node)
  }

  // — building —

  /** Builds the view of a node whose rows below are built. */
  build(node: Node): void {
    const outer = this.#building
    this.#building = node
    try {
      if (node instanceof ListRow) this.#buildList(node)
      else if (node instanceof Row) this.#buildRow(node)
      else if (node instanceof ResultView) this.#buildResult(node)
    } finally {
      this.#building = outer
    }
    node.dirty = false
  }

  /** Shows a schema's value for the node that is being built. */
  readonly #show = (schema: Schema, value: unknown): unknown => this.visit(schema, value)

  #buildRow(row: Row): void {
    const { value } = row
    const { plan } = row.home
    if (plan === undefined || !isThere(value)) row.view = value === TOMBSTONE ? INVALID : undefined
    else row.view = entityView(plan, value as RowRecord, { record: row.built, view: row.view }, this.#show)
    row.built = value
  }

  #buildList(list: ListRow): void {
    const { value } = list
    const toSee = this.#membersToSee(list)
    for (const child of toSee) if (child !== null) addDependent(child, list)
    list.view = isThere(value) ? seal(showList(list, value as ListValue, list.children)) : undefined
    list.built = value
  }

  #buildResult(result: ResultView): void {
    this.#asked(result, result.scoped, result.args, () => {
      try {
        result.error = undefined
        result.view = this.#showResult(result)
      } catch (error) {
        result.error = error instanceof Error ? error : new Error(String(error))
      }
    })
  }

  #showResult(result: ResultView): unknown {
    if (result.source !== undefined) this.#note(result.source)
    let value = result.source?.value
    result.inferred = value === undefined
    if (value === undefined) value = this.lookup(result.schema, result.args)
    if (value === undefined) return undefined
    return seal(this.#showPatched(result, value) ?? reuse(result.view, this.visit(result.schema, value)))
  }

  /** A plain array of entities is patched as a list is. */
  #showPatched(result: ResultView, value: unknown): unknown {
    const { schema } = result
    if (!isArraySchema(schema as Schema) || !Array.isArray(value)) return undefined
    // Narrowed just above: a literal array schema has one element.
    const entity = (schema as readonly Schema[])[0]
    if (!isEntity(entity) || this.#plans.usesArgs(entity)) return undefined
    const fresh = result.built !== value
    if (fresh) result.children = value.map((pk) => (typeof pk === 'string' ? this.#rowOf(entity, pk) : null))
    const toSee = fresh ? result.children : (result.list.changed ?? result.children)
    for (const child of toSee) {
      if (child === null) continue
      this.#note(child)
      this.read(child)
    }
    result.built = value
    return result.list.update(result.children)
  }

  #showScoped(row: Row): unknown {
    const { value, home } = row
    if (value === TOMBSTONE) return INVALID
    if (!isThere(value)) return undefined
    if (row instanceof ListRow) return this.#showScopedList(row, value as ListValue)
    const before = this.#scope?.before(row)
    return (
      home.plan && entityView(home.plan, value as RowRecord, { record: before?.value, view: before?.view }, this.#show)
    )
  }

  #showScopedList(list: ListRow, value: ListValue): unknown {
    const schema = list.home.list
    if (schema === undefined) return undefined
    const children: { view: unknown }[] = []
    for (const ref of value.members.values()) {
      const entity = schema.entityOf(ref)
      children.push({ view: entity === undefined ? null : this.row(entity, pkOfRef(ref)) })
    }
    return reuse(this.#scope?.before(list)?.view, showMembers(value.members, children))
  }

  /** Builds nodes that stand on each other in a ring: they keep their views together or get new ones together. */
  buildRing(ring: readonly Node[]): void {
    // Only rows can be in a ring: nothing stands on a result.
    const rows = ring.filter((node) => node instanceof Row)
    if (!rows.every((row) => this.#holds(row))) this.#replaceRing(rows)
    for (const row of rows) {
      row.built = row.value
      row.dirty = false
    }
  }

  /** True if a row's view would be the same again, given that the rest of its ring stays. */
  #holds(row: Row): boolean {
    const outer = this.#building
    this.#building = row
    try {
      if (row.view === undefined || row.view === INVALID) return false
      if (row instanceof ListRow) {
        if (row.built !== row.value) return false
        for (const child of row.children) if (child !== null) addDependent(child, row)
        return row.list.holds(row.children)
      }
      const { plan } = row.home
      return (
        plan !== undefined && holds(plan, row.value as RowRecord, { record: row.built, view: row.view }, this.#show)
      )
    } finally {
      this.#building = outer
    }
  }

  /** New views for a whole ring: first all are created, then lists are made of them, then relations are filled in. */
  #replaceRing(rows: readonly Row[]): void {
    const entities = rows.filter((row) => !(row instanceof ListRow))
    for (const row of entities) row.view = row.home.plan?.create(row.value as RowRecord)
    for (let settled = false; !settled; ) {
      settled = true
      for (const row of rows) if (row instanceof ListRow) this.build(row)
      for (const row of entities) {
        if (row.view === INVALID || this.#fill(row)) continue
        // One that lacks what it requires is not there for the others either.
        row.view = INVALID
        settled = false
      }
    }
    for (const row of entities) seal(row.view)
  }

  #fill(row: Row): boolean {
    const outer = this.#building
    this.#building = row
    try {
      const { plan } = row.home
      return plan !== undefined && fillShell(row.view as object, plan, row.value as RowRecord, this.#show)
    } finally {
      this.#building = outer
    }
  }
}

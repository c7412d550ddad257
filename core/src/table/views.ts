import { deserializer } from '../schema/deserializer.js'
import {
  type DenormalizeContext,
  type EntityInterface,
  INVALID,
  isArraySchema,
  isEntity,
  isRowSchema,
  isSchemaObject,
  type LookupContext,
  type RowRecord,
  type RowSchema,
  type Schema,
} from '../schema/schema.js'
import { sameItems } from '../util/equal.js'
import type { Relation } from './entity-info.js'
import type { EntityInfos } from './entity-infos.js'
import { errorOf, Failure, failureOf, viewOrThrow } from './failure.js'
import { freezeShown } from './freeze-shown.js'
import { addDependent, type Node, walkDirty } from './graph.js'
import { indexText } from './indexes.js'
import { Items } from './items.js'
import { eachRelation, eachRow, homeOf, isEmbedded, type Reach, rowAt } from './refs.js'
import { ResultView, type Viewed } from './result-view.js'
import { reuse } from './reuse.js'
import { buildRing, type RingViews } from './ring.js'
import { type Kind, type ListItem, originOf, type Page, Row, type RowSource, type Scope, type TableRow } from './row.js'
import { fill, isInstance, nextView } from './row-view.js'
import type { Table } from './table.js'
import { isThere } from './value.js'

type Fields = Record<string, unknown>
const NO_ARGS: readonly unknown[] = Object.freeze([])

/**
 * The views of rows: one instance per row, built on the first read, and rebuilt by the next read after one of its
 * dependencies has changed. A view depends on every row that it read, even if the row was missing.
 */
export class Views implements DenormalizeContext, LookupContext {
  readonly infos: EntityInfos
  readonly #table: Table
  /** The node whose view is being built, and its scope, which has the current arguments. */
  #by: Viewed | undefined
  #scope: Scope | undefined
  /** The last value passed to `stable`: a frozen one that keeps its identity while nothing in it changes. */
  #stable: unknown
  /** Marked rows that have not been refetched since, and on which views newly depend. */
  readonly marked: Set<Row> = new Set()

  constructor(table: Table, infos: EntityInfos) {
    this.#table = table
    this.infos = infos
  }

  /** Returns the current view of a node. A clean node costs nothing. */
  read(node: Viewed): unknown {
    if (node.dirty === true) walkDirty(node, this)
    return node.view
  }

  /**
   * Returns the value of a schema for a result, or else for the arguments alone, without registering dependencies; undefined
   * if it is missing or deleted.
   *
   * @param page - members to show instead of all members of their lists
   * @param source - values of rows other than the visible ones
   */
  show(schema: Schema, args: readonly unknown[], result?: unknown, page?: Page, source?: RowSource): unknown {
    const build = (): unknown => {
      const value = result === undefined ? this.lookup(schema, args) : result
      const view = value === undefined ? undefined : this.visit(schema, value)
      return view === INVALID ? undefined : freezeShown(schema, view)
    }
    try {
      return this.#once(args, source, build, page)
    } catch (thrown) {
      throw errorOf(thrown)
    }
  }

  /** Returns the stored value for these arguments, without registering dependencies. */
  lookupQuietly(schema: Schema, args: readonly unknown[], source?: RowSource): unknown {
    return this.#once(args, source, () => this.lookup(schema, args))
  }

  #once<Shown>(args: readonly unknown[], source: RowSource | undefined, build: () => Shown, page?: Page): Shown {
    const read = new ResultView(undefined, undefined, args, undefined, source)
    read.page = page
    return this.#during(read, build)
  }

  #during<Shown>(node: Viewed, build: () => Shown): Shown {
    const outer = this.#by
    this.#enter(node)
    try {
      return build()
    } finally {
      this.#enter(outer)
    }
  }

  #enter(node: Viewed | undefined): void {
    this.#by = node
    this.#scope = node instanceof Row ? node.home.scope : node
  }

  // — what schemas see —

  get args(): readonly unknown[] {
    return this.#scope?.args ?? NO_ARGS
  }

  get view(): Viewed | undefined {
    return this.#scope?.isOnce ? undefined : this.#by
  }

  /** True for a read of values other than the visible ones. */
  get isElsewhere(): boolean {
    return this.#scope?.values !== undefined
  }

  /** Returns the value of a schema: undefined if it is missing, INVALID if it is deleted. */
  visit(schema: Schema, value: unknown): unknown {
    if (value === undefined || value === null) return value
    if (isEntity(schema)) {
      if (typeof value !== 'object') return this.row(schema, String(value))
      return isEmbedded(value) ? this.row(schema, value) : undefined
    }
    if (typeof schema === 'function') return deserializer(schema)(value)
    if (typeof schema !== 'object' || schema === null) return value
    if (isSchemaObject(schema)) return schema.denormalize(value, this)
    if (isArraySchema(schema))
      return Array.isArray(value) ? this.#each(value, (item) => this.visit(schema[0], item)) : value
    return this.#object(schema, value)
  }

  #each(items: readonly unknown[], show: (item: unknown) => unknown): unknown[] {
    const shown: unknown[] = []
    for (const item of items) {
      const view = show(item)
      if (view !== undefined && view !== INVALID) shown.push(view)
    }
    return shown
  }

  #object(schema: { readonly [field: string]: Schema }, value: unknown): unknown {
    if (typeof value !== 'object') return value
    const shown: Fields = { ...(value as Fields) }
    for (const field of Object.keys(schema)) {
      if (!Object.hasOwn(shown, field)) continue
      const view = this.visit(schema[field], shown[field])
      if (view === INVALID) return INVALID
      shown[field] = view
    }
    return shown
  }

  /** Returns the stored value for these arguments, if the schema can find it without a request. */
  lookup(schema: Schema, args: readonly unknown[]): unknown {
    if (isEntity(schema)) return schema.queryKey(args, this)
    if (isSchemaObject(schema)) return schema.queryKey?.(args, this)
    if (typeof schema !== 'object' || schema === null || isArraySchema(schema)) return undefined
    // An object is found if all of its schemas that can be looked up are found.
    const found: Fields = {}
    for (const [field, inner] of Object.entries(schema)) {
      if (Object(inner) !== inner) continue
      found[field] = this.lookup(inner, args)
      if (found[field] === undefined) return undefined
    }
    return Object.keys(found).length > 0 ? found : undefined
  }

  row(schema: RowSchema, pk: string | RowRecord): unknown {
    const row = this.#rowOf(schema, pk)
    // Only a single read has a page; shared views show all of a list.
    const page = row.list === undefined ? undefined : this.#scope?.page?.get(originOf(row.list))
    return page === undefined ? this.#see(row) : row.list?.showBy(page, (entity, key) => this.row(entity, key))
  }

  record(kind: string, pk: string): RowRecord | undefined {
    const value = this.#valueOf(this.#table.kind(kind).row(pk))
    return isThere(value) ? value : undefined
  }

  all(kind: string): readonly string[] {
    const rows = this.#search(this.#table.kind(kind))
    if (!this.isElsewhere) return rows.keys()
    return [...rows.rows.values()].filter((row) => rows.isAlive(row) && isThere(this.#valueOf(row))).map(({ pk }) => pk)
  }

  has(schema: RowSchema, pk: string): boolean {
    return this.#valueOf(originOf(this.infos.shown(schema, pk))) !== undefined
  }

  byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined {
    const { kind } = this.infos.of(entity)
    if (this.isElsewhere) {
      const isWanted = (pk: string): boolean => indexText(this.record(entity.key, pk)?.[field]) === indexText(value)
      return indexText(value) && this.all(entity.key).find(isWanted)
    }
    const found = kind.find(field, value)
    if (found !== undefined) this.dependOn(found.node)
    return found?.pk
  }

  hasKind(kind: string): boolean {
    const rows = this.#search(this.#table.kind(kind))
    return this.isElsewhere ? this.all(kind).length > 0 : rows.wasThere
  }

  /** Makes the view that is being built depend on a node. */
  dependOn(node: Node): void {
    if (this.#by === undefined || this.#scope?.isOnce === true) return
    addDependent(node, this.#by)
    // A marked row is out of date until it is refetched. The check is inlined, since a call per row would slow down first
    // lists.
    const isOld =
      node instanceof Row && node.marks && Math.max(node.marks.stale, node.marks.invalid) > (node.read?.start ?? 0)
    if (isOld) this.marked.add(node)
  }

  stable<View>(view: View): View {
    this.#stable = view
    return view
  }

  #search<K extends Kind>(kind: K): K {
    this.#scope?.values?.onKind?.(kind)
    this.dependOn(kind.everyone)
    return kind
  }

  #valueOf<R extends Row>(row: R): R['value'] {
    const values = this.#scope?.values
    this.dependOn(row)
    values?.onRead?.(row)
    return values === undefined ? row.value : values.valueOf(row)
  }

  // — the rows that a node leads to —

  readonly #homeIn = <Member extends Row>(home: Kind<Member>): Kind<Member> => {
    const scope = this.#scope
    if (scope === undefined) return home
    return home.usesArgs === undefined && scope.values === undefined ? home : scope.home(home)
  }

  readonly #rowOf = (schema: RowSchema, pk: string | RowRecord): TableRow =>
    this.infos.rowIn(this.#homeIn(this.infos.homeFor(schema)), schema, pk)

  readonly #reach: Reach = { rowOf: this.#rowOf, homeIn: this.#homeIn, keysOf: (kind) => this.#table.keysOf(kind) }
  /** For results, which cannot be in a ring, so schemas of all rows need not lead to each of them. */
  readonly #reachOfResult: Reach = { rowOf: this.#rowOf, homeIn: this.#homeIn }

  /** Copies the value of the row that this one shows, and makes this one depend on it. */
  #follow(row: TableRow): void {
    if (row.home.origin === undefined || row.pk === '') return
    const origin = originOf(row)
    row.value = this.#during(row, () => this.#valueOf(origin))
  }

  /** Returns the dirty nodes directly below a node. Builds rows without relations at once. */
  dirtyBelow(node: Viewed): readonly Viewed[] {
    const found: Viewed[] = []
    let shallow: Kind | undefined
    const meet = (below: ListItem): void => {
      if (!(below instanceof Row) || !below.dirty || this.#buildFlat(below)) return
      // Most rows refer only to rows without relations, so they are built here, too.
      if (below.home !== shallow && below.dirty === true && this.#isShallow(below.home)) shallow = below.home
      if (below.home !== shallow || below.dirty !== true) found.push(below)
      else {
        const scope = this.#scope
        this.#by = below
        this.#scope = undefined
        this.#buildRow(below)
        this.#by = node
        this.#scope = scope
      }
    }
    const outer = this.#by
    this.#enter(node)
    try {
      if (node instanceof Row) {
        this.#follow(node)
        if (node.list !== undefined) for (const below of node.list.toSee(this.#rowOf)) meet(below)
        else eachRelation(node, this.#reach, meet, node.value)
      } else {
        const items = this.#itemsOf(node, node.source?.value)
        if (items === undefined) eachRow(node.schema, node.source?.value, this.#reachOfResult, meet)
        else for (const below of items) meet(below)
      }
    } finally {
      this.#enter(outer)
    }
    return found
  }

  /** True if all relations of a kind refer to rows without relations. */
  #isShallow({ info, list, scope }: Kind): boolean {
    if (list !== undefined || scope !== undefined || info === undefined) return false
    return info.relations.every((relation) => relation.isLeaf || this.infos.homeOf(relation)?.info?.isLink.size === 0)
  }

  /** Builds a row without relations, which has no dependencies. Returns false for other rows. */
  #buildFlat(row: TableRow): boolean {
    const { info, list } = row.home
    if (list !== undefined || row.dirty !== true) return false
    this.#follow(row)
    if (info?.isLink.size && isThere(row.value)) return false
    this.#buildRow(row)
    return true
  }

  /** If a result is a plain array of entities, returns the rows to read again: the changed ones, or all. */
  #itemsOf(result: ResultView, value: unknown): readonly (TableRow | null)[] | undefined {
    const { schema } = result
    const entity = isArraySchema(schema) ? schema[0] : undefined
    if (!Array.isArray(value) || !isEntity(entity)) return undefined
    let home: Kind<TableRow> | undefined
    const nodeOf = (pk: unknown): TableRow | null => {
      if (typeof pk !== 'string') return null
      home ??= this.#homeIn(this.infos.homeFor(entity))
      return home.row(pk)
    }
    result.items ??= new Items(result)
    return result.items.see(value, nodeOf, this.#table.life.alive)
  }

  // — building —

  /** Builds the view of a node whose rows below are built. */
  build(node: Viewed): void {
    const outer = this.#by
    this.#enter(node)
    if (node instanceof Row) this.#buildRow(node)
    else {
      try {
        node.error = undefined
        node.view = this.#showResult(node)
      } catch (error) {
        node.error = errorOf(error)
      }
    }
    this.#enter(outer)
    node.dirty = false
  }

  #buildRow(row: TableRow): void {
    try {
      row.view = row.list === undefined ? nextView(row, this.#relation) : this.#next(row)
    } catch (thrown) {
      row.view = failureOf(row, thrown)
    }
    const { view, value, home } = row
    // An instance with exactly the fields of its record, in the same order, replaces the record, which halves the memory of
    // flat rows.
    if (
      home.info?.isRecord === true &&
      home.origin === undefined &&
      isThere(value) &&
      isInstance(view) &&
      sameItems(Object.keys(view), Object.keys(value))
    )
      row.value = view
    row.built = row.value
    row.dirty = false
  }

  readonly #see = (row: TableRow): unknown => {
    this.dependOn(row)
    const view = row.dirty === true && !this.#buildFlat(row) ? this.read(row) : row.view
    return view instanceof Failure ? viewOrThrow(view) : view
  }

  #next(row: TableRow): unknown {
    const { list } = row
    if (list === undefined) return nextView(row, this.#relation)
    for (const child of list.toSee(this.#rowOf)) if (child !== null) this.dependOn(child)
    return list.show()
  }

  readonly #relation = (relation: Relation, stored: unknown): unknown => {
    const shared = homeOf(relation) ?? this.infos.homeOf(relation)
    if (shared === undefined) return this.visit(relation.schema, stored)
    if (stored === undefined || stored === null) return stored
    const home = this.#homeIn(shared)
    if (!relation.isMany) return this.#shownAt(home, stored)
    return Array.isArray(stored) ? this.#shownAll(home, stored) : stored
  }

  #shownAt(home: Kind<TableRow>, key: unknown): unknown {
    if (key === undefined || key === null) return key
    const row = rowAt(home, key)
    return row && this.#see(row)
  }

  /** A separate method, since a closure slows its caller down even if it is not used. */
  #shownAll(home: Kind<TableRow>, keys: readonly unknown[]): unknown {
    return this.#each(keys, (key) => this.#shownAt(home, key))
  }

  #showResult(result: ResultView): unknown {
    const { source, schema, args } = result
    if (source !== undefined) this.dependOn(source)
    let value = source?.value
    result.inferred = value === undefined
    if (value === undefined) value = this.lookup(schema, args)
    if (value === undefined) return undefined
    const items = this.#itemsOf(result, value)
    if (items !== undefined) {
      for (const child of items) {
        if (child === null) continue
        this.dependOn(child)
        if (child.dirty) this.read(child)
      }
      return result.items?.update()
    }
    const shown = this.visit(schema, value)
    if (
      result.inferred &&
      isRowSchema(schema) &&
      typeof value === 'string' &&
      this.#rowOf(schema, value).list?.lacksMembers()
    )
      return undefined
    // The view of a row already keeps its identity.
    return isRowSchema(schema) || shown === this.#stable ? shown : freezeShown(schema, reuse(result.view, shown))
  }

  // — rings —

  buildRing(ring: readonly Viewed[]): void {
    buildRing(ring, this.#inRing)
  }

  readonly #inRing: RingViews = {
    next: (row) => this.#during(row, () => this.#next(row)),
    fill: (row, instance, info) =>
      this.#during(row, () => isThere(row.value) && fill(instance, info, row.value, this.#relation)),
    dependAgain: (row) =>
      this.#during(row, () => eachRelation(row, this.#reach, (below) => this.dependOn(below), row.value)),
  }
}

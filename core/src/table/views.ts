import {
  type EntityInterface,
  INVALID,
  isEntity,
  isListSchema,
  type ListMembers,
  type ListSchema,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { freezeInDevelopment } from '../util/plain.js'
import { breakRow, errorOf } from './broken.js'
import type { EntityInfos } from './entity-infos.js'
import { entityView, fillShell, firstView, reuse, reuseInOrder, showKeys, type Visit } from './entity-view.js'
import { freezeShown } from './freeze-shown.js'
import { addDependent, type Node, walkDirty } from './graph.js'
import { isShown } from './list-view.js'
import { Reader } from './reader.js'
import { eachRelation, eachRow, type Reach } from './refs.js'
import { ResultView } from './result-view.js'
import { buildRing } from './ring.js'
import { BROKEN, failureOf, isThere, type ListNode, type ListValue, originOf, Row, TOMBSTONE } from './row.js'
import { Scope, type ScopeBuilder, type ScopedViews } from './scope.js'
import type { Table } from './table.js'

/** The members of lists of which only a part is shown. */
export type Page = ReadonlyMap<Row, ListMembers>

/**
 * The shared views: one instance for each row, built on the first read, and rebuilt when it is read after one of its dependencies
 * has changed. A view depends on every row that it read, whether it was found or not.
 */
export class Views extends Reader {
  readonly #table: Table
  readonly infos: EntityInfos
  readonly #reach: Reach
  /** The node whose view is being built. */
  reader: Node | undefined = undefined
  /** A value that keeps its identity as long as nothing in it changes, and is frozen. */
  #stable: unknown = undefined
  /** Dirty nodes directly below the current node of the walk. */
  #found: Node[] = []
  /** True if the row whose relations are visited leads to a dirty row that cannot be built at once. */
  #leadsOn = false
  /** Members to show instead of all members of their lists. */
  #page: Page | undefined = undefined
  /** Where views that depend on the arguments in force are stored; undefined while no arguments are. */
  #scoped: ScopedViews | undefined = undefined
  /** The same views while they are built, made when the first is. */
  #scope: Scope | undefined = undefined

  constructor(table: Table, infos: EntityInfos) {
    super()
    this.#table = table
    this.infos = infos
    this.#reach = { rowOf: infos.shown, keysOf: (kind) => table.kind(kind).keys() }
  }

  /** Returns the current view of a node. A clean node costs nothing. */
  read(node: Node): unknown {
    if (node.dirty === true) walkDirty(node, this)
    return node.view
  }

  /** A row that shows the value of another one takes it over, and depends on it. */
  #follow(row: Row): void {
    if (row.home.origin === undefined) return
    const origin = originOf(row)
    addDependent(origin, row)
    row.value = origin.value
  }

  /**
   * Returns the value of a schema for a result, or else for the arguments alone, without registering dependencies; undefined if it
   * is missing or deleted.
   *
   * @param page - members to show instead of all members of their lists
   */
  show(schema: Schema, args: readonly unknown[], result?: unknown, page?: Page): unknown {
    const outer = this.#page
    this.#page = page
    try {
      return this.#asked(undefined, new Map(), args, () => {
        const value = result === undefined ? this.lookup(schema, args) : result
        const view = value === undefined ? undefined : this.visit(schema, value)
        return view === INVALID ? undefined : freezeShown(schema, view)
      })
    } catch (thrown) {
      throw errorOf(thrown)
    } finally {
      this.#page = outer
    }
  }

  /** Returns the stored value for these arguments, without registering dependencies. */
  lookupQuietly(schema: Schema, args: readonly unknown[]): unknown {
    return this.#asked(undefined, new Map(), args, () => this.lookup(schema, args))
  }

  /** Runs a build with a call's arguments. */
  #asked<Shown>(node: Node | undefined, scoped: ScopedViews, args: readonly unknown[], build: () => Shown): Shown {
    const outer = { building: this.reader, scoped: this.#scoped, scope: this.#scope, args: this.args }
    this.reader = node
    this.#scoped = scoped
    this.#scope = undefined
    this.args = args
    try {
      return build()
    } finally {
      this.reader = outer.building
      this.#scoped = outer.scoped
      this.#scope = outer.scope
      this.args = outer.args
    }
  }

  // — what schemas see —

  override row(schema: EntityInterface | ListSchema, pk: string | RowRecord): unknown {
    const row = this.infos.shown(schema, pk)
    // What is shared never shows a part of a list.
    const page = this.reader === undefined ? this.#page?.get(originOf(row)) : undefined
    if (page !== undefined && row.list !== undefined) return this.#showMembers(row.list, page)
    return this.#see(row, this.infos.usesArgs(schema))
  }

  override record(kind: string, pk: string): RowRecord | undefined {
    const row = this.#table.kind(kind).row(pk)
    this.dependOn(row)
    return isThere(row.value) ? row.value : undefined
  }

  override all(kind: string): readonly string[] {
    const rows = this.#table.kind(kind)
    this.dependOn(rows.everyone)
    return rows.keys()
  }

  override has(schema: EntityInterface | ListSchema, pk: string): boolean {
    const row = originOf(this.infos.shown(schema, pk))
    this.dependOn(row)
    return row.value !== undefined
  }

  override byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined {
    const found = this.infos.of(entity).kind.find(field, value)
    if (found !== undefined) this.dependOn(found.node)
    return found?.pk
  }

  override hasKind(kind: string): boolean {
    const rows = this.#table.kind(kind)
    this.dependOn(rows.everyone)
    return rows.wasThere
  }

  /** Makes what is being built depend on a node. */
  dependOn(node: Node): void {
    if (this.reader !== undefined) addDependent(node, this.reader)
  }

  /** See `DenormalizeContext`. */
  stable<View>(view: View): View {
    this.#stable = view
    return view
  }

  // — the rows that a node leads to —

  /** Returns the dirty nodes directly below one; rows without relations are built at once. */
  dirtyBelow(node: Node): readonly Node[] {
    const found: Node[] = []
    this.#found = found
    if (node instanceof Row) this.#follow(node)
    const members =
      node instanceof Row
        ? node.list?.toSee(this.infos.shown)
        : node instanceof ResultView
          ? node.toSee(node.source?.value, this.infos)
          : undefined
    if (members !== undefined) {
      for (const child of members) if (child !== null) this.#meet(child)
    } else if (node instanceof Row) eachRelation(node, this.#reach, this.#meet)
    // What shows all rows of a kind reads them one by one; only a row among them may be in a ring with them.
    else if (node instanceof ResultView)
      eachRow(node.schema, node.source?.value, { rowOf: this.infos.shown }, this.#meet)
    return found
  }

  readonly #meet = (node: Node): void => {
    if (!node.dirty || !(node instanceof Row)) return
    const found = this.#found
    const { info, list } = node.home
    const usesArgs = list === undefined ? info?.usesArgs === true : this.infos.usesArgs(list)
    if (!this.#buildFlat(node) && !usesArgs && !this.#buildShallow(node)) found.push(node)
    // A class that is built here may read, too.
    this.#found = found
  }

  /** Builds a row whose relations lead to rows without relations, as most do; false for other rows. */
  #buildShallow(row: Row): boolean {
    if (row.dirty !== true || row.list !== undefined) return false
    const outer = this.#leadsOn
    this.#leadsOn = false
    eachRelation(row, this.#reach, this.#meetBelow)
    const isShallow = !this.#leadsOn
    this.#leadsOn = outer
    if (isShallow) this.build(row)
    return isShallow
  }

  readonly #meetBelow = (row: Row): void => {
    if (row.dirty && !this.#buildFlat(row)) this.#leadsOn = true
  }

  /** Builds a row without relations, which has no dependencies; false for other rows. */
  #buildFlat(row: Row): boolean {
    const { info, list, origin } = row.home
    if (origin !== undefined) this.#follow(row)
    if (list !== undefined || row.dirty !== true || info?.usesArgs === true) return false
    if (info?.hasLinks === true && isThere(row.value)) return false
    this.#buildRow(row)
    row.dirty = false
    return true
  }

  // — building —

  /** Builds the view of a node whose rows below are built. */
  build(node: Node): void {
    const outer = this.reader
    this.reader = node
    try {
      if (node instanceof Row) {
        if (node.list !== undefined) this.#buildList(node.list)
        else this.#buildRow(node)
      } else if (node instanceof ResultView) this.#buildResult(node)
    } finally {
      this.reader = outer
    }
    node.dirty = false
  }

  /** Returns a relation's value for the node that is being built. */
  readonly visitHere: Visit = (relation, value) => {
    const home = this.infos.homeOf(relation)
    return home === undefined ? this.visit(relation.schema, value) : showKeys(relation, value, home, this.#see)
  }

  readonly #see = (row: Row, usesArgs: boolean): unknown => {
    this.dependOn(row)
    if (usesArgs && this.#scoped !== undefined) {
      this.#scope ??= new Scope(this.#scoped)
      return this.#scope.view(row, this.#scopeBuilder)
    }
    const view = row.dirty === true ? this.read(row) : row.view
    if (view === BROKEN) throw failureOf(row)
    return view
  }

  #buildRow(row: Row): void {
    const { value } = row
    const { info } = row.home
    try {
      if (info === undefined || !isThere(value)) row.view = value === TOMBSTONE ? INVALID : undefined
      else if (row.view === undefined) row.view = firstView(info, value as RowRecord, this.visitHere)
      else row.view = entityView(info, value as RowRecord, { record: row.built, view: row.view }, this.visitHere)
    } catch (thrown) {
      breakRow(row, thrown)
    }
    row.built = value
  }

  #buildList(list: ListNode): void {
    const toSee = list.toSee(this.infos.shown)
    for (const child of toSee) if (child !== null) addDependent(child, list)
    try {
      list.show()
    } catch (thrown) {
      breakRow(list, thrown)
    }
    list.built = list.value
  }

  #buildResult(result: ResultView): void {
    try {
      result.error = undefined
      result.view = this.#asked(result, result.scoped, result.args, () => this.#showResult(result))
    } catch (error) {
      result.error = errorOf(error)
    }
  }

  #showResult(result: ResultView): unknown {
    if (result.source !== undefined) this.dependOn(result.source)
    let value = result.source?.value
    result.inferred = value === undefined
    if (value === undefined) value = this.lookup(result.schema, result.args)
    if (value === undefined) return undefined
    const patched = this.#showPatched(result, value)
    // Its rows are frozen already, each for itself.
    if (patched !== undefined) return Object.freeze(patched)
    const shown = this.visit(result.schema, value)
    if (result.inferred && isListSchema(result.schema) && typeof value === 'string') {
      const { list } = this.infos.shown(result.schema, value)
      if (list?.lacksMembers()) return undefined
    }
    // A row's view keeps its identity by itself.
    return isEntity(result.schema) || isListSchema(result.schema) || shown === this.#stable
      ? shown
      : freezeShown(result.schema, reuse(result.view, shown))
  }

  /** A plain array of entities is patched as a list is. */
  #showPatched(result: ResultView, value: unknown): unknown {
    const items = result.toSee(value, this.infos)
    if (items === undefined) return undefined
    for (const child of items) {
      if (child === null) continue
      addDependent(child, result)
      if (child.dirty) this.read(child)
    }
    return result.list.update()
  }

  #showScoped(row: Row, shell: unknown): unknown {
    const { value } = this.#current(row)
    if (value === TOMBSTONE) return INVALID
    if (!isThere(value)) return undefined
    const before = this.#scope?.before(row)
    const { list } = row
    if (list !== undefined) return reuseInOrder(before?.view, this.#showMembers(list, (value as ListValue).members))
    const { info } = row.home
    if (info === undefined) return undefined
    const record = value as RowRecord
    if (shell === undefined)
      return entityView(info, record, { record: before?.value, view: before?.view }, this.visitHere)
    if (!isShown(shell)) return shell
    return fillShell(shell as object, info, record, this.visitHere) ? freezeInDevelopment(shell) : INVALID
  }

  /** A row of the scope with its present value, on which the result depends. */
  #current(row: Row): Row {
    const origin = originOf(row)
    this.dependOn(origin)
    row.value = origin.value
    return row
  }

  #showMembers(list: ListNode, members: ListMembers): unknown {
    return list.showBy(members, (entity, pk) => this.row(entity, pk))
  }

  /** Rows that depend on arguments are built by the current scope. */
  readonly #scopeBuilder: ScopeBuilder = {
    shell: (row) => row.home.info?.create(this.#current(row).value as RowRecord),
    build: (row, shell) => this.#showScoped(row, shell),
  }

  buildRing(ring: readonly Node[]): void {
    try {
      buildRing(ring, this)
    } catch (thrown) {
      for (const node of ring) this.#breakInRing(node, thrown)
    }
  }

  /** A row that cannot be shown affects its whole ring. Each row registers its dependencies, so that it is built again when they change. */
  #breakInRing(node: Node, thrown: unknown): void {
    if (!(node instanceof Row)) return
    breakRow(node, thrown)
    node.built = node.value
    node.dirty = false
    for (const child of node.list?.children ?? []) if (child !== null) addDependent(child, node)
    if (node.list === undefined) eachRelation(node, this.#reach, (below) => addDependent(below, node))
  }

  during<Result>(node: Node, run: () => Result): Result {
    const outer = this.reader
    this.reader = node
    try {
      return run()
    } finally {
      this.reader = outer
    }
  }
}

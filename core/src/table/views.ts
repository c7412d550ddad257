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
import { sameItems } from '../util/equal.js'
import { freezeInDevelopment } from '../util/plain.js'
import { breakRow, errorOf } from './broken.js'
import type { EntityInfo, Relation } from './entity-info.js'
import type { EntityInfos } from './entity-infos.js'
import { isInstance, isRequired, nextView, reuse, type See, showKeys, type Visit } from './entity-view.js'
import { freezeShown } from './freeze-shown.js'
import { addDependent, type Node, walkDirty } from './graph.js'
import { Reader } from './reader.js'
import { eachRelation, eachRow, type Reach } from './refs.js'
import { ResultView } from './result-view.js'
import { buildRing } from './ring.js'
import { BROKEN, failureOf, isThere, type ListNode, originOf, Row, type RowHome, TOMBSTONE } from './row.js'
import type { Scope, ScopeCode, ScopedViews } from './scope.js'
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
  /** The rows of a class whose relations all lead to rows without relations, if the last row that was met is one of them. */
  #shallow: RowHome | undefined = undefined
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
    this.#reach = { rowOf: infos.shown, keysOf: table.keysOf }
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
    this.#shallow = undefined
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
    const code = list === undefined ? info?.usesArgs : this.infos.usesArgs(list)
    if (!this.#buildFlat(node) && code === undefined && !this.#buildShallow(node)) found.push(node)
    // A class that is built here may read, too.
    this.#found = found
  }

  /** Builds a row of a class whose relations lead to rows without relations, as most do; false for other rows. */
  #buildShallow(row: Row): boolean {
    const { home, list } = row
    if (row.dirty !== true || list !== undefined || (home !== this.#shallow && !leadsToFlat(home.info, this.infos)))
      return false
    this.#shallow = home
    this.build(row)
    return true
  }

  /** Builds a row without relations, which has no dependencies; false for other rows. */
  #buildFlat(row: Row): boolean {
    const { info, list, origin } = row.home
    if (origin !== undefined) this.#follow(row)
    if (list !== undefined || row.dirty !== true || info?.usesArgs !== undefined) return false
    if (info?.isLink.size && isThere(row.value)) return false
    this.#buildRow(row)
    row.dirty = false
    return true
  }

  // — building —

  /** Builds the view of a node whose rows below are built. */
  build(node: Node): void {
    if (node instanceof Row && node.list === undefined) this.#buildRow(node)
    else if (node instanceof Row) this.during(node, () => this.#buildList(node.list as ListNode))
    else if (node instanceof ResultView) this.#buildResult(node)
    node.dirty = false
  }

  /** Returns a relation's value for the node that is being built. */
  readonly visitHere: Visit = (relation, value) => {
    const home = this.infos.homeOf(relation)
    return home === undefined ? this.visit(relation.schema, value) : showKeys(relation, value, home, this.#see)
  }

  readonly #see: See = (row, code) => {
    this.dependOn(row)
    if (code !== undefined && this.#scoped !== undefined) {
      // Schemas do not know the table, so the type of their code says nothing of it; there is no other one than that of `scope.ts`.
      this.#scope ??= (code as ScopeCode).open(this.#scoped, this)
      return this.#scope.view(row)
    }
    const view = row.dirty === true && !this.#buildFlat(row) ? this.read(row) : row.view
    if (view === BROKEN) throw failureOf(row)
    return view
  }

  /**
   * Builds the view of an entity's row, or what stands for a row that is missing or deleted.
   *
   * The first view is built here, and not by functions for its steps: V8 optimises a function together with all those below it that
   * are smaller than this one, for each level again, and in a fresh process that takes longer than to build thousands of rows.
   */
  #buildRow(row: Row): void {
    const { value, home } = row
    const { info } = home
    const outer = this.reader
    this.reader = row
    try {
      if (info === undefined || !isThere(value)) row.view = value === TOMBSTONE ? INVALID : undefined
      else if (isInstance(row.view))
        row.view = nextView(info, value as RowRecord, { record: row.built, view: row.view }, this.visitHere)
      else {
        const record = value as RowRecord
        const instance = info.create(record)
        let view: unknown = instance
        for (let i = 0; isInstance(instance) && i < info.relations.length; i++) {
          const relation = info.relations[i] as Relation
          if (!Object.hasOwn(record, relation.field)) continue
          const shown = this.visitHere(relation, record[relation.field])
          if (shown === INVALID && isRequired(info, relation)) {
            view = INVALID
            break
          }
          instance[relation.field] = shown === INVALID ? undefined : shown
        }
        row.view = freezeInDevelopment(view)
      }
      // An instance with just the fields of its record, in the same order, is stored in its place: a flat row is there once, not twice.
      if (
        info?.isRecord === true &&
        isThere(value) &&
        row.extras === undefined &&
        home.origin === undefined &&
        sameItems(Object.keys(row.view as object), Object.keys(value as object))
      )
        row.value = row.view
    } catch (thrown) {
      breakRow(row, thrown)
    } finally {
      this.reader = outer
    }
    row.built = row.value
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

  #showMembers(list: ListNode, members: ListMembers): unknown {
    return list.showBy(members, (entity, pk) => this.row(entity, pk))
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

/** True if all relations of a class lead to classes without relations: those rows are built when they are met. */
function leadsToFlat(info: EntityInfo | undefined, infos: EntityInfos): boolean {
  for (const relation of info?.relations ?? []) {
    const target = infos.homeOf(relation)?.info
    if (!relation.isLeaf && (target === undefined || target.isLink.size || target.usesArgs !== undefined)) return false
  }
  return true
}

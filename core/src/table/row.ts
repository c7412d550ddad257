import type {
  AnswerMeta,
  EntityInterface,
  ListArgs,
  ListMembers,
  ListSchema,
  PageMark,
  RowRecord,
} from '../schema/schema.js'
import { hasFields } from '../util/plain.js'
import type { EntityInfo, Relation } from './entity-info.js'
import { Node } from './graph.js'
import { type FieldOrder, UNKNOWN, type Version } from './order.js'

/** The value of a row that was deleted. */
export const TOMBSTONE: unique symbol = Symbol('TOMBSTONE')

/** What a row shows whose class throws while its instance is built: `failureOf` tells why. */
export const BROKEN: unique symbol = Symbol('BROKEN')

/** The field for the presence of a row, in the order of its fields. */
export const PRESENCE: unique symbol = Symbol('PRESENCE')

/** The `gcEpoch` of a row that the table dropped. */
export const REMOVED = -1

/** The facts of one response, shared by all rows that it wrote: order and expiry cost a row one pointer. */
export interface ResponseInfo extends Version, AnswerMeta {
  /** Monotonic ms at which it came, for retention. */
  readonly at: number
}

/** The value of a list: the arguments that it was loaded with, and who is in it. */
export interface ListValue {
  readonly args: ListArgs
  readonly members: ListMembers
  /** What its pages brought, in their order; one that was read whole is its own first page. */
  readonly pages?: readonly ListPage[] | undefined
}

/** A page of a list. */
export interface ListPage extends PageMark {
  /** Start of the request that first brought it. */
  readonly first: number
  /** Start of the newest request that brought it. */
  readonly start: number
  readonly members: ListMembers
}

/** An optimistic layer, as rows know it. */
export interface Writer {
  /** Sequence number of the mutation's start; layers are ordered by it. */
  readonly start: number
  dirty: boolean
}

/** The value of a row on one level. */
export interface LevelValue {
  /** The optimistic layer that wrote it; undefined for server state. */
  readonly layer: Writer | undefined
  value: unknown
}

/** The rare facts of a row; most rows never have them. */
export class RowExtras {
  /** The newest mutation that wrote the row. */
  mutated: ResponseInfo | undefined = undefined
  /** The row's values by level while layers write it: server state first, then layers in their order; the last is visible. */
  stack: LevelValue[] = []
  /** Layers that read the row, or skipped it. */
  readers: Set<Writer> | undefined = undefined
  /** Order of single fields that differs from the row's own, while responses overlap. */
  fields: Map<string | symbol, FieldOrder> | undefined = undefined
  /** When `fields` were written last. */
  fieldsAt = 0
  /** Results that depend on the row are stale if they are older than this; 0 is never. */
  stale = 0
  /** Results that depend on the row are not shown if they are older than this; 0 is never. */
  invalid = 0
  /** What was visible when the present commit first touched the row. */
  before: unknown = undefined
  /** True during a commit that touched the row. */
  touched = false
  /** Why the row cannot be shown, while its view is BROKEN. */
  failure: Error | undefined = undefined
}

/**
 * One entity, list or result. Rows are created on first reference, so views can depend on missing or deleted rows too. `value` is
 * immutable: it is replaced, never changed.
 */
export class Row extends Node {
  readonly home: RowHome
  readonly pk: string
  /** What is visible: a record, a list's value, a result, TOMBSTONE, or undefined for never seen. */
  value: unknown = undefined
  /** The value that `view` was built from. */
  built: unknown = undefined
  /** The newest read that wrote it. */
  read: ResponseInfo | undefined = undefined
  extras: RowExtras | undefined = undefined
  /** The row's index in the writes of the change that is being made; not cleared, so it is checked against them. */
  writeIndex = 0
  /** The retention pass that last found it in use; `REMOVED` once the table dropped it. */
  gcEpoch = 0
  /** The row of its kind that was looked up after it: mostly it is again. */
  nextHint: Row | undefined = undefined

  constructor(home: RowHome, pk: string) {
    super()
    this.home = home
    this.pk = pk
  }

  /** The newest mutation that wrote it. */
  get mutated(): ResponseInfo | undefined {
    return this.extras?.mutated
  }

  set mutated(response: ResponseInfo) {
    extrasOf(this).mutated = response
  }

  /** The row itself where it is a list. */
  get list(): ListNode | undefined {
    return undefined
  }
}

/** What the row of an entity holds: a record in which relations are keys, or nothing. */
export type RecordValue = RowRecord | typeof TOMBSTONE | undefined

/** The row of an entity. */
export interface RecordRow extends Row {
  value: RecordValue
}

/** A row that is a list, as views know it: its class comes with Collection. */
export interface ListNode extends Row {
  value: ListValue | undefined
  /** The members' nodes by position, of the value that was built last. */
  readonly children: readonly (Node | null)[]
  /** The members to read again: those that changed, or all where the list itself is another. */
  toSee(rowOf: (entity: EntityInterface, pk: string) => Node): readonly (Node | null)[]
  /** Builds the view from the views of its members. */
  show(): void
  /** What the list shows for these members, where `see` shows one. */
  showBy(members: ListMembers, see: (entity: EntityInterface, pk: string) => unknown): unknown
  /** The members of a value of the list that are rows. */
  membersIn(value: ListValue | undefined): Iterable<readonly [EntityInterface, string]>
  /** True if a class refuses a member that is there, as another class of its kind left it: the list is not known by that class. */
  lacksMembers(): boolean
  /** True if the view would be the same again, given that its members' views stay; the list depends on them again. */
  stays(): boolean
  /** All members are to be read again with the next view. */
  renew(): void
}

/** Why a row cannot be shown whose view is BROKEN. */
export function failureOf(node: Node): Error | undefined {
  return node instanceof Row ? node.extras?.failure : undefined
}

/** Where a row lives: the rows of its kind. */
export interface RowHome {
  readonly key: string
  /** Results that depend on any row of the kind are stale if they are older than this; 0 is never. */
  readonly stale: number
  /** Results that depend on any row of the kind are not shown if they are older than this; 0 is never. */
  readonly invalid: number
  /** How entities of the kind are shown: by the class that was seen first. */
  readonly info: EntityInfo | undefined
  /** How lists of the kind are shown. */
  readonly list: ListSchema | undefined
  /** For rows that show another home's rows by another class: that home. */
  readonly origin: RowHome | undefined
  /** The row of a key, created on first reference. */
  row(pk: string): Row
  /** The row for a whole record that another class of the key stored in the place of a key. */
  embedded(record: RowRecord): Row
}

/** The row that is named in the place of a relation, by its key or by a record that stands there itself. */
export function rowAt(home: RowHome, stored: unknown): Row | undefined {
  if (typeof stored !== 'object') return home.row(`${stored}`)
  return isEmbedded(stored) ? home.embedded(stored) : undefined
}

/** True for a record that stands in the place of a key. */
export function isEmbedded(stored: unknown): stored is RowRecord {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) && hasFields(stored)
}

/** What is known of a class: where its rows are, and by which `schema` they are shown. */
export interface ClassInfo {
  readonly schema: unknown
  /** True if the class works its `schema` out at each look: then it is looked at once. */
  readonly isGetter: boolean
  readonly shown: RowHome
}

/** Where the rows of a relation's target are, once they have been looked for; not if its class was given another `schema` since. */
export function homeOf({ home, target }: Relation): RowHome | undefined {
  // `EntityInfos` alone sets it, and to nothing else.
  const known = home as ClassInfo | undefined
  return known !== undefined && (known.isGetter || known.schema === target?.schema) ? known.shown : undefined
}

/** The row that keeps what a row shows: another one if it only shows that one's value by another class. */
export function originOf<R extends Row>(row: R): R {
  // A home and its origin hold rows of one type.
  return (row.home.origin?.row(row.pk) as R | undefined) ?? row
}

/** The value of a row in server state, whatever layers make of it. */
export function baseOf<R extends Row>(row: R): R['value'] {
  const base = row.extras?.stack[0]
  return base === undefined ? row.value : base.value
}

/** Every value that a row may show again: of server state, and of each pending layer. */
export function valuesOf<R extends Row>({ extras, value }: R): readonly R['value'][] {
  return extras === undefined || extras.stack.length === 0 ? [value] : extras.stack.map((level) => level.value)
}

/** What a row looks like to a layer: server state and the layers that started before it. */
export function valueBelow<R extends Row>(row: R, start: number): R['value'] {
  const stack = row.extras?.stack
  if (stack === undefined || stack.length === 0) return row.value
  let at = stack.length - 1
  while ((stack[at]?.layer?.start ?? 0) >= start) at--
  return stack[at]?.value
}

/** The rare facts of a row, made when first needed. */
export function extrasOf(row: Row): RowExtras {
  row.extras ??= new RowExtras()
  return row.extras
}

/** What is known of the order of one field. */
export function orderOf(row: Row, field: string | symbol): FieldOrder {
  const exception = row.extras?.fields?.get(field)
  if (exception !== undefined) return exception
  const { read, mutated } = row
  if (read === undefined && mutated === undefined) return UNKNOWN
  return { read: read?.start ?? 0, started: mutated?.start ?? 0, done: mutated?.done ?? 0 }
}

/** True if a row has something to show. */
export function isThere<Value>(value: Value): value is Exclude<Value, typeof TOMBSTONE | undefined> {
  return value !== undefined && value !== TOMBSTONE
}

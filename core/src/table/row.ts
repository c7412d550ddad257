import type {
  AnswerMeta,
  EntityInterface,
  ListArgs,
  ListMembers,
  ListSchema,
  Member,
  PageMark,
  RowRecord,
} from '../schema/schema.js'
import type { Edit } from '../util/edits.js'
import { hasFields } from '../util/plain.js'
import type { EntityInfo, Relation } from './entity-info.js'
import { Node } from './graph.js'
import { type FieldOrder, UNKNOWN, type Version } from './order.js'

/** The value of a row that was deleted. */
export const TOMBSTONE: unique symbol = Symbol('TOMBSTONE')

/** The view of a row whose class threw while its instance was built; `failureOf` returns the error. */
export const BROKEN: unique symbol = Symbol('BROKEN')

/** The field for the presence of a row, in the order of its fields. */
export const PRESENCE: unique symbol = Symbol('PRESENCE')

/** All fields that no response has contained, in the order of a row's fields: a deletion decides on them too. */
export const OTHER_FIELDS: unique symbol = Symbol('OTHER_FIELDS')

/** The `gcEpoch` of a row that the table dropped. */
export const REMOVED = -1

/** The facts of one response, shared by all rows that it wrote: order and expiry cost a row one pointer. */
export interface ResponseInfo extends Version, AnswerMeta {
  /** Monotonic ms at which it came, for retention. */
  readonly at: number
  /** Wall clock in ms after which its stale data is not shown, if the server said so. */
  readonly shownUntil?: number
}

/** The value of a list: the arguments that it was loaded with, and who is in it. */
export interface ListValue {
  readonly args: ListArgs
  readonly members: ListMembers
  /** Its pages, in their order; a list that was read whole is its own first page. */
  readonly pages?: readonly ListPage[] | undefined
}

/** A page of a list. */
export interface ListPage extends PageMark {
  /** Start of the first request for the page. */
  readonly first: number
  /** Start of the newest request for the page. */
  readonly start: number
  readonly members: ListMembers
  /** Its members as they came: what mutations took out of the page since is among them. */
  readonly came: ListMembers
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
  /** The sequence number at which `fields` was last written. */
  fieldsAt = 0
  /** Results that depend on the row are stale if they are older than this; 0 is never. */
  stale = 0
  /** The same number if a mutation made them stale, at whose completion; not if an action did. */
  contested = 0
  /** Results that depend on the row are not shown if they are older than this; 0 is never. */
  invalid = 0
  /** What was visible when the present commit first touched the row. */
  before: unknown = undefined
  /** True during a commit that touched the row. */
  touched = false
  /** The error, while the row's view is BROKEN. */
  failure: Error | undefined = undefined
}

/**
 * One entity, list or result. Rows are created on first reference, so views can depend on missing or deleted rows too. `value` is
 * immutable: it is replaced, never changed.
 */
export class Row extends Node {
  readonly home: RowHome
  readonly pk: string
  /** The visible value: a record, a list's value, a result, TOMBSTONE, or undefined if it was never written. */
  value: unknown = undefined
  /** The value from which `view` was built. */
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

/** The value of an entity's row: a record with primary keys instead of relations, or nothing. */
export type RecordValue = RowRecord | typeof TOMBSTONE | undefined

/** The row of an entity. */
export interface RecordRow extends Row {
  value: RecordValue
}

/** How the members of a list became others by one edit. */
export interface MembersChange {
  readonly before: readonly Member[]
  readonly members: ListMembers
  readonly edit: Edit<Member>
}

/** The interface of a list's row for views; its class is imported with Collection. */
export interface ListNode extends Row {
  value: ListValue | undefined
  /** The members' nodes by position, for the value that was built last. */
  readonly children: readonly (Node | null)[]
  /** The members to read again: those that changed, or all if the list itself has changed. */
  toSee(rowOf: (entity: EntityInterface, pk: string) => Node): readonly (Node | null)[]
  /** Builds the view from the views of its members. */
  show(): void
  /** Returns the view of the list for these members; `see` returns the view of one. */
  showBy(members: ListMembers, see: (entity: EntityInterface, pk: string) => unknown): unknown
  /** Returns those members of a list's value that are rows. */
  membersIn(value: ListValue | undefined): Iterable<readonly [EntityInterface, string]>
  /**
   * True if a class rejects an existing member that another class with the same key has stored: the list counts as missing for that
   * class.
   */
  lacksMembers(): boolean
  /** True if the view would be the same again, given that its members' views stay; the list depends on them again. */
  stays(): boolean
  /** Makes the next view read all members again. */
  renew(): void
  /** Notes how the members become others, so that the view need not compare all. */
  expect(change: MembersChange): void
}

/** Returns the error of a row whose view is BROKEN. */
export function failureOf(node: Node): Error | undefined {
  return node instanceof Row ? node.extras?.failure : undefined
}

/** The table of a row: all rows of its kind. */
export interface RowHome {
  readonly key: string
  /** Results that depend on any row of the kind are stale if they are older than this; 0 is never. */
  readonly stale: number
  /** Results that depend on any row of the kind are not shown if they are older than this; 0 is never. */
  readonly invalid: number
  /** The class that shows entities of the kind: the first one. */
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

/** Returns the row of a relation's stored value, which is a primary key or an embedded record. */
export function rowAt(home: RowHome, stored: unknown): Row | undefined {
  if (typeof stored !== 'object') return home.row(`${stored}`)
  return isEmbedded(stored) ? home.embedded(stored) : undefined
}

/** True for an embedded record in place of a primary key. */
export function isEmbedded(stored: unknown): stored is RowRecord {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) && hasFields(stored)
}

/** The information about a class: its rows, and the `schema` that shows them. */
export interface ClassInfo {
  readonly schema: unknown
  /** True if the class's `schema` is a getter, which is called only once. */
  readonly isGetter: boolean
  readonly shown: RowHome
}

/** Returns the rows of a relation's target, if they were looked up before and the class still has the same `schema`. */
export function homeOf({ home, target }: Relation): RowHome | undefined {
  // `EntityInfos` alone sets it, and to nothing else.
  const known = home as ClassInfo | undefined
  return known !== undefined && (known.isGetter || known.schema === target?.schema) ? known.shown : undefined
}

/** Returns the row that stores a row's value: another one if the row only shows that value by another class. */
export function originOf<R extends Row>(row: R): R {
  // A home and its origin hold rows of one type.
  return (row.home.origin?.row(row.pk) as R | undefined) ?? row
}

/** Returns the value of a row in server state, without layers. */
export function baseOf<R extends Row>(row: R): R['value'] {
  const base = row.extras?.stack[0]
  return base === undefined ? row.value : base.value
}

/** Returns all values that a row may show: that of server state, and those of pending layers. */
export function valuesOf<R extends Row>({ extras, value }: R): readonly R['value'][] {
  return extras === undefined || extras.stack.length === 0 ? [value] : extras.stack.map((level) => level.value)
}

/** Returns the value of a row for a layer: server state with the layers that started before it. */
export function valueBelow<R extends Row>(row: R, start: number): R['value'] {
  const stack = row.extras?.stack
  if (stack === undefined || stack.length === 0) return row.value
  let at = stack.length - 1
  while ((stack[at]?.layer?.start ?? 0) >= start) at--
  return stack[at]?.value
}

/** Returns the rare facts of a row, which are created on first use. */
export function extrasOf(row: Row): RowExtras {
  row.extras ??= new RowExtras()
  return row.extras
}

/** Returns the order of one field. */
export function orderOf(row: Row, field: string | symbol): FieldOrder {
  const fields = row.extras?.fields
  const exception = fields?.get(field) ?? fields?.get(OTHER_FIELDS)
  if (exception !== undefined) return exception
  const { read, mutated } = row
  if (read === undefined && mutated === undefined) return UNKNOWN
  return { read: read?.start ?? 0, started: mutated?.start ?? 0, done: mutated?.done ?? 0 }
}

/** True if a row has a value to show. */
export function isThere<Value>(value: Value): value is Exclude<Value, typeof TOMBSTONE | undefined> {
  return value !== undefined && value !== TOMBSTONE
}

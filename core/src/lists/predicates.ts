import type { Write } from '../commit/write.js'
import { type ListMembers, type ListSchema, type Member, pkOfRef, type RowRecord } from '../schema/schema.js'
import type { EntityRow, ListNode, ListValue, Row } from '../table/row.js'
import type { Lists, Table } from '../table/table.js'
import { isThere } from '../table/value.js'
import { type Entering, findIn, withMore, without } from './edits.js'
import { listKindOf } from './list-kind.js'
import { doesBelong } from './member-write.js'
import { arrayOf } from './members.js'
import { sortMembers } from './sort-list.js'

/** The result of a write for one predicate list. */
export interface PredicateOutcome {
  readonly members: ListMembers
  /** True if `belongs` failed for some row. */
  readonly isUnknown: boolean
  /** True if a changed row is or becomes a member: layers that order the list then run again. */
  readonly isTouched: boolean
}

/** A list whose Collection decides about members by `belongs`, or about their order by `compare`. */
export interface PredicateList {
  readonly list: ListNode
  readonly schema: ListSchema
  readonly value: ListValue
  /** The fields of rows written since the list was read. Rows with undefined are judged by their whole record. */
  readonly wrote: ReadonlyMap<Row, RowRecord | undefined> | undefined
  /** Fields of rows that are in the bodies of calls, but not in responses. */
  readonly bodies: ReadonlyMap<Row, RowRecord>
  /** False for a read that started before the read of the list: it may remove members, but not add any. */
  readonly mayEnter: boolean
}

/** True if a Collection has `belongs` or `compare`. */
export function hasPredicates({ belongs, compare }: ListSchema): boolean {
  return (belongs ?? compare) !== undefined
}

/** Returns the kinds with predicate lists. */
export function predicateKinds({ lists }: Table): readonly Lists[] {
  const found: Lists[] = []
  for (const kind of lists.values()) if (kind.predicates.size > 0) found.push(kind)
  return found
}

/** New members of a list, which may be out of order; `'any'` if all members may be. */
export type Entered = readonly Member[] | 'any'

/**
 * Checks for each row whether it belongs to a list, and moves it to its position in the list's order.
 *
 * @param entered - other members that may be out of order, because the list itself was written
 */
export function applyPredicates(
  { list, schema, value, bodies, wrote, mayEnter }: PredicateList,
  rows: Iterable<EntityRow>,
  entered: Entered,
  write: Write,
): PredicateOutcome {
  const recordOf = (row: EntityRow): RowRecord | undefined => {
    const body = bodies.get(row)
    const record = isThere(row.value) ? row.value : undefined
    return record !== undefined && body !== undefined ? { ...record, ...body } : record
  }
  const { args, members: before } = value
  const entering: Entering[] = []
  const leaving: Member[] = []
  const staying: Member[] = []
  let isUnknown = false
  const all = arrayOf(before)
  for (const row of rows) {
    const ref = schema.refOf?.(row.home.key, row.pk)
    if (ref === undefined) continue
    const record = recordOf(row)
    const belongs = record && doesBelong(schema, args, record, write, wrote?.get(row))
    if (belongs === 'unknown') isUnknown = true
    if (findIn(all, ref) < 0) {
      if (belongs === true && mayEnter) entering.push([ref, row.pk])
    } else if (belongs === false) leaving.push(ref)
    else staying.push(ref)
  }
  const isLayer = write.layer !== undefined
  const members = withMore(without(before, leaving, isLayer), entering, 'end', isLayer)
  const recordAt = (ref: Member): RowRecord | undefined => {
    const entity = schema.entityOf(ref)
    return entity && recordOf(write.row(entity, pkOfRef(ref)))
  }
  const { unsorted } = listKindOf(list)
  const isOpen = entered === 'any' || unsorted.has(before)
  const moved = isOpen ? undefined : [...staying, ...entering.map(([ref]) => ref), ...entered]
  const sort = (): ListMembers => sortMembers(schema, { args, members }, { moved, isLayer }, recordAt)
  const sorted = schema.compare === undefined ? members : write.ask('compare', schema.key, sort, undefined)
  if (sorted === undefined) unsorted.add(members)
  return {
    members: sorted ?? members,
    isUnknown,
    isTouched: staying.length + entering.length > 0,
  }
}

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
  /** True if a row changed that the list holds or gains: layers that order the list run again. */
  readonly isTouched: boolean
}

/** A list and its Collection, which decides its members by `belongs` or their order by `compare`. */
export interface PredicateList {
  readonly list: ListNode
  readonly schema: ListSchema
  readonly value: ListValue
  /** The fields of rows that were written since the list was read; undefined if the rows are judged by all that is known of them. */
  readonly wrote: ReadonlyMap<Row, RowRecord | undefined> | undefined
  /** Fields of rows that calls have told, but responses not. */
  readonly bodies: ReadonlyMap<Row, RowRecord>
  /** False for a read that started before the one that brought the list: it may remove members, but not add any. */
  readonly mayEnter: boolean
}

/** Notes a list if its Collection has `belongs` or `compare`. */
export function notePredicates({ commit }: Write, row: ListNode, list: ListSchema): void {
  if (!hasPredicates(list)) return
  const { predicates } = listKindOf(row)
  commit.affectsAll ||= predicates.size === 0
  predicates.set(row, list)
}

/** True if a Collection has `belongs` or `compare`. */
export function hasPredicates({ belongs, compare }: ListSchema): boolean {
  return (belongs ?? compare) !== undefined
}

/** The kinds that have such lists. */
export function predicateKinds({ lists }: Table): readonly Lists[] {
  const found: Lists[] = []
  for (const kind of lists.values()) if (kind.predicates.size > 0) found.push(kind)
  return found
}

/** Members of a list that may be out of order because they have just come; `'any'` if all may be. */
export type Entered = readonly Member[] | 'any'

/**
 * Asks for each row whether it belongs to a list, and puts it where it belongs in its order.
 *
 * @param entered - Members other than the rows that may be out of order: the list itself was written.
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
  const sort = (): ListMembers => sortMembers(schema, members, { moved, isLayer }, recordAt)
  const sorted = schema.compare === undefined ? members : write.ask('compare', schema.key, sort, undefined)
  if (sorted === undefined) unsorted.add(members)
  return {
    members: sorted ?? members,
    isUnknown,
    isTouched: staying.length + entering.length > 0,
  }
}

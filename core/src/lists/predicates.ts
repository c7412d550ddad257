import { refKey } from '../schema/collection/membership.js'
import type { ListMembers, ListSchema, Member, MembershipChange, RowRecord } from '../schema/schema.js'
import type { LevelReader } from '../table/level.js'
import { holds } from '../table/list-holders.js'
import type { ListRow } from '../table/list-row.js'
import { isThere, type ListValue, type Row } from '../table/row.js'
import type { Table } from '../table/table.js'
import { CallbackError } from '../util/errors.js'
import { ask, enter, leave } from './member-write.js'
import { sortList } from './sort-list.js'

/** What a predicate list becomes. */
export interface PredicateOutcome {
  /** What it was. */
  readonly value: ListValue
  readonly members: ListMembers
  /** True if `belongs` could not tell of some row. */
  readonly isUnknown: boolean
  /** True if a row changed that the list holds: layers that reorder the list look again. */
  readonly isTouched: boolean
}

/** True if a Collection says by `belongs` who is in its lists, or by `compare` in which order. */
export function knowsMembers({ belongs, compare }: ListSchema): boolean {
  return belongs !== undefined || compare !== undefined
}

/** Notes a list of such a Collection. */
export function notePredicates(table: Table, row: ListRow, list: ListSchema): void {
  if (!knowsMembers(list)) return
  row.keeper = list
  const kind = table.listKind(list)
  kind.kept.add(row)
  table.kept.add(kind)
}

/** Layers that order lists run again: what a layer below them made of rows is gone. */
export function invalidatePredicates(table: Table, start: number): void {
  for (const kind of table.kept) for (const layer of kind.watchers) if (layer.start > start) layer.dirty = true
}

/** All predicate lists. */
export function* predicateLists(table: Table): Generator<ListRow, void> {
  for (const kind of table.kept) yield* kind.kept
}

/**
 * Asks for each row whether it belongs to a list, and sorts it.
 *
 * @param isOpen - True if members that stand wrong may be others than the rows: the list itself was written.
 */
export function applyPredicates(
  list: ListRow,
  rows: Iterable<Row>,
  isOpen: boolean,
  level: LevelReader,
): PredicateOutcome | undefined {
  const { keeper } = list
  const value = level.valueOf(list) as ListValue | undefined
  if (value === undefined) return undefined
  if (keeper === undefined) return { value, members: value.members, isUnknown: false, isTouched: false }
  const entering: [Member, string | undefined][] = []
  const leaving: Member[] = []
  const staying: Member[] = []
  let isUnknown = false
  for (const row of rows) {
    const ref = keeper.refOf?.(row.home.key, row.pk)
    if (ref === undefined) continue
    const isHeld = holds(value.members, ref)
    const record = level.valueOf(row)
    // What stands in an entity's row and is no tombstone is a record.
    const belongs = isThere(record) ? ask(keeper, value, record as RowRecord, level) : undefined
    if (belongs === 'unknown') isUnknown = true
    if (belongs === true && !isHeld) entering.push([ref, row.pk])
    else if (belongs === false && isHeld) leaving.push(ref)
    else if (isHeld) staying.push(ref)
  }
  const members = enter(leave(value.members, leaving), entering, 'end', undefined)
  const changed = isOpen ? undefined : [...staying, ...entering.map(([ref]) => ref)]
  return { value, members: sortList(keeper, members, changed, level), isUnknown, isTouched: staying.length > 0 }
}

/** The same change with users' functions that cannot stop a commit half-way: one that throws says nothing. */
export function guarded(change: MembershipChange, report: (error: Error) => void): MembershipChange {
  const { at, list } = change
  const failed = (callback: string, cause: unknown): void => report(new CallbackError(callback, list.key, { cause }))
  return {
    ...change,
    matches: (args, record, member) => {
      try {
        return change.matches(args, record, member)
      } catch (cause) {
        failed('createCollectionFilter', cause)
        return undefined
      }
    },
    at:
      typeof at !== 'function'
        ? at
        : (existing, incoming) => {
            try {
              return at(existing, incoming)
            } catch (cause) {
              failed('addWith', cause)
              return [
                ...existing.values(),
                ...incoming.filter((ref) => !existing.some((is) => refKey(is) === refKey(ref))),
              ]
            }
          },
  }
}

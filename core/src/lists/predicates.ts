import type { ListMembers, ListSchema, Member, MembershipChange } from '../schema/schema.js'
import type { LevelReader } from '../table/level.js'
import { isThere, type ListNode, type ListValue, type RecordRow } from '../table/row.js'
import type { Table } from '../table/table.js'
import { CallbackError } from '../util/errors.js'
import { listKind } from './list-kind.js'
import { addMembers, doesBelong, leave } from './member-write.js'
import { holds, refKey } from './membership.js'
import { sortList } from './sort-list.js'

/** What a predicate list becomes. */
export interface PredicateOutcome {
  /** What it was. */
  readonly value: ListValue
  readonly members: ListMembers
  /** True if `belongs` failed for some row. */
  readonly isUnknown: boolean
  /** True if a row changed that the list holds: layers that order the list run again. */
  readonly isTouched: boolean
}

/** A list and its Collection, which decides by `belongs` who is in it, or by `compare` in which order. */
export type PredicateList = readonly [ListNode, ListSchema]

/** Notes a list if its Collection has `belongs` or `compare`. */
export function notePredicates(table: Table, row: ListNode, list: ListSchema): void {
  if (list.belongs === undefined && list.compare === undefined) return
  const kind = listKind(table, list)
  kind.predicates.set(row, list)
  table.predicateKinds.add(kind)
}

/** Replays layers that order lists, since the values of a layer below them were removed. */
export function invalidatePredicates(table: Table, start: number): void {
  for (const kind of table.predicateKinds)
    for (const layer of kind.watchingLayers) if (layer.start > start) layer.dirty = true
}

/** All predicate lists. */
export function* predicateLists(table: Table): Generator<PredicateList, void> {
  for (const kind of table.predicateKinds) yield* kind.predicates
}

/**
 * Asks for each row whether it belongs to a list, and sorts it.
 *
 * @param isOpen - True if other members than the rows may be out of order: the list itself was written.
 */
export function applyPredicates(
  [list, schema]: PredicateList,
  rows: Iterable<RecordRow>,
  isOpen: boolean,
  level: LevelReader,
): PredicateOutcome | undefined {
  const value = level.valueOf(list)
  if (value === undefined) return undefined
  const entering: [Member, string | undefined][] = []
  const leaving: Member[] = []
  const staying: Member[] = []
  let isUnknown = false
  for (const row of rows) {
    const ref = schema.refOf?.(row.home.key, row.pk)
    if (ref === undefined) continue
    const isHeld = holds(value.members, ref)
    const record = level.valueOf(row)
    const belongs = isThere(record) ? doesBelong(schema, value.args, record, level) : undefined
    if (belongs === 'unknown') isUnknown = true
    if (belongs === true && !isHeld) entering.push([ref, row.pk])
    else if (belongs === false && isHeld) leaving.push(ref)
    else if (isHeld) staying.push(ref)
  }
  const members = addMembers(leave(value.members, leaving), entering, 'end', undefined)
  const changed = isOpen ? undefined : [...staying, ...entering.map(([ref]) => ref)]
  return { value, members: sortList(schema, members, changed, level), isUnknown, isTouched: staying.length > 0 }
}

/** The same change with users' functions that cannot stop a commit half-way: what one throws is reported. */
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

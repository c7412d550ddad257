import type { ListSchema, Member, MembershipChange } from '../schema/schema.js'
import type { LevelReader } from '../table/level.js'
import { isThere, type ListNode, type ListValue, type RecordRow } from '../table/row.js'
import type { Table } from '../table/table.js'
import { CallbackError } from '../util/errors.js'
import { type ListKind, listKind } from './list-kind.js'
import { MemberDraft } from './member-draft.js'
import { doesBelong } from './member-write.js'
import { refKey } from './membership.js'
import { placesOf, sortMembers } from './sort-list.js'

/** What a predicate list becomes. */
export interface PredicateOutcome extends Pick<MemberDraft, 'members' | 'steps'> {
  /** What it was. */
  readonly value: ListValue
  /** True if `belongs` failed for some row. */
  readonly isUnknown: boolean
  /** True if a row changed that the list holds or gains: layers that order the list run again. */
  readonly isTouched: boolean
}

/**
 * A list and its Collection, which decides by `belongs` who is in it, or by `compare` in which order. True if a later response has
 * told who is in it: then the rows may change only their places.
 */
export type PredicateList = readonly [list: ListNode, schema: ListSchema, isKnown?: boolean]

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

/** Members of a list that may be out of order because they have just come; `'any'` if all may be. */
export type Entered = readonly Member[] | 'any'

/**
 * Asks for each row whether it belongs to a list, and puts it where it belongs in its order.
 *
 * @param entered - Members other than the rows that may be out of order: the list itself was written.
 */
export function applyPredicates(
  [list, schema, isKnown = false]: PredicateList,
  rows: Iterable<RecordRow>,
  entered: Entered,
  level: LevelReader,
): PredicateOutcome | undefined {
  const value = level.valueOf(list)
  if (value === undefined) return undefined
  // A list's row is made by a ListKind; rows see only the part of it that they need.
  const kind = list.home as ListKind
  const placeIn = kind.placeFinder(value.members)
  const entering: [Member, string | undefined][] = []
  const leaving: Member[] = []
  const staying = new Map<Member, number>()
  let isUnknown = false
  for (const row of rows) {
    const ref = schema.refOf?.(row.home.key, row.pk)
    if (ref === undefined) continue
    const record = level.valueOf(row)
    const belongs = isThere(record) && !isKnown ? doesBelong(schema, value.args, record, level) : undefined
    if (belongs === 'unknown') isUnknown = true
    const at = placeIn(ref)
    if (at < 0) {
      if (belongs === true) entering.push([ref, row.pk])
    } else if (belongs === false) leaving.push(ref)
    else staying.set(ref, at)
  }
  const draft = new MemberDraft(value.members)
  draft.remove(leaving, placeIn)
  draft.add(entering, 'end')
  const { members } = draft
  const isOpen = entered === 'any' || kind.unsorted.has(value.members)
  const changed = (): readonly number[] | undefined => {
    if (isOpen) return undefined
    const came = [...entering.map(([ref]) => ref), ...entered]
    // A map may have one row under several keys.
    const isPlaced = members === value.members && came.length === 0 && !(members instanceof Map)
    return isPlaced ? [...staying.values()].sort((a, b) => a - b) : placesOf(members, [...staying.keys(), ...came])
  }
  if (schema.compare !== undefined && !sortMembers(schema, draft, changed(), level)) kind.unsorted.add(members)
  return { value, members: draft.members, steps: draft.steps, isUnknown, isTouched: staying.size + entering.length > 0 }
}

/** True if users' functions decide which lists a change concerns, or where its members come. */
export function asksUsers({ op, at, list, wants }: MembershipChange): boolean {
  return op !== 'remove' && (wants === undefined || typeof at === 'function' || list.hasOwnNames === true)
}

/** The same change with users' functions that cannot stop a commit half-way: what one throws is reported. */
export function guarded(change: MembershipChange, report: (error: Error) => void): MembershipChange {
  if (!asksUsers(change)) return change
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

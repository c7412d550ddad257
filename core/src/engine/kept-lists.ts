import { isNested } from '../schema/collection/filter.js'
import { refKey } from '../schema/collection/membership.js'
import type { ListMembers, ListSchema, MembershipChange, Ref, RowRecord } from '../schema/schema.js'
import { pkOfRef } from '../table/list-members.js'
import type { ListRow } from '../table/list-row.js'
import type { Plans } from '../table/plans.js'
import { isThere, type ListValue, type Row } from '../table/row.js'
import type { Table } from '../table/table.js'
import { CallbackError } from '../tools/errors.js'
import { enter, holds, leave } from './lists.js'

/** How rows look to the lists that know by themselves who is in them. */
export interface KeptOutlook {
  readonly plans: Plans
  valueOf(row: Row): unknown
  /** Hears of users' functions that throw: the row is then left where it is. */
  report(error: Error): void
}

/** What a list becomes. */
export interface KeptOutcome {
  readonly members: ListMembers
  /** True if `belongs` could not tell of some row. */
  readonly isUnknown: boolean
}

/** Notes a list whose Collection says who belongs to it, or in which order. */
export function noteKeeper(table: Table, row: ListRow, list: ListSchema): void {
  if (list.belongs === undefined && list.compare === undefined) return
  row.keeper = list
  const kind = table.listKind(list)
  kind.kept.add(row)
  table.kept.add(kind)
}

/** All lists that know by themselves who is in them. */
export function* keptLists(table: Table): Generator<ListRow, void> {
  for (const kind of table.kept) yield* kind.kept
}

/** Asks for each row whether it belongs to a list, and sorts it. */
export function keepList(list: ListRow, value: ListValue, rows: Iterable<Row>, outlook: KeptOutlook): KeptOutcome {
  const { keeper } = list
  if (keeper === undefined) return { members: value.members, isUnknown: false }
  const entering: [Ref, string | undefined][] = []
  const leaving: Ref[] = []
  let isUnknown = false
  for (const row of rows) {
    const record = outlook.valueOf(row)
    const ref = isThere(record) ? keeper.refOf?.(row.home.key, row.pk) : undefined
    // What stands in an entity's row and is no tombstone is a record.
    const belongs = ref === undefined ? undefined : ask(keeper, value, record as RowRecord, outlook)
    if (ref === undefined || belongs === undefined) continue
    if (belongs === 'unknown') isUnknown = true
    else if (belongs === holds(value.members, ref)) continue
    else if (belongs) entering.push([ref, row.pk])
    else leaving.push(ref)
  }
  const members = enter(leave(value.members, leaving), entering, 'end', undefined)
  return { members: sorted(keeper, members, outlook), isUnknown }
}

function ask(
  { key, belongs }: ListSchema,
  { args }: ListValue,
  record: RowRecord,
  outlook: KeptOutlook,
): boolean | 'unknown' | undefined {
  // A list that belongs to its parent has no arguments to judge by.
  if (belongs === undefined || isNested(args)) return undefined
  try {
    return belongs(record, args)
  } catch (cause) {
    outlook.report(new CallbackError('belongs', key, { cause }))
    return undefined
  }
}

/** The members in the Collection's order, those whose rows are not there last; the same ones if they stand right. */
function sorted(keeper: ListSchema, members: ListMembers, outlook: KeptOutlook): ListMembers {
  const { compare } = keeper
  if (compare === undefined) return members
  const entries = [...members.entries()].map(([key, ref]) => ({ key, ref, record: recordOf(keeper, ref, outlook) }))
  const order = (a: (typeof entries)[number], b: (typeof entries)[number]): number => {
    if (a.record === undefined || b.record === undefined)
      return Number(a.record === undefined) - Number(b.record === undefined)
    return compare(a.record, b.record)
  }
  try {
    if (entries.every((entry, i) => i === 0 || order(entries[i - 1] ?? entry, entry) <= 0)) return members
    entries.sort(order)
  } catch (cause) {
    outlook.report(new CallbackError('compare', keeper.key, { cause }))
    return members
  }
  // The keys of a map are text.
  if (members instanceof Map) return new Map(entries.map(({ key, ref }) => [key as string, ref]))
  return entries.map(({ ref }) => ref)
}

function recordOf(keeper: ListSchema, ref: Ref, outlook: KeptOutlook): RowRecord | undefined {
  const entity = keeper.entityOf(ref)
  const value = entity === undefined ? undefined : outlook.valueOf(outlook.plans.of(entity).kind.row(pkOfRef(ref)))
  return isThere(value) ? (value as RowRecord) : undefined
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

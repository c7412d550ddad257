import { applyAdd, applyRemove, distinct, refKey } from '../schema/collection/membership.js'
import type { ListMembers, MembershipChange, Ref, RowRecord } from '../schema/schema.js'
import type { ListWrite } from '../table/change.js'
import { holds } from '../table/list-holders.js'
import { pkOfRef } from '../table/list-members.js'
import type { ListRow } from '../table/list-row.js'
import type { Plans } from '../table/plans.js'
import { baseOf, isThere, type ListValue, type Row } from '../table/row.js'
import type { Kind, LoggedChange } from '../table/table.js'
import { equal } from '../tools/equal.js'
import { readPage } from './pages.js'

/** How rows look to whoever applies a membership change. */
export interface MemberOutlook {
  readonly plans: Plans
  valueOf(row: Row): unknown
}

/** One membership change, its place in the order, and what its members' rows hold. */
export interface Applied {
  readonly change: MembershipChange
  readonly start: number
  /** The records of members whose rows are gone by now. */
  readonly records: ReadonlyMap<string, RowRecord>
}

/** What a list becomes by a change. */
export interface ListOutcome {
  readonly members: ListMembers
  /** True if a mutation that started later had already decided on a member, so that the list may not be what the server has. */
  readonly contested: boolean
}

/**
 * The lists that a change may concern, few of many: those that hold its members, and those that have the wanted arguments. All of
 * them only where a user's own filter says who enters.
 */
export function listsFor(kind: Kind<ListRow>, { change, records }: Applied): Iterable<ListRow> {
  const { list, op, wants, members } = change
  if (op !== 'remove' && (wants === undefined || list.isFilter === undefined)) return kind.rows.values()
  const lists = new Set<ListRow>()
  if (op !== 'add') kind.holders.find(members, kind.rows, lists)
  if (op === 'remove' || wants === undefined) return lists
  for (const ref of members) {
    const record = records.get(refKey(ref))
    if (record === undefined) continue
    kind.finder.find(
      (name) => list.isFilter?.(name) === true,
      (name) => wants(name, record),
      (found) => lists.add(found),
    )
  }
  return lists
}

/** Pages that no longer answer for some members: should these come back, it is as new ones. */
export function leavePages(pages: ListValue['pages'], leaving: readonly Ref[]): ListValue['pages'] {
  return pages?.map((page) => ({ ...page, members: leave(page.members, leaving) }))
}

/** A list's members after a change; those that a later-started mutation decided on are left alone. */
export function changeList(list: ListRow, value: ListValue, applied: Applied, outlook: MemberOutlook): ListOutcome {
  const { change, start } = applied
  const log = logOf(list)
  const entering: [Ref, string | undefined][] = []
  const leaving: Ref[] = []
  let contested = false
  change.members.forEach((ref, i) => {
    const enters = decide(ref, value, applied, outlook)
    if (enters === undefined || enters === holds(value.members, ref)) return
    if (log.length > 0 && decidedLater(log, start, ref, value)) contested = true
    else if (enters) entering.push([ref, change.keys?.[i]])
    else leaving.push(ref)
  })
  const isLater = log.length === 0 ? undefined : (ref: Ref) => addedLater(log, start, ref)
  return { members: enter(leave(value.members, leaving), entering, change.at, isLater), contested }
}

/** Whether a member shall be in a list, by what the change says of it; undefined if it says nothing. */
function decide(ref: Ref, value: ListValue, applied: Applied, outlook: MemberOutlook): boolean | undefined {
  const { change } = applied
  const record = recordOf(ref, applied, outlook)
  const matches = record !== undefined && change.matches(value.args, record, ref)
  if (change.op === 'remove') return matches ? false : undefined
  if (change.op === 'move') return matches
  return matches ? true : undefined
}

/** Members without some of them. */
export function leave(members: ListMembers, leaving: readonly Ref[]): ListMembers {
  if (leaving.length === 0) return members
  if (!(members instanceof Map)) return applyRemove(members as readonly Ref[], leaving)
  const gone = new Set(leaving.map(refKey))
  const left = new Map<string, Ref>()
  for (const [key, member] of members) if (!gone.has(refKey(member))) left.set(key, member)
  return left
}

/** Members with more of them, each with its key in a map. */
export function enter(
  members: ListMembers,
  entering: readonly [Ref, string | undefined][],
  at: MembershipChange['at'],
  isLater: ((ref: Ref) => boolean) | undefined,
): ListMembers {
  if (entering.length === 0) return members
  if (!(members instanceof Map)) {
    const refs = entering.map(([ref]) => ref)
    return applyAdd(members as readonly Ref[], refs, at, isLater)
  }
  const more = new Map<string, Ref>(members)
  for (const [ref, key] of entering) more.set(key ?? pkOfRef(ref), ref)
  return more
}

function recordOf(ref: Ref, { change, records }: Applied, outlook: MemberOutlook): RowRecord | undefined {
  const entity = change.list.entityOf(ref)
  if (entity === undefined) return undefined
  const value = outlook.valueOf(outlook.plans.of(entity).kind.row(pkOfRef(ref)))
  // The row of a member is an entity's, so what is there is a record.
  return isThere(value) ? (value as RowRecord) : (records.get(refKey(ref)) ?? {})
}

function addedLater(log: readonly LoggedChange[], start: number, ref: Ref): boolean {
  return log.some(({ change, start: other }) => other > start && change.op !== 'remove' && isOf(change, ref))
}

function decidedLater(log: readonly LoggedChange[], start: number, ref: Ref, value: ListValue): boolean {
  return log.some(({ change, start: other, records }) => {
    if (other <= start || !isOf(change, ref)) return false
    return change.op === 'move' || change.matches(value.args, records.get(refKey(ref)) ?? {}, ref)
  })
}

function isOf(change: MembershipChange, ref: Ref): boolean {
  const wanted = refKey(ref)
  return change.members.some((member) => refKey(member) === wanted)
}

/** The members' records as they stand, for a change that is kept for later. */
export function recordsOf(change: MembershipChange, outlook: MemberOutlook): Map<string, RowRecord> {
  const records = new Map<string, RowRecord>()
  for (const ref of change.members) {
    const record = recordOf(ref, { change, start: 0, records }, outlook)
    if (record !== undefined) records.set(refKey(ref), record)
  }
  return records
}

/** What a read makes of a list: its order, then whoever came or went by a mutation that completed since it started. */
export function readList(write: ListWrite, start: number, outlook: MemberOutlook): ListValue {
  const { row, args } = write
  const before = baseOf(row) as ListValue | undefined
  const incoming = write.mayRepeat ? unique(write.members) : write.members
  const read = readPage(before, write.page, incoming, start, row.read?.start ?? 0)
  if (read === undefined && before !== undefined) return before
  let value: ListValue = { args, members: write.members, ...read, loaded: true }
  const since = logOf(row).filter((logged) => logged.done > start)
  since.sort((a, b) => a.start - b.start)
  for (const logged of since) {
    const { members: next } = changeList(row, value, logged, outlook)
    if (next !== value.members) value = { ...value, members: next }
  }
  if (before?.loaded !== true || !equal(before.members, value.members)) return value
  // The order of a single page is the row's own.
  return (value.pages?.length ?? 0) <= 1 && before.pages !== undefined ? before : { ...value, members: before.members }
}

function unique(members: ListMembers): ListMembers {
  return Array.isArray(members) ? distinct(members) : members
}

function logOf(row: ListRow): LoggedChange[] {
  // Every row is made by a Kind; rows see only the part of it that they need.
  return (row.home as Kind).log
}

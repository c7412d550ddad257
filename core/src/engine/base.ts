import { sameArg } from '../schema/collection/filter.js'
import type { MembershipChange, RowRecord } from '../schema/schema.js'
import type { Change, ListWrite } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import type { EntityInfos } from '../table/entity-infos.js'
import { pkOfRef } from '../table/list-members.js'
import type { ListRow } from '../table/list-row.js'
import { judge, overtook } from '../table/order.js'
import { type Answer, baseOf, isThere, type ListValue, orderOf, PRESENCE, type Row, TOMBSTONE } from '../table/row.js'
import type { Table } from '../table/table.js'
import { copyPlain, put } from '../util/plain.js'
import type { Commit } from './commit.js'
import { guarded, keepList, keptLists, knowsMembers, noteKeeper } from './kept-lists.js'
import {
  type Applied,
  appliedOf,
  bodiesByRow,
  changeList,
  leavePages,
  listsFor,
  type MemberOutlook,
  readList,
  withBodies,
} from './lists.js'
import { isNewest, type Merged, mergeAnswer, mergeFields, stamp, stampRow } from './merge.js'
import type { Sequence } from './sequence.js'

/** What writing the server's word needs to know. */
export interface Base {
  readonly table: Table
  readonly infos: EntityInfos
  readonly sequence: Sequence
  /** Hears of rows that keep numbers of single fields. */
  contest(row: Row): void
  /** Hears of users' functions that throw in the middle of a commit. */
  readonly report: (error: Error) => void
}

/** What rows of classes with their own `merge` become, worked out before anything is written since users' functions may throw. */
export type Prepared = Map<Row, Merged>

/**
 * Works out what users' own merges make of an answer, and asks whatever of theirs is asked while members come and go.
 *
 * @throws what they throw; nothing is written yet
 */
export function prepare(base: Base, change: Change, answer: Answer): Prepared {
  if (change.memberships.length > 0) rehearse(base, change, answer)
  const prepared: Prepared = new Map()
  for (const [i, info] of change.customs) {
    const row = change.rows[i] as Row
    const record = change.records[i]
    const existing = baseOf(row)
    if (record === undefined || record === TOMBSTONE || !isThere(existing)) continue
    prepared.set(row, mergeAnswer(row, existing as RowRecord, record, info, answer))
  }
  return prepared
}

/** Changes of membership as they will be made, for nothing but what users' functions throw. */
function rehearse(base: Base, change: Change, answer: Answer): void {
  const report = (error: Error): never => {
    throw error
  }
  const expected = (row: Row): unknown => {
    const said = change.said(row)
    const existing = baseOf(row)
    if (said === undefined || said === TOMBSTONE || !isThere(existing)) return said ?? existing
    return { ...(existing as RowRecord), ...said }
  }
  const outlook = { infos: base.infos, valueOf: expected, report }
  const entered = new Map<Row, ListValue>()
  const all = change.memberships.map((each) => appliedOf(guarded(each, report), answer.start, change, outlook))
  for (const applied of all) {
    const { list: schema, op, at, wants } = applied.change
    // Finding lists asks `nonFilterArgumentKeys`; what is not a user's own needs no more.
    const lists = op === 'remove' ? [] : listsFor(base.table.listKind(schema), applied, outlook)
    if (wants !== undefined && typeof at !== 'function' && base.table.kept.size === 0) continue
    for (const list of lists) {
      const value = (entered.get(list) ?? baseOf(list)) as ListValue | undefined
      if (value === undefined) continue
      const { members } = changeList(list, value, applied, outlook)
      if (members !== value.members) entered.set(list, { ...value, members })
    }
  }
  for (const list of keptLists(base.table)) {
    const value = (entered.get(list) ?? baseOf(list)) as ListValue | undefined
    if (value !== undefined) keepList(list, value, change.rows, entered.has(list), outlook)
  }
}

/** Writes an answer into what the server said, by the rules of order. */
export function applyToBase(base: Base, commit: Commit, change: Change, answer: Answer, prepared: Prepared): void {
  const changed = writeRows(base, commit, change, answer, prepared)
  const written = new Set<Row>()
  for (const write of change.lists) writeList(base, commit, write, answer)
  for (const { row } of change.lists) written.add(row)
  const entered = new Set<Row>()
  const { infos, report } = base
  const outlook = { infos, valueOf: baseOf, report }
  const all = change.memberships.map((each) => appliedOf(guarded(each, report), answer.start, change, outlook))
  for (const applied of all) changeMembership(base, commit, applied, answer, entered)
  const bodies = bodiesByRow(all, outlook)
  for (const [row, body] of bodies) if (differs(baseOf(row), body)) commit.markStale(row, answer.done)
  if (base.table.kept.size === 0) return
  const touched = bodies.size === 0 ? changed : [...new Set([...changed, ...bodies.keys()])]
  keepLists(base, commit, { changed: touched, written, entered }, answer, withBodies(outlook, bodies))
}

/** True if a row shows something else than a call said it would: only the server knows which it is. */
function differs(value: unknown, body: RowRecord): boolean {
  if (!isThere(value)) return false
  const record = value as RowRecord
  return Object.keys(body).some((field) => Object.hasOwn(record, field) && !sameArg(record[field], body[field]))
}

/** Writes an answer's rows; returns those that have become others, if anybody wants to know. */
function writeRows(base: Base, commit: Commit, change: Change, answer: Answer, prepared: Prepared): Row[] {
  // A read's fields are told apart only if a read that started before it is under way; a mutation's, if anything is.
  const oldest = base.sequence.oldest(answer.start)
  const overlaps = answer.mutation ? oldest !== Infinity : oldest < answer.start
  const isSimple = !answer.mutation && !overlaps
  const isAsked = base.table.kept.size > 0 || change.lists.some(({ list }) => knowsMembers(list))
  const changed: Row[] = []
  for (let i = 0; i < change.rows.length; i++) {
    const row = change.rows[i] as Row
    const info = change.customs.size === 0 ? undefined : change.customs.get(i)
    const before = baseOf(row)
    const record = change.records[i] as RowRecord | typeof TOMBSTONE
    if (record === TOMBSTONE) bury(base, commit, row, answer)
    else if (!(isSimple && info === undefined && writeNewer(commit, row, record, answer)))
      writeRecord(base, commit, row, record, info, answer, overlaps, prepared)
    if (isAsked && baseOf(row) !== before) changed.push(row)
  }
  return changed
}

/**
 * The common case by a short way that comes to the same as `writeRecord`: a read that nothing overlaps brings a row of which older
 * reads alone are known, or nothing. False if this is not that case.
 */
function writeNewer(commit: Commit, row: Row, record: RowRecord, answer: Answer): boolean {
  const { value, read } = row
  if (row.side !== undefined) return false
  if (value === undefined && read === undefined) commit.setBase(row, record)
  else if (!isThere(value) || read === undefined || read.start >= answer.start) return false
  // What stands in an entity's row and is no tombstone is a record.
  else commit.setBase(row, mergeFields(value as RowRecord, record))
  row.read = answer
  return true
}

/** What an answer did before lists are asked who belongs to them. */
interface Deeds {
  /** Rows that it changed. */
  readonly changed: readonly Row[]
  /** Lists that it carried whole. */
  readonly written: ReadonlySet<Row>
  /** Lists that members came to, or left. */
  readonly entered: ReadonlySet<Row>
}

/** Lists that know by themselves who is in them gain or lose the rows that changed. */
function keepLists(
  base: Base,
  commit: Commit,
  { changed, written, entered }: Deeds,
  answer: Answer,
  outlook: MemberOutlook,
): void {
  for (const list of keptLists(base.table)) {
    const value = baseOf(list) as ListValue | undefined
    if (value === undefined) continue
    // What an answer says of a list itself holds, but for rows that a mutation changed since it was asked for.
    const rows = written.has(list) ? mutatedSince(base, list, answer) : changed
    const isOpen = written.has(list) || entered.has(list)
    const { members, isUnknown, isTouched } = keepList(list, value, rows, isOpen, outlook)
    // In a layer's eyes a changed row may stand elsewhere, though it does not in the server's.
    if ((isTouched || (written.has(list) && changed.length > 0)) && list.keeper?.compare !== undefined)
      commit.disturb(list, -1)
    const at = answer.mutation ? answer.done : answer.start
    if (isUnknown) commit.markStale(list, at)
    if (members === value.members) continue
    commit.setBase(list, { ...value, members })
    if (answer.mutation && list.read !== undefined && list.read.start > answer.start) commit.markStale(list, at)
  }
}

function* mutatedSince(base: Base, list: ListRow, answer: Answer): Generator<Row, void> {
  for (const kind of base.table.kinds.values()) {
    if (list.keeper?.refOf?.(kind.key, '') === undefined) continue
    for (const row of kind.rows.values()) if (row.mutated !== undefined && row.mutated.done > answer.start) yield row
  }
}

function writeRecord(
  base: Base,
  commit: Commit,
  row: Row,
  record: RowRecord,
  info: EntityInfo | undefined,
  answer: Answer,
  overlaps: boolean,
  prepared: Prepared,
): void {
  const existing = baseOf(row)
  if (existing === undefined) commit.setBase(row, record)
  else if (existing === TOMBSTONE) {
    const known = orderOf(row, PRESENCE)
    const verdict = judge(answer, known)
    // It may have been there when the answer was looked at: then the record is the answer's.
    if (verdict === 'newer' || verdict === 'contested') commit.setBase(row, copyPlain(record))
    if (verdict === 'contested' || verdict === 'overtaken') commit.markStale(row, overtook(answer, known))
  } else {
    // What stands in an entity's row and is no tombstone is a record.
    const before = existing as RowRecord
    const merged = prepared.get(row) ?? mergeAnswer(row, before, record, info, answer)
    commit.setBase(row, merged.record)
    commit.markStale(row, merged.stale)
  }
  if (stamp(row, existing, record, answer, overlaps)) base.contest(row)
  if (answer.mutation) commit.disturb(row, -1)
}

/** Leaves a tombstone, unless the row was written by what is newer than the deletion. */
function bury(base: Base, commit: Commit, row: Row, answer: Answer): void {
  const existing = baseOf(row)
  const known = orderOf(row, PRESENCE)
  const verdict = judge(answer, known)
  const wins = verdict === 'newer' || verdict === 'contested'
  if (wins) commit.setBase(row, TOMBSTONE)
  if (existing !== TOMBSTONE && existing !== undefined && verdict !== 'newer' && verdict !== 'older') {
    commit.markStale(row, overtook(answer, known))
  }
  if (isNewest(row, answer)) stampRow(row, answer)
  else if (stamp(row, existing, knownFields(row, existing), answer, true)) base.contest(row)
  if (answer.mutation) commit.disturb(row, -1)
}

/** What a deletion tells of: all that is known of a row. */
function knownFields(row: Row, existing: unknown): RowRecord {
  const fields: Record<string, unknown> = isThere(existing) ? { ...(existing as RowRecord) } : {}
  for (const field of row.side?.fields?.keys() ?? []) if (typeof field === 'string') put(fields, field, undefined)
  return fields
}

function writeList(base: Base, commit: Commit, write: ListWrite, answer: Answer): void {
  const { row } = write
  base.table.listKind(write.list).finder.add(row, write.args)
  noteKeeper(base.table, row, write.list)
  const known = orderOf(row, PRESENCE)
  const verdict = judge({ ...answer, mutation: answer.mutation }, { ...known, done: answer.mutation ? known.done : 0 })
  const existing = baseOf(row) as ListValue | undefined
  // A page joins what is there also when it comes late; an older answer of the whole list is ignored whole.
  const isPage = write.page !== undefined || (existing?.pages?.length ?? 0) > 1
  if ((verdict === 'older' || verdict === 'overtaken') && !isPage && existing !== undefined) return
  const outlook = { infos: base.infos, valueOf: baseOf, report: base.report }
  const value = readList(write, answer.start, outlook)
  commit.setBase(row, value)
  stampRow(row, answer)
}

/** Puts members into lists, or takes them out, and remembers it while there are answers under way that cannot know of it. */
function changeMembership(base: Base, commit: Commit, applied: Applied, answer: Answer, entered: Set<Row>): void {
  const { change } = applied
  const kind = base.table.listKind(change.list)
  const outlook = { infos: base.infos, valueOf: baseOf, report: base.report }
  for (const list of listsFor(kind, applied, outlook)) {
    const value = baseOf(list) as ListValue | undefined
    if (value === undefined) continue
    const { members, contested } = changeList(list, value, applied, outlook)
    if (members !== value.members) {
      const pages = change.op === 'add' ? value.pages : leavePages(value.pages, change.members)
      commit.setBase(list, { ...value, members, pages })
      entered.add(list)
      // A read that started after the mutation has, or has not, seen it: only the server knows in which order it applied them.
      if (answer.mutation && list.read !== undefined && list.read.start > answer.start)
        commit.markStale(list, answer.done)
      if (change.op === 'move' && isHalfKnown(base, change, list)) commit.markStale(list, answer.done)
    }
    if (contested) commit.markStale(list, answer.done)
  }
  // Also where nothing changed: layers that started earlier have no say in it any more.
  if (answer.mutation) for (const layer of kind.watchers) layer.dirty = true
  const done = answer.mutation ? answer.done : answer.start
  if (base.sequence.oldest(answer.start) < done) kind.log.push({ ...applied, done })
}

/** True if the change brought a list a row that no read ever wrote: it would show half of it. */
function isHalfKnown(base: Base, change: MembershipChange, list: ListRow): boolean {
  return change.members.some((ref) => {
    const entity = change.list.entityOf(ref)
    if (entity === undefined) return false
    const held = (baseOf(list) as ListValue).members
    return base.infos.of(entity).kind.row(pkOfRef(ref)).read === undefined && [...held.values()].includes(ref)
  })
}

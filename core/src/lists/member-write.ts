import {
  type Inline,
  isInline,
  type ListArgs,
  type ListMembers,
  type ListSchema,
  type Member,
  type MembershipChange,
  pkOfRef,
  type RowRecord,
} from '../schema/schema.js'
import type { Change, ListWrite } from '../table/change.js'
import type { Level, LevelReader } from '../table/level.js'
import { isThere, type ListNode, type ListValue, type RecordRow, type Row } from '../table/row.js'
import { equal } from '../util/equal.js'
import { CallbackError } from '../util/errors.js'
import { isFilter, isNested } from './filter.js'
import type { ListKind, MemberWrite } from './list-kind.js'
import { MemberDraft } from './member-draft.js'
import { distinct, refKey, sameRef } from './membership.js'
import { type PageContext, type ReadPage, readPage } from './pages.js'

/** Orders a membership change of a response or a layer, and notes what is known of its members, to be written where its rows are. */
export function memberWrite(change: MembershipChange, origin: Change, level: LevelReader, order: Level): MemberWrite {
  const bodies = openBodies(change, origin, order)
  const records = new Map<string | Inline, RowRecord>()
  const write = { change, start: order.start, done: order.at, records, bodies }
  for (const ref of change.members) {
    const record = memberRecord(ref, write, level)
    if (record !== undefined) records.set(refKey(ref), record)
  }
  return write
}

/** Fields of members that the call's body has, the response lacks, and no later mutation has settled. */
function openBodies(change: MembershipChange, origin: Change, level: Level): ReadonlyMap<string | Inline, RowRecord> {
  const bodies = new Map<string | Inline, RowRecord>()
  change.bodies?.forEach((body, i) => {
    const ref = change.members[i] as Member
    const row = memberRow(ref, change, level)
    const written = row === undefined ? undefined : origin.written(row)
    const isOpen = (field: string): boolean =>
      !(isThere(written) && Object.hasOwn(written, field)) && (row === undefined || level.decides(row, field))
    const left = Object.entries(body).filter(([field, value]) => value !== undefined && isOpen(field))
    if (left.length > 0) bodies.set(refKey(ref), Object.fromEntries(left))
  })
  return bodies
}

/** The same by row, for predicate lists. */
export function bodiesByRow(all: readonly MemberWrite[], level: LevelReader): ReadonlyMap<RecordRow, RowRecord> {
  const rows = new Map<RecordRow, RowRecord>()
  for (const { change, bodies } of all) {
    for (const ref of change.members) {
      const body = bodies.get(refKey(ref))
      const row = memberRow(ref, change, level)
      if (body !== undefined && row !== undefined) rows.set(row, body)
    }
  }
  return rows
}

/** The same level, where rows have these fields too. */
export function withBodies(level: LevelReader, bodies: ReadonlyMap<Row, RowRecord>): LevelReader {
  if (bodies.size === 0) return level
  return {
    row: (entity, pk) => level.row(entity, pk),
    report: (error) => level.report(error),
    valueOf: (row) => {
      const value = level.valueOf(row)
      const body = bodies.get(row)
      return body === undefined || !isThere(value) ? value : { ...(value as RowRecord), ...body }
    },
  }
}

/** What a list becomes by a change. */
export interface ListOutcome extends Pick<MemberDraft, 'members' | 'steps'> {
  /** The members without those that left, before others came. */
  readonly left: ListMembers
  /** True if a mutation that started later had already decided on a member, so that the list may not be what the server has. */
  readonly conflicts: boolean
}

/**
 * The lists that a change may concern, few of many: those that hold its members, and those that have the wanted arguments. All of
 * them only where a user's own filter decides who enters.
 */
export function listsFor(kind: ListKind, { change, records }: MemberWrite, level: LevelReader): Iterable<ListNode> {
  const { list, op, wants, members } = change
  if (op !== 'remove' && (wants === undefined || list.isFilter === undefined)) return kind.rows.values()
  const lists = new Set<ListNode>()
  if (op !== 'add') kind.byMember.find(members, kind.rows, lists)
  if (op === 'remove' || wants === undefined) return lists
  for (const ref of members) {
    const record = records.get(refKey(ref))
    if (record === undefined) continue
    kind.finder.find(
      (name) => asksFilter(list, name, level),
      (name) => wants(name, record),
      (found) => lists.add(found),
    )
  }
  return lists
}

/** If a test throws in the middle of a commit, every list is tested. */
function asksFilter(list: ListSchema, name: string, level: LevelReader): boolean {
  try {
    return isFilter(list, name)
  } catch (error) {
    // `isFilter` throws nothing but a CallbackError.
    level.report(error as Error)
    return true
  }
}

/** A list's members after a change; those that a later-started mutation decided on are left alone. */
export function changeList(list: ListNode, value: ListValue, write: MemberWrite, level: LevelReader): ListOutcome {
  const { change, start } = write
  const kind = kindOf(list)
  const { log, unsorted } = kind
  const entering: [Member, string | undefined][] = []
  const leaving: Member[] = []
  let conflicts = false
  // The Collection whose `belongs` and `compare` the list follows.
  const predicates = { schema: kind.predicates.get(list), args: value.args }
  const placeIn = kind.placeFinder(value.members)
  /** If a map is changed by keys, true if it has the member there. */
  const isIn = (ref: Member, key: string | undefined): boolean => {
    if (change.at !== 'key' || key === undefined || !(value.members instanceof Map)) return placeIn(ref) >= 0
    const there: Member | undefined = value.members.get(key)
    return there !== undefined && sameRef(there, ref)
  }
  change.members.forEach((ref, i) => {
    const key = change.keys?.[i]
    if (change.op === 'remove' && placeIn(ref) < 0) return
    const enters = decide(write, ref, predicates, level)
    if (enters === undefined || (change.op !== 'remove' && enters === isIn(ref, key))) return
    if (log.length > 0 && decidedLater(log, write, i, value.args)) conflicts = true
    else if (enters) entering.push([ref, key])
    else leaving.push(ref)
  })
  const isLater = log.length === 0 ? undefined : (ref: Member) => addedLater(log, start, ref)
  const draft = new MemberDraft(value.members)
  draft.remove(leaving, placeIn)
  const { members: left } = draft
  draft.add(entering, change.at, isLater)
  const { members, steps } = draft
  if (unsorted.has(value.members)) unsorted.add(members)
  return { members, steps, left, conflicts }
}

/** Whether a change puts a member into a list or takes it out; undefined if it does neither. */
function decide(
  write: MemberWrite,
  ref: Member,
  { schema, args }: { readonly schema: ListSchema | undefined; readonly args: ListArgs },
  level: LevelReader,
): boolean | undefined {
  const { change } = write
  const record = memberRecord(ref, write, level)
  // A list with `belongs` decides alone which members to add.
  if (change.op !== 'remove' && record !== undefined) {
    const belongs = doesBelong(schema, args, record, level)
    if (typeof belongs === 'boolean') return belongs || (change.op === 'move' ? false : undefined)
  }
  const matches = record !== undefined && change.matches(args, record, ref)
  if (change.op === 'remove') return matches ? false : undefined
  if (change.op === 'move') return matches
  return matches ? true : undefined
}

/** Whether a row belongs to a list by its Collection's `belongs`; undefined if it has none, or if that throws. */
export function doesBelong(
  schema: ListSchema | undefined,
  args: ListArgs,
  record: RowRecord,
  level: LevelReader,
): boolean | 'unknown' | undefined {
  // A list that belongs to its parent has no arguments to judge by.
  if (schema?.belongs === undefined || isNested(args)) return undefined
  try {
    return schema.belongs(record, args)
  } catch (cause) {
    level.report(new CallbackError('belongs', schema.key, { cause }))
    return undefined
  }
}

function memberRow(ref: Member, { list }: MembershipChange, level: LevelReader): RecordRow | undefined {
  const entity = list.entityOf(ref)
  return entity && level.row(entity, pkOfRef(ref))
}

function memberRecord(
  ref: Member,
  { change, records, bodies }: MemberWrite,
  level: LevelReader,
): RowRecord | undefined {
  // What is no row's is its own record.
  if (isInline(ref)) return typeof ref.inline === 'object' ? ((ref.inline as RowRecord | null) ?? undefined) : undefined
  const row = memberRow(ref, change, level)
  if (row === undefined) return undefined
  const value = level.valueOf(row)
  const key = refKey(ref)
  // The row of a member is an entity's, so what is there is a record.
  const record = isThere(value) ? value : (records.get(key) ?? {})
  const body = bodies.get(key)
  return body === undefined ? record : { ...record, ...body }
}

function addedLater(log: readonly MemberWrite[], start: number, ref: Member): boolean {
  return log.some(({ change, start: other }) => other > start && change.op !== 'remove' && isOf(change, ref))
}

/** True if a mutation that started later decided on a member, or on the member under its key. */
function decidedLater(
  log: readonly MemberWrite[],
  { change: own, start }: MemberWrite,
  i: number,
  args: ListArgs,
): boolean {
  const ref = own.members[i] as Member
  const key = own.keys?.[i]
  return log.some(({ change, start: other, records }) => {
    if (other <= start) return false
    const isKey = own.at === 'key' && change.at === 'key' && key !== undefined && change.keys?.includes(key) === true
    if (!isKey && !isOf(change, ref)) return false
    return change.op === 'move' || change.matches(args, records.get(refKey(ref)) ?? {}, ref)
  })
}

function isOf(change: MembershipChange, ref: Member): boolean {
  const wanted = refKey(ref)
  return change.members.some((member) => refKey(member) === wanted)
}

/** What a list becomes by a write of the whole or of a page, then by the mutations that it cannot know of. */
export function writtenList(write: ListWrite, level: Level): ListValue {
  const { row, args, members, page, pages, refresh, mayRepeat } = write
  const before = level.valueOf(row)
  const incoming = mayRepeat ? unique(members) : members
  // A layer is newer than all pages.
  const isLayer = level.layer !== undefined
  const start = isLayer ? Number.MAX_SAFE_INTEGER : level.start
  const since = writesSince(row, level)
  const context: PageContext = {
    start,
    newest: row.read?.start ?? 0,
    indexes: isLayer ? undefined : kindOf(row).pageIndexes,
    refresh,
    isFirst: (ref) => since.some(({ change }) => change.at === 'start' && isOf(change, ref)),
    isLater: (ref, start) => {
      const entity = row.home.list?.entityOf(ref)
      return entity !== undefined && (level.row(entity, pkOfRef(ref)).mutated?.done ?? 0) > start
    },
  }
  const read = pages === undefined ? readPage(before, page, incoming, context) : { members, pages }
  if (read === undefined && before !== undefined) return before
  const { edit, ...joined }: Partial<ReadPage> = read ?? {}
  // Maps have no edits.
  if (edit !== undefined) row.expect({ before: before?.members as readonly Member[], members, ...joined, edit })
  let value: ListValue = { args, members, ...joined }
  for (const each of since) {
    const { members: next } = changeList(row, value, each, level)
    if (next !== value.members) value = { ...value, members: next }
  }
  if (before === undefined || !equal(before.members, value.members)) return value
  // The order of a single page is the row's own.
  return (value.pages?.length ?? 0) <= 1 && before.pages !== undefined ? before : { ...value, members: before.members }
}

/** Mutations that completed since a read started; for a layer, those that started later than it. */
function writesSince(row: ListNode, { layer, start }: Level): readonly MemberWrite[] {
  const since = kindOf(row).log.filter((logged) => (layer === undefined ? logged.done : logged.start) > start)
  return since.sort((a, b) => a.start - b.start)
}

function unique(members: ListMembers): ListMembers {
  return Array.isArray(members) ? distinct(members) : members
}

function kindOf({ home }: ListNode): ListKind {
  // A list's row is made by a ListKind; rows see only the part of it that they need.
  return home as ListKind
}

/** What an empty response leaves of what its optimistic response did to lists; returns the rows that it moved. */
export function settleLists(
  optimistic: Change,
  change: Change,
  isReal: (pk: string) => boolean,
  rowOf: Level['row'],
): readonly Row[] {
  change.lists.push(...optimistic.lists)
  const moved: Row[] = []
  for (const membership of optimistic.memberships) {
    const { op, list, members, keys, bodies } = membership
    const areReal = members.map((ref) => isReal(pkOfRef(ref)))
    change.memberships.push({
      ...membership,
      matches: (args, record, member) => membership.matches(args, record, member),
      members: members.filter((_, i) => areReal[i]),
      keys: keys?.filter((_, i) => areReal[i]),
      bodies: bodies?.filter((_, i) => areReal[i]),
    })
    for (const ref of op === 'move' ? members : []) {
      const entity = list.entityOf(ref)
      if (entity !== undefined) moved.push(rowOf(entity, pkOfRef(ref)))
    }
  }
  return moved
}

import type { Write } from '../commit/write.js'
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
import type { Change, ListWrite, MemberWrite } from '../table/change.js'
import type { EntityRow, ListNode, ListValue, Row } from '../table/row.js'
import { isThere } from '../table/value.js'
import { equal } from '../util/equal.js'
import { type Entering, findIn, withMore, without } from './edits.js'
import { contradicts, type FilteredList, isFilter, isNested } from './filter.js'
import { type ListKind, listKindOf } from './list-kind.js'
import { ListsByMember } from './lists-by-member.js'
import { arrayOf, distinct, refKey, sameRef } from './members.js'
import { FIRST, type PageContext, readPage } from './pages.js'

/** Returns a membership change with its position in the order and the current records of its members. */
export function memberWrite(change: MembershipChange, write: Write): MemberWrite {
  const records = new Map<string | Inline, RowRecord>()
  const { start, sent, at } = write
  const made = { change, start, sent, at, records, bodies: openBodies(change, write) }
  for (const ref of change.members) {
    const record = memberRecord(ref, made, write)
    if (record !== undefined) records.set(refKey(ref), record)
  }
  return made
}

/** Returns fields of members in the call's body that neither the response nor a later mutation contains. */
function openBodies(change: MembershipChange, write: Write): ReadonlyMap<string | Inline, RowRecord> {
  const bodies = new Map<string | Inline, RowRecord>()
  change.bodies?.forEach((body, i) => {
    const ref = change.members[i] as Member
    const row = memberRow(ref, change, write)
    const written = row && write.change.written(row)
    const isOpen = (field: string): boolean =>
      !(isThere(written) && Object.hasOwn(written, field)) && (row === undefined || write.decides(row, field))
    const left = Object.entries(body).filter(([field, value]) => value !== undefined && isOpen(field))
    if (left.length > 0) bodies.set(refKey(ref), Object.fromEntries(left))
  })
  return bodies
}

/** Returns the bodies by row for predicate lists, and records them in the journal. */
export function noteBodies(all: readonly MemberWrite[], write: Write): ReadonlyMap<EntityRow, RowRecord> {
  for (const { change, bodies } of all) {
    for (const ref of change.members) {
      const body = bodies.get(refKey(ref))
      const row = memberRow(ref, change, write)
      if (body !== undefined && row !== undefined) write.entry.bodies.set(row, body)
    }
  }
  return write.entry.bodies
}

/** Returns the lists that a change may affect: those with its members, and those with matching arguments. */
export function listsFor(kind: ListKind, { change, records }: MemberWrite, write: Write): Iterable<ListNode> {
  const { list, op, wants, members } = change
  if (op !== 'remove' && (wants === undefined || list.isFilter === undefined)) return kind.rows.values()
  const lists = new Set<ListNode>()
  if (op !== 'add') {
    kind.byMember ??= new ListsByMember()
    kind.byMember.find(members, kind.rows, lists, write.layer === undefined && write.commit.changed === undefined)
  }
  if (op === 'remove' || wants === undefined) return lists
  for (const ref of members) {
    const record = records.get(refKey(ref))
    if (record === undefined) continue
    kind.finder.find(
      // If a filter throws, every list is tested.
      (name) => write.ask('nonFilterArgumentKeys', list.key, () => isFilter(list, name), true),
      (name) => wants(name, record),
      (found) => lists.add(found),
    )
  }
  return lists
}

/** The result of a membership change for one list. */
export interface ListOutcome {
  readonly members: ListMembers
  /** The members after the removals, before the additions. */
  readonly left: ListMembers
  /** True if a later-started mutation had already decided about a member, so that the server's list may differ. */
  readonly conflicts: boolean
}

/**
 * Returns a list's members after a change, except for members about which a later-started mutation has decided, or a read by
 * `isSettled`.
 */
export function changeList(
  list: ListNode,
  value: ListValue,
  made: MemberWrite,
  write: Write,
  isSettled?: (ref: Member, start: number) => boolean,
): ListOutcome {
  const { change, start } = made
  const { key, predicates } = listKindOf(list)
  const log = write.store.journal.members(key)
  const { args, members } = value
  const entering: Entering[] = []
  const leaving: Member[] = []
  let conflicts = false
  const all = arrayOf(members)
  const has = (ref: Member): boolean => findIn(all, ref) >= 0
  /** For a change of a map by keys, true if the map has the member under the key. */
  const isIn = (ref: Member, key: string | undefined): boolean => {
    if (change.at !== 'key' || key === undefined || !(members instanceof Map)) return has(ref)
    const there: Member | undefined = members.get(key)
    return there !== undefined && sameRef(there, ref)
  }
  change.members.forEach((ref, i) => {
    const at = change.keys?.[i]
    if (isSettled?.(ref, start) || (change.op === 'remove' && !has(ref))) return
    const enters = decide(made, ref, predicates.get(list), args, write)
    if (enters === undefined || (change.op !== 'remove' && enters === isIn(ref, at))) return
    if (decidedLater(log, made, i, args)) conflicts = true
    else if (enters) entering.push([ref, at])
    else leaving.push(ref)
  })
  const isLater = (ref: Member): boolean =>
    log.some((other) => other.start > start && other.change.op !== 'remove' && isOf(other.change, ref))
  const isLayer = write.layer !== undefined
  const left = without(members, leaving, isLayer)
  const more = (): ListMembers => withMore(left, entering, change.at, isLayer, isLater)
  if (typeof change.at !== 'function') return { members: more(), left, conflicts }
  const atEnd = (): ListMembers => withMore(left, entering, 'end', isLayer, isLater)
  return { members: write.ask('addWith', change.list.key, more, undefined) ?? atEnd(), left, conflicts }
}

/** Returns true if a change adds a member to a list, false if it removes it, undefined if it does neither. */
function decide(
  made: MemberWrite,
  ref: Member,
  predicate: ListSchema | undefined,
  args: ListArgs,
  write: Write,
): boolean | undefined {
  const { change } = made
  const { op, list } = change
  const record = memberRecord(ref, made, write)
  // `belongs` alone decides which members to add.
  if (op !== 'remove' && record !== undefined) {
    const belongs = doesBelong(predicate, args, record, write)
    if (typeof belongs === 'boolean') return belongs || (op === 'move' ? false : undefined)
  }
  const matches =
    record !== undefined &&
    write.ask('createCollectionFilter', list.key, () => change.matches(args, record, ref), undefined)
  if (op === 'move') return matches
  return matches ? op === 'add' : undefined
}

/**
 * Returns whether a row belongs to a list by its Collection's `belongs`; undefined if there is none.
 *
 * @param wrote - the written fields: the result is undefined if `belongs` reads only others. If it reads none, as for a list
 * of all rows, every write counts.
 */
export function doesBelong(
  schema: ListSchema | undefined,
  args: ListArgs,
  record: RowRecord,
  write: Write,
  wrote?: RowRecord,
): boolean | 'unknown' | undefined {
  // A list that belongs to its parent has no arguments for `belongs`.
  if (schema?.belongs === undefined || isNested(args)) return undefined
  let counts = true
  let hasRead = false
  const onRead = (field: string | symbol): void => {
    const isWritten = wrote !== undefined && Object.hasOwn(wrote, field)
    counts = isWritten || (hasRead && counts)
    hasRead = true
  }
  const judged = wrote === undefined ? record : watched(record, onRead)
  const belongs = write.ask('belongs', schema.key, () => schema.belongs?.(judged, args), undefined)
  return counts ? belongs : undefined
}

/** Returns a record that reports reads of its fields. */
function watched(record: RowRecord, onRead: (field: string | symbol) => void): RowRecord {
  return new Proxy(record, {
    get(target, field) {
      onRead(field)
      return Reflect.get(target, field)
    },
    // Copying the record reads all fields, and `in` reads one.
    getOwnPropertyDescriptor(target, field) {
      onRead(field)
      return Reflect.getOwnPropertyDescriptor(target, field)
    },
    has(target, field) {
      onRead(field)
      return Reflect.has(target, field)
    },
  })
}

/** Returns the row of a member; undefined for a member that is not a row. */
export function memberRow(ref: Member, { list }: MembershipChange, write: Write): EntityRow | undefined {
  const entity = list.entityOf(ref)
  return entity && write.row(entity, pkOfRef(ref))
}

function memberRecord(ref: Member, { change, records, bodies }: MemberWrite, write: Write): RowRecord | undefined {
  // A member that is not a row is its own record.
  if (isInline(ref)) return typeof ref.inline === 'object' ? ((ref.inline as RowRecord | null) ?? undefined) : undefined
  const row = memberRow(ref, change, write)
  if (row === undefined) return undefined
  const key = refKey(ref)
  // Members are entities, so the value of their rows is a record.
  const record = isThere(row.value) ? row.value : (records.get(key) ?? {})
  const body = bodies.get(key)
  return body === undefined ? record : { ...record, ...body }
}

/**
 * True if a later-started mutation has decided about a member, or about the member under the same key, and had not ended when
 * this one was sent.
 */
function decidedLater(
  log: readonly MemberWrite[],
  { change: own, start, sent }: MemberWrite,
  i: number,
  args: ListArgs,
): boolean {
  const ref = own.members[i] as Member
  const key = own.keys?.[i]
  return log.some(({ change, start: other, at, records }) => {
    if (other <= start || at <= sent) return false
    const isKey = own.at === 'key' && change.at === 'key' && key !== undefined && change.keys?.includes(key) === true
    if (!isKey && !isOf(change, ref)) return false
    return change.op === 'move' || change.matches(args, records.get(refKey(ref)) ?? {}, ref)
  })
}

/** True if a change contains a member. */
export function isOf(change: MembershipChange, ref: Member): boolean {
  return change.members.some((member) => sameRef(member, ref))
}

/** Returns a list after a response with the list or a page, and after the mutations that the response may have missed. */
export function writtenList(read: ListWrite, write: Write): ListValue {
  const { row, args, members, page, pages, refresh, after, mayRepeat } = read
  const before = row.value
  const incoming = mayRepeat && Array.isArray(members) ? distinct(members) : members
  const isLayer = write.layer !== undefined
  const { store, rivals } = write
  const unheard = rivals.length === 0 ? [] : store.journal.members(row.home.key, rivals)
  const memberRow = (ref: Member): EntityRow | undefined => {
    const entity = row.home.list?.entityOf(ref)
    return entity && write.row(entity, pkOfRef(ref))
  }
  const newest = row.read?.start ?? 0
  /**
   * True for a member about which mutations disagreed before the newest read of the list. That read has decided: a late page
   * without the member must not bring it back.
   */
  const isSettled = (ref: Member, start: number): boolean => {
    const contested = memberRow(ref)?.marks?.contested ?? 0
    return start < contested && contested <= newest && findIn(arrayOf(incoming), ref) < 0
  }
  // A layer starts after everything below it.
  const since = unheard.filter(({ start }) => !isLayer || start > write.start).sort((a, b) => a.start - b.start)
  const context: PageContext = {
    // Layers are newer than all pages.
    start: isLayer ? Number.MAX_SAFE_INTEGER : write.start,
    newest,
    indexes: isLayer ? undefined : listKindOf(row).pageIndexes,
    refresh,
    after,
    isFirst: (ref) => since.some(({ change }) => change.at === 'start' && isOf(change, ref)),
    isLater: (ref, start) => (memberRow(ref)?.mutated?.done ?? 0) > start,
    isForeign: (ref) => {
      const { value, mutated, marks: { contested = 0 } = {} } = memberRow(ref) ?? {}
      // The read has decided about members on which mutations disagreed before it. Lists are Collections.
      const isDecided = contested > 0 && contested <= newest && contested >= (mutated?.done ?? 0)
      return isDecided || (isThere(value) && contradicts(row.home.list as FilteredList, args, value))
    },
  }
  const joined = pages === undefined ? readPage(before, page, incoming, context) : { members, pages }
  // Only a page that the list has can have a later response.
  if (joined === undefined) return before as ListValue
  if (joined.pages.at(-1)?.cursor !== FIRST.cursor) write.table.hasPages = true
  let value: ListValue = { args, ...joined }
  for (const made of since) {
    const { members: next } = changeList(row, value, made, write, isSettled)
    if (next !== value.members) value = { ...value, members: next }
  }
  if (before === undefined || !equal(before.members, value.members)) return value
  // A single page has the order of the row.
  return value.pages.length <= 1 ? before : { ...value, members: before.members }
}

/** Keeps the list changes of an optimistic response that an empty response confirms. Returns the moved rows. */
export function settleLists(
  optimistic: Change,
  change: Change,
  isReal: (pk: string) => boolean,
  rowOf: Write['row'],
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

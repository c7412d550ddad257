import type { JournalEntry } from '../commit/journal.js'
import type { Write } from '../commit/write.js'
import type { ListMembers, ListSchema, MembershipChange, RowRecord } from '../schema/schema.js'
import type { ListWrite, MemberWrite } from '../table/change.js'
import type { EntityRow, ListNode, ListValue, Row } from '../table/row.js'
import type { Table } from '../table/table.js'
import { isThere, type RecordValue } from '../table/value.js'
import { without } from './edits.js'
import { type FilteredList, isOpenTo, sameArg } from './filter.js'
import { listKind, listKindOf } from './list-kind.js'
import {
  changeList,
  doesBelong,
  isOf,
  listsFor,
  memberRow,
  memberWrite,
  noteBodies,
  writtenList,
} from './member-write.js'
import { arrayOf, placeIn } from './members.js'
import { isFirstPage } from './pages.js'
import { applyPredicates, type Entered, hasPredicates, predicateKinds } from './predicates.js'

const NO_BODIES: ReadonlyMap<EntityRow, RowRecord> = new Map()

/** True if there are predicate lists that may change with the rows of a change: existing ones, or those in the change. */
export function asksAbout({ table, change }: Write): boolean {
  for (const { list } of change.lists) if (hasPredicates(list)) return true
  return predicateKinds(table).length > 0
}

/**
 * Writes the lists of a change: first the lists that it contains, then membership changes, then predicate lists.
 *
 * @param changed - the rows that `belongs` and `compare` must judge again
 */
export function writeLists(write: Write, changed: readonly EntityRow[]): void {
  const { change } = write
  const concerns = change.lists.length + change.memberships.length + write.rivals.length > 0
  if (!concerns && predicateKinds(write.table).length === 0) return
  const carried = new Set<Row>()
  for (const list of change.lists) if (writeList(write, list)) carried.add(list.row)
  const entered = new Set<Row>()
  const all = change.memberships.map((each) => memberWrite(each, write))
  for (const made of all) changeMembers(write, made, entered)
  const bodies = all.length === 0 ? NO_BODIES : noteBodies(all, write)
  for (const [row, body] of bodies) if (differs(row.value, body)) write.markStale(row)
  const rows = bodies.size === 0 ? changed : new Set([...changed, ...bodies.keys()])
  const wrote = write.response?.mutation ? saidOf(write, rows) : undefined
  for (const kind of predicateKinds(write.table)) {
    write.watch(kind)
    for (const [list, schema] of kind.predicates) {
      if (list.value === undefined) continue
      const mayMove = carried.has(list) ? 'any' : entered.has(list) ? enteredBy(change.memberships) : []
      // A list in a response is correct except for what mutations and later reads have told since the request started.
      const isRead = carried.has(list) && write.response !== undefined
      const since = isRead ? writtenSince(write, schema) : undefined
      const isOlder = write.response?.mutation === false && write.start < (list.read?.start ?? 0)
      const outcome = applyPredicates(
        { list, schema, value: list.value, bodies, wrote: since ?? wrote, mayEnter: !isOlder },
        since?.keys() ?? rows,
        mayMove,
        write,
      )
      // A changed row may move on a higher layer even if it does not move here.
      if ((outcome.isTouched || (isRead && changed.length > 0)) && schema.compare !== undefined)
        write.commit.touch(list)
      if (outcome.isUnknown) write.markStale(list, write.at)
      put(write, list, outcome.members)
    }
  }
  if (write.rivals.length > 0) for (const row of write.contested()) nameLists(write, row, all)
}

/** Notes the lists that contain a row now, or do if the server has applied this mutation last, or just before a rival. */
function nameLists(write: Write, row: EntityRow, all: readonly MemberWrite[]): void {
  const own = { ...fieldsOf(row.value), ...fieldsOf(write.said(row)) }
  const candidates = [own, ...write.rivalsOf(row).map((rival) => ({ ...own, ...fieldsOf(rival.said(row)) }))]
  for (const kind of write.table.lists.values()) {
    for (const list of kind.rows.values())
      if (candidates.some((record) => mayHold(write, list, row, record, all))) write.entry.lists.add(list)
  }
}

function fieldsOf(value: RecordValue): RowRecord {
  return isThere(value) ? value : {}
}

/** True if a list would contain a row with these fields, by its Collection's `belongs` or by membership changes. */
function mayHold(write: Write, list: ListNode, row: Row, record: RowRecord, all: readonly MemberWrite[]): boolean {
  const { home, value } = list
  if (value === undefined) return false
  const ref = home.list?.refOf?.(row.home.key, row.pk)
  if (ref === undefined) return false
  if (placeIn(arrayOf(value.members), ref) >= 0) return true
  const belongs = doesBelong(listKindOf(list).predicates.get(list), value.args, record, write)
  if (belongs !== undefined) return belongs === true
  return all.some(({ change }) => {
    if (change.list.key !== home.key || change.op === 'remove' || !isOf(change, ref)) return false
    const call = (): boolean | undefined => change.matches(value.args, record, ref)
    return write.ask('createCollectionFilter', home.key, call, undefined) === true
  })
}

/** Replaces the members of a list. */
function put(write: Write, list: ListNode, members: ListMembers, pages?: ListValue['pages']): void {
  const { value } = list
  if (value === undefined || members === value.members) return
  const { unsorted, byMember } = listKindOf(list)
  if (unsorted.has(value.members)) unsorted.add(members)
  write.put(list, { args: value.args, members, pages: pages ?? value.pages })
  write.entry.lists.add(list)
  byMember?.changed(list)
  // A read that started after a mutation may or may not include it: only the server knows the order.
  if (write.response?.mutation && list.read !== undefined && list.read.start > write.sent) write.markStale(list)
}

/** Returns the fields that a mutation has decided, of rows with earlier responses, which may be older than the lists. */
function saidOf(write: Write, rows: Iterable<Row>): ReadonlyMap<Row, RowRecord> {
  const older = [...rows].filter(({ read, mutated }) => read ?? mutated)
  const decided = (row: Row): RowRecord => {
    const said = Object.entries(fieldsOf(write.said(row)))
    return Object.fromEntries(said.filter(([field]) => write.decides(row, field)))
  }
  return new Map(older.map((row) => [row, decided(row)]))
}

/** Returns members that membership changes may have added, at positions that are not those of `compare`. */
function enteredBy(changes: readonly MembershipChange[]): Entered {
  // A user's merge function may return any order.
  return changes.some(({ at }) => typeof at === 'function') ? 'any' : changes.flatMap(({ members }) => members)
}

/** True if a row's values differ from the call's body: only the server knows which are correct. */
function differs(value: RecordValue, body: RowRecord): boolean {
  if (!isThere(value)) return false
  return Object.keys(body).some((field) => Object.hasOwn(value, field) && !sameArg(value[field], body[field]))
}

/**
 * Returns the fields that mutations have written since the read of a list started, by row. Undefined stands for the whole
 * record: a later read has changed the row, its class has refused the list's version, it arrived with the list, the list was
 * hydrated, or it has no older fields.
 */
function writtenSince(
  { table, start, response, rivals, change, refused }: Write,
  schema: ListSchema,
): ReadonlyMap<EntityRow, RowRecord | undefined> {
  const said = new Map<EntityRow, RowRecord>()
  for (const rival of rivals) {
    if (!rival.version.mutation) continue
    // A move counts even if its response does not contain the row. A deletion has no fields.
    for (const row of [...rival.change.rows, ...rival.bodies.keys()])
      said.set(row, { ...said.get(row), ...fieldsOf(rival.said(row)) })
  }
  const written = new Map<EntityRow, RowRecord | undefined>()
  for (const kind of table.kinds.values()) {
    if (schema.refOf?.(kind.key, '') === undefined) continue
    for (const row of kind.rows.values()) {
      const { done = 0 } = row.mutated ?? {}
      const fields = said.get(row)
      const isNew = row.read === undefined && fields !== undefined && isWithin(fieldsOf(row.value), fields)
      if (fields !== undefined) written.set(row, isNew ? undefined : fields)
      else if (done > start && done !== response?.done) written.set(row, undefined)
    }
  }
  for (const { version, changed } of rivals)
    if (!version.mutation)
      for (const row of changed.keys()) if (schema.refOf?.(row.home.key, '') !== undefined) written.set(row, undefined)
  for (const row of response?.mutation ? change.rows : refused) written.set(row, undefined)
  return written
}

/** True if a record has no other fields than these. */
function isWithin(record: RowRecord, fields: RowRecord): boolean {
  return Object.keys(record).every((field) => Object.hasOwn(fields, field))
}

/** Writes a list. Returns false if a later read has already written it. */
function writeList(write: Write, read: ListWrite): boolean {
  const { row, args, list } = read
  const { finder, byMember, predicates } = listKindOf(row)
  finder.add(row, args)
  if (hasPredicates(list)) {
    write.commit.affectsAll ||= predicates.size === 0
    predicates.set(row, list)
  }
  const before = row.value
  const verdict = write.listVerdict(row)
  // A late page still joins the list, but a late response of the whole list is ignored.
  const end = before?.pages.at(-1)
  const isPage = read.page !== undefined || (end !== undefined && !isFirstPage(end))
  const isLate = verdict === 'older' || verdict === 'overtaken'
  if (isLate && before !== undefined && (!isPage || write.layer !== undefined)) {
    write.watch(row)
    return false
  }
  write.put(row, writtenList(read, write))
  byMember?.changed(row)
  write.stamp(row)
  return true
}

/** Adds members to lists or removes them, and records it in the journal while older requests are in flight. */
function changeMembers(write: Write, made: MemberWrite, entered: Set<Row>): void {
  const { change } = made
  const kind = listKind(write.table, change.list)
  write.watch(kind)
  for (const list of listsFor(kind, made, write)) {
    const { value } = list
    if (value === undefined) continue
    const { members, left, conflicts } = changeList(list, value, made, write)
    if (members !== value.members) {
      const isDoubtful = change.members.some((ref) => isForgotten(memberRow(ref, change, write), write))
      if (isDoubtful || write.rivals.some((rival) => hasChanged(rival, list, change))) write.markStale(list)
      // A single page usually is the list itself, so a long list is copied only once.
      const leave = (page: ListMembers): ListMembers =>
        page === value.members ? left : without(page, change.members, write.layer !== undefined)
      // A member that is added again does not return to its old pages.
      const pages =
        change.op === 'add' ? value.pages : value.pages.map((page) => ({ ...page, members: leave(page.members) }))
      put(write, list, members, pages)
      entered.add(list)
      if (change.op === 'move' && isHalfKnown(write, change, list)) write.markStale(list)
    }
    if (conflicts) write.markStale(list)
  }
  if (write.response === undefined) return
  // Even without a change, layers that started earlier no longer decide about these members.
  if (write.response.mutation) write.commit.changed?.add(kind)
  write.entry.members.push(made)
}

/** Returns the rows that membership changes move, and the lists that they change, without writing them. */
export function affectedBy(write: Write): readonly Row[] {
  const affected: Row[] = []
  for (const change of write.change.memberships) {
    const made = memberWrite(change, write)
    for (const list of listsFor(listKind(write.table, change.list), made, write)) {
      const { value } = list
      if (value !== undefined && changeList(list, value, made, write).members !== value.members) affected.push(list)
    }
    // A removal leaves the row as it is.
    if (change.op === 'move') affected.push(...change.members.flatMap((ref) => memberRow(ref, change, write) ?? []))
  }
  return affected
}

/** Returns the lists of a Collection that the row of an addition may have entered. */
export function mayEnter(schema: ListSchema, call: readonly unknown[], table: Table): readonly Row[] {
  // Lists are Collections.
  const list = schema as FilteredList
  return [...listKind(table, schema).rows.values()].filter(({ value }) => value && isOpenTo(list, value.args, call))
}

/** True if an overlapping mutation has added members of a change to a list or removed them. */
function hasChanged(
  { version, lists, members }: JournalEntry,
  list: ListNode,
  { members: refs }: MembershipChange,
): boolean {
  return (
    version.mutation && lists.has(list) && members.some(({ change }) => refs.some((member) => isOf(change, member)))
  )
}

/**
 * True if an overlapping mutation has written the row, and the journal does not know what it did to lists: one of the two is of
 * another tab.
 */
function isForgotten(row: EntityRow | undefined, { sent, rivals }: Write): boolean {
  return row !== undefined && (row.mutated?.done ?? 0) > sent && !rivals.some((rival) => rival.of(row))
}

/** True if the change added a row that no read has written, of which fields may be missing. */
function isHalfKnown(write: Write, change: MembershipChange, { value }: ListNode): boolean {
  return change.members.some((ref) => {
    const row = memberRow(ref, change, write)
    return row !== undefined && row.read === undefined && placeIn(arrayOf(value?.members ?? []), ref) >= 0
  })
}

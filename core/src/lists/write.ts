import { type ListMembers, type MembershipChange, pkOfRef, type RowRecord } from '../schema/schema.js'
import type { Change, ListWrite } from '../table/change.js'
import type { Level, LevelReader } from '../table/level.js'
import {
  baseOf,
  isThere,
  type ListNode,
  type ListValue,
  type RecordRow,
  type RecordValue,
  type Row,
  TOMBSTONE,
} from '../table/row.js'
import { sameArg } from './filter.js'
import { type ListKind, listKind, type MemberWrite } from './list-kind.js'
import type { MemberDraft } from './member-draft.js'
import { placeFinder } from './member-places.js'
import { bodiesByRow, changeList, listsFor, memberWrite, withBodies, writtenList } from './member-write.js'
import {
  applyPredicates,
  asksUsers,
  type Entered,
  guarded,
  notePredicates,
  type PredicateList,
  predicateLists,
} from './predicates.js'

/**
 * Changes of membership as they will be made, for nothing but what users' functions throw.
 *
 * @throws what they throw; nothing is written
 */
export function rehearseLists(origin: Level, change: Change): void {
  const { table } = origin
  const entered = new Map<Row, ListValue>()
  const report = (error: Error): never => {
    throw error
  }
  const valueNow = (row: Row): unknown => {
    const written = change.written(row)
    const before = entered.get(row) ?? baseOf(row)
    if (written === undefined || written === TOMBSTONE || !isThere(before)) return written ?? before
    return { ...(before as RowRecord), ...written }
  }
  const level: LevelReader = { row: (entity, pk) => origin.row(entity, pk), valueOf: valueNow, report }
  for (const membership of change.memberships) {
    const { list: schema, op, at, wants } = membership
    if (op === 'remove' || (table.predicateKinds.size === 0 && !asksUsers(membership))) continue
    const write = memberWrite(guarded(membership, report), change, level, origin)
    // Finding lists calls `nonFilterArgumentKeys`; what is not a user's own needs no more.
    const lists = listsFor(listKind(table, schema), write, level)
    if (wants !== undefined && typeof at !== 'function' && table.predicateKinds.size === 0) continue
    for (const list of lists) {
      const value = level.valueOf(list)
      if (value === undefined) continue
      const { members } = changeList(list, value, write, level)
      if (members !== value.members) entered.set(list, { ...value, members })
    }
  }
  for (const each of predicateLists(table))
    applyPredicates(each, change.rows, entered.has(each[0]) ? enteredBy(change.memberships) : [], level)
}

/**
 * Writes the lists of a change to a level: lists that it carried, then who comes and goes, then predicate lists.
 *
 * @param changed - Rows that predicate lists are asked about.
 */
export function writeLists(level: Level, change: Change, changed: readonly RecordRow[]): void {
  const { table } = level
  const carried = new Set<Row>()
  for (const write of change.lists) {
    if (writeList(level, write)) carried.add(write.row)
  }
  const entered = new Set<Row>()
  const report = (error: Error): void => level.report(error)
  const all = change.memberships.map((each) => memberWrite(guarded(each, report), change, level, level))
  for (const write of all) changeMembers(level, write, entered)
  const bodies = bodiesByRow(all, level)
  for (const [row, body] of bodies) if (differs(level.valueOf(row), body)) level.markStale(row)
  if (table.predicateKinds.size === 0) return
  const rows = bodies.size === 0 ? changed : new Set([...changed, ...bodies.keys()])
  for (const kind of table.predicateKinds) level.watch(kind)
  for (const each of predicateLists(table)) {
    const [list, schema] = each
    const mayMove = carried.has(list) ? 'any' : entered.has(list) ? enteredBy(change.memberships) : []
    // A list that a response carried is right, but for rows that a mutation changed since the request began.
    const isRead = carried.has(list) && level.response !== undefined
    const asked: PredicateList = [list, schema, !isRead && isReadBefore(level, list)]
    const outcome = applyPredicates(
      asked,
      isRead ? mutatedSince(level, each) : rows,
      mayMove,
      withBodies(level, bodies),
    )
    if (outcome === undefined) continue
    const { value, members, steps, isUnknown, isTouched } = outcome
    // On a higher layer a changed row may move, though it does not here.
    if ((isTouched || (isRead && changed.length > 0)) && schema.compare !== undefined) level.invalidateLayers(list)
    if (isUnknown) level.markStale(list, level.at)
    if (members === value.members) continue
    level.put(list, { ...value, members })
    follow(level, list, { members, steps })
    markIfReadSince(level, list)
  }
}

/** Members that became others. */
type Changed = Pick<MemberDraft, 'members' | 'steps'>

/** A list's members became others, by steps: what is known of them moves on. */
function follow({ layer }: Level, list: ListNode, { members, steps = [] }: Changed): void {
  // A list's row is made by a ListKind; rows see only the part of it that they need.
  if (layer === undefined) (list.home as ListKind).moveOn({ members, steps })
  const [step] = steps
  if (step !== undefined && steps.length === 1) list.expect({ before: step.members, members, edit: step.edit })
}

/** Members that membership changes may have added, at places that say nothing of their order. */
function enteredBy(changes: readonly MembershipChange[]): Entered {
  // A user's own merge may give a list any order.
  return changes.some(({ at }) => typeof at === 'function') ? 'any' : changes.flatMap(({ members }) => members)
}

/** True for the response of a read that started before the one that brought the list. */
function isReadBefore({ response }: Level, { read }: ListNode): boolean {
  return response?.mutation === false && read !== undefined && response.start < read.start
}

/** A read that started after a mutation has, or has not, seen it: only the server knows in which order it applied them. */
function markIfReadSince(level: Level, list: ListNode): void {
  if (level.response?.mutation && list.read !== undefined && list.read.start > level.start) level.markStale(list)
}

/** True if a row has other values than the call's body: only the server knows which are right. */
function differs(value: RecordValue, body: RowRecord): boolean {
  if (!isThere(value)) return false
  return Object.keys(body).some((field) => Object.hasOwn(value, field) && !sameArg(value[field], body[field]))
}

function* mutatedSince({ table, start }: Level, [, schema]: PredicateList): Generator<RecordRow, void> {
  for (const kind of table.kinds.values()) {
    if (schema.refOf?.(kind.key, '') === undefined) continue
    for (const row of kind.rows.values()) if (row.mutated !== undefined && row.mutated.done > start) yield row
  }
}

/** False if a later read of the list tells more. */
function writeList(level: Level, write: ListWrite): boolean {
  const { row, args, list } = write
  listKind(level.table, list).finder.add(row, args)
  notePredicates(level.table, row, list)
  const before = level.valueOf(row)
  const verdict = level.listVerdict(row)
  // A page joins what is there also when it comes late; an older response of the whole list is ignored whole.
  const isPage = write.page !== undefined || (before?.pages?.length ?? 0) > 1
  const isLate = verdict === 'older' || verdict === 'overtaken'
  if (isLate && before !== undefined && (!isPage || level.layer !== undefined)) {
    level.skip(row)
    return false
  }
  level.put(row, writtenList(write, level))
  level.stampRow(row)
  return true
}

/** Puts members into lists, or takes them out, and remembers it while requests are in flight that cannot know of it. */
function changeMembers(level: Level, write: MemberWrite, entered: Set<Row>): void {
  const { change } = write
  const kind = listKind(level.table, change.list)
  level.watch(kind)
  for (const list of listsFor(kind, write, level)) {
    const value = level.valueOf(list)
    if (value === undefined) continue
    const { members, steps, left, conflicts } = changeList(list, value, write, level)
    if (members !== value.members) {
      // A single page mostly is the list itself: long ones are copied once.
      const leave = (page: ListMembers): ListMembers =>
        page === value.members ? left : kind.without(page, change.members, level.layer !== undefined)
      // If who left comes back, it is a new one.
      const pages =
        change.op === 'add' ? value.pages : value.pages?.map((page) => ({ ...page, members: leave(page.members) }))
      level.put(list, { ...value, members, pages })
      follow(level, list, { members, steps })
      entered.add(list)
      markIfReadSince(level, list)
      if (change.op === 'move' && level.response !== undefined && isHalfKnown(level, change, list))
        level.markStale(list)
    }
    if (conflicts) level.markStale(list)
  }
  if (level.response === undefined) return
  // Also where nothing changed: layers that started earlier no longer decide on these members.
  if (level.response.mutation) for (const layer of kind.watchingLayers) layer.dirty = true
  if (level.isUnknownToSome) kind.log.push(write)
}

/** True if the change brought a list a row that no read ever wrote: it would show half of it. */
function isHalfKnown(level: Level, change: MembershipChange, list: ListNode): boolean {
  return change.members.some((ref) => {
    const entity = change.list.entityOf(ref)
    if (entity === undefined) return false
    return level.row(entity, pkOfRef(ref)).read === undefined && placeFinder(baseOf(list)?.members ?? [])(ref) >= 0
  })
}

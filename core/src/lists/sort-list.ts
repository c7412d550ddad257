import { type ListMembers, type ListSchema, type Member, pkOfRef, type RowRecord } from '../schema/schema.js'
import type { LevelReader } from '../table/level.js'
import { isThere } from '../table/row.js'
import { CallbackError } from '../util/errors.js'
import { refKey } from './membership.js'

/** A member with its position, and what its row holds. */
interface Placed {
  readonly key: unknown
  readonly ref: Member
  readonly at: number
  readonly record: RowRecord | undefined
}

/** More changed members than this, and sorting all is as quick as placing each. */
const FEW_MOVED = 16

/**
 * The members in their Collection's order, those without a row last; the same ones if they are in order.
 *
 * @param changed - Members that may be out of order, while all others are in order; undefined if any may be.
 */
export function sortList(
  schema: ListSchema,
  members: ListMembers,
  changed: readonly Member[] | undefined,
  level: LevelReader,
): ListMembers {
  const { compare } = schema
  if (compare === undefined || changed?.length === 0) return members
  const placed = (key: unknown, ref: Member, at: number): Placed => ({
    key,
    ref,
    at,
    record: sortedRecord(schema, ref, level),
  })
  const order = (a: Placed, b: Placed): number => {
    if (a.record === undefined || b.record === undefined)
      return Number(a.record === undefined) - Number(b.record === undefined)
    return compare(a.record, b.record)
  }
  try {
    if (members instanceof Map) return sortMap(members, placed, order)
    // What is no map is an array.
    return sortArray(members as readonly Member[], changed, (ref, at) => placed(at, ref, at), order)
  } catch (cause) {
    level.report(new CallbackError('compare', schema.key, { cause }))
    return members
  }
}

type Order = (a: Placed, b: Placed) => number

function sortMap(
  members: ReadonlyMap<string, Member>,
  placed: (key: string, ref: Member, at: number) => Placed,
  order: Order,
): ListMembers {
  const entries = [...members].map(([key, ref], at) => placed(key, ref, at))
  if (isSorted(entries, order)) return members
  // The keys of a map are text.
  return new Map(entries.sort(order).map(({ key, ref }) => [key as string, ref]))
}

function sortArray(
  members: readonly Member[],
  changed: readonly Member[] | undefined,
  placed: (ref: Member, at: number) => Placed,
  order: Order,
): readonly Member[] {
  if (changed !== undefined && changed.length <= FEW_MOVED) return moveChanged(members, changed, placed, order)
  const entries = members.map(placed)
  return isSorted(entries, order) ? members : entries.sort(order).map(({ ref }) => ref)
}

function isSorted(entries: readonly Placed[], order: Order): boolean {
  return entries.every((entry, i) => i === 0 || order(entries[i - 1] ?? entry, entry) <= 0)
}

/** Moves the changed members that are out of order to where a stable sort of all would put them. */
function moveChanged(
  members: readonly Member[],
  changed: readonly Member[],
  placed: (ref: Member, at: number) => Placed,
  order: Order,
): readonly Member[] {
  const places = placesOf(members, changed)
  const at = (i: number): Placed => placed(members[i] as Member, i)
  const isRight = (i: number): boolean =>
    (i === 0 || order(at(i - 1), at(i)) <= 0) && (i === members.length - 1 || order(at(i), at(i + 1)) <= 0)
  if (places.every(isRight)) return members
  const moving = new Set(places)
  const left = members.map((_, i) => i).filter((i) => !moving.has(i))
  for (const place of places) left.splice(placeAmong(left, place, at, order), 0, place)
  return left.map((i) => members[i] as Member)
}

/** Where a member goes among sorted ones; of equals, the one that stood first comes first. */
function placeAmong(sorted: readonly number[], place: number, at: (i: number) => Placed, order: Order): number {
  const own = at(place)
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = sorted[middle] as number
    if ((order(at(other), own) || other - place) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The positions of the changed members, in their order. */
function placesOf(members: readonly Member[], changed: readonly Member[]): number[] {
  const keys = new Set(changed.map(refKey))
  const places: number[] = []
  members.forEach((ref, i) => {
    if (keys.has(refKey(ref))) places.push(i)
  })
  return places
}

function sortedRecord(schema: ListSchema, ref: Member, level: LevelReader): RowRecord | undefined {
  const entity = schema.entityOf(ref)
  const value = entity === undefined ? undefined : level.valueOf(level.row(entity, pkOfRef(ref)))
  return isThere(value) ? value : undefined
}

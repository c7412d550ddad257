import { equal } from '../util/equal.js'
import { freezeInDevelopment } from '../util/plain.js'

/** A list with the value computed for each of its members. */
export interface MappedMembers {
  readonly value: readonly unknown[]
  readonly out: readonly unknown[]
}

/**
 * Computes a value of each member of a list, for members that were not in the list before. Returns the same array if nothing
 * in it differs.
 *
 * @example
 * ```ts
 * mapMembers([1, 2, 4], { value: [1, 2], out: ['1', '2'] }, String) // ['1', '2', '4'], String is called once
 * ```
 */
export function mapMembers(
  members: readonly unknown[],
  before: MappedMembers | undefined,
  map: (member: unknown) => unknown,
): readonly unknown[] {
  if (before === undefined) return Object.freeze(members.map((member) => freezeInDevelopment(map(member))))
  const { value: old, out: mapped } = before
  const isMoved = old.length !== members.length
  let start = 0
  while (start < members.length && members[start] === old[start]) start++
  let end = members.length
  const shift = old.length - end
  while (end > start && end + shift > start && members[end - 1] === old[end + shift - 1]) end--
  const mappedBefore = new Map<unknown, unknown>()
  for (let i = start; i < end + shift; i++) mappedBefore.set(old[i], mapped[i])
  const middle = members.slice(start, end).map((member, i) => {
    const value = mappedBefore.has(member) ? mappedBefore.get(member) : freezeInDevelopment(map(member))
    const replaced = mapped[start + i]
    return !isMoved && equal(replaced, value) ? replaced : value
  })
  if (!isMoved && middle.every((value, i) => value === mapped[start + i])) return mapped
  // Slicing a frozen array takes fifty times as long.
  const now = [...mapped]
  if (isMoved) return Object.freeze(now.slice(0, start).concat(middle, now.slice(end + shift)))
  for (const [i, value] of middle.entries()) now[start + i] = value
  return Object.freeze(now)
}

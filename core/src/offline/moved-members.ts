import type { Registry } from '../client/registry.js'
import { hydrationOf } from '../hydration/hydration.js'
import { decodeMembers, type StateParts } from '../hydration/read-state.js'
import { decodeValue } from '../hydration/values.js'
import { type ListArgs, type ListSchema, type Member, pkOfRef, type RowRecord } from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { ResponseInfo } from '../table/value.js'
import { equal } from '../util/equal.js'
import { stableKey } from '../util/stable-key.js'

/**
 * Adds the members that a mutation of another tab has moved to its change, so that the lists here contain them exactly
 * where the lists of that tab do; the fields of the row decide about those that it does not have. Lists that nobody has
 * used follow once they are placed.
 */
export function addMoves(
  host: Registry,
  change: Change,
  info: ResponseInfo,
  { lists, moves = [] }: Pick<StateParts, 'lists' | 'moves'>,
): void {
  const { store } = host.runtime
  for (const [kind, , op, isFirst, encoded] of moves) {
    const members = encoded.map((ref) => decodeValue(ref) as Member)
    const told = new Map(
      lists.filter(([of]) => of === kind).map(([, , pk, , of]) => [pk, keysOf(decodeMembers(of).entries())]),
    )
    const keys = new Map([...told.values()].flatMap((of) => [...of]))
    const move = (to: Change): void => {
      const list = store.table.lists.get(kind)?.list
      if (list === undefined) return
      to.memberships.push({
        list,
        op,
        at: isFirst ? 'start' : 'end',
        members,
        keys: list.isMap ? members.map((ref) => `${keys.get(nameOf(ref)) ?? pkOfRef(ref)}`) : undefined,
        matches: (args, record, ref) => {
          const of = told.get(stableKey(args))
          if (of) return of.has(nameOf(ref)) === (op !== 'remove')
          return op === 'remove' ? undefined : isInByFields(list, args, record)
        },
      })
    }
    const isLater = hydrationOf(host).onceListed(kind, () => {
      const moved = new Change()
      move(moved)
      store.quietly(info, moved)
    })
    if (!isLater) move(change)
  }
}

/** True for a list that contains a row by the row's own fields; undefined if they do not tell. */
function isInByFields(list: ListSchema, args: ListArgs, record: RowRecord): boolean | undefined {
  if (!list.hasDefaultFilter) return undefined
  let isIn: true | undefined = true
  for (const name of Object.keys(args)) {
    if (!list.isFilter?.(name)) continue
    const field = record[name]
    if (field === undefined) isIn = undefined
    // Lists have numbers and booleans as text.
    else if (!equal(args[name], typeof field === 'object' ? field : String(field))) return false
  }
  return isIn
}

/** Returns the members that only one of two lists has. */
export function differing(one: Iterable<Member>, other: Iterable<Member>): readonly Member[] {
  const left = new Map(Array.from(one, (ref) => [nameOf(ref), ref]))
  const more = [...other].filter((ref) => !left.delete(nameOf(ref)))
  return [...left.values(), ...more]
}

/** Returns the keys of members, or their places in an array, by the members. */
function keysOf(entries: Iterable<readonly [key: unknown, ref: Member]>): ReadonlyMap<string, unknown> {
  return new Map(Array.from(entries, ([key, ref]) => [nameOf(ref), key]))
}

/** Returns a text that is the same for members that are the same row. */
function nameOf(ref: Member): string {
  return typeof ref === 'string' ? ref : JSON.stringify(ref)
}

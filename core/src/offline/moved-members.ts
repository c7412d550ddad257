import type { Registry } from '../client/registry.js'
import { hydrationOf } from '../hydration/hydration.js'
import { decodeMembers, type StateParts } from '../hydration/read-state.js'
import { decodeValue } from '../hydration/values.js'
import { type Member, pkOfRef } from '../schema/schema.js'
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
          if (op === 'remove' || !list.hasDefaultFilter) return undefined
          const filters = Object.keys(args).filter((name) => list.isFilter?.(name))
          const known = filters.filter((name) => record[name] !== undefined)
          if (!known.every((name) => equal(args[name], textOf(record[name])))) return false
          // Without one of the fields, the row does not tell.
          return known.length === filters.length || undefined
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

/** Returns a field of a row in the form in which arguments of lists are stored. */
function textOf(field: unknown): unknown {
  return typeof field === 'object' ? field : String(field)
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

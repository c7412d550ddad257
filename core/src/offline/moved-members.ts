import type { Registry } from '../client/registry.js'
import type { Move } from '../hydration/draft.js'
import { hydrationOf } from '../hydration/hydration.js'
import { decodeMembers, type StateParts } from '../hydration/read-state.js'
import { isInline, type Member, pkOfRef, type Ref, type RowRecord } from '../schema/schema.js'
import { Change } from '../table/change.js'
import { isThere, type ResponseInfo } from '../table/value.js'
import { stableKey } from '../util/stable-key.js'

/** The members that a mutation outside of the outbox has moved, in this tab or in another one. */
export interface KnownMove extends Omit<Move, 'list'> {
  /** The key of their Collection. */
  readonly kind: string
  /** The record that tells of it; Infinity while it is in none. */
  record: number
}

/** Returns the moves of a mutation. */
export function movesOf(response: ResponseInfo, { rows, records, memberships }: Change): readonly Move[] {
  return memberships.map(({ list, op, at, members, bodies }) => {
    const isTold = (ref: Member, i: number): boolean => {
      const record =
        records[rows.findIndex(({ home, pk }) => home.key === list.entityOf(ref)?.key && pk === pkOfRef(ref))]
      return Object.keys(bodies?.[i] ?? {}).every((field) => isThere(record) && Object.hasOwn(record, field))
    }
    return { response, list, op, at, members: members.filter(isRef), isPlain: members.every(isTold) }
  })
}

/**
 * Adds the members that a mutation of another tab has moved to its change, so that the lists here contain them exactly
 * where the lists of that tab do. Lists that nobody has used follow once they are placed.
 */
export function addMove(host: Registry, change: Change, move: KnownMove, lists: StateParts['lists']): void {
  const told = new Map(
    lists
      .filter(([of]) => of === move.kind)
      .map(([, , pk, , of]) => [pk, keysOf(decodeMembers(of).entries())] as const),
  )
  const keys = new Map([...told.values()].flatMap((of) => [...of]))
  const matches: Matches = (args, record, ref) => {
    const of = told.get(stableKey(args))
    return of ? of.has(nameOf(ref)) === (move.op !== 'remove') : untold(host, move, [args, record, ref])
  }
  apply(host, move, matches, { change, keys })
}

/** Applies moves to lists of other tabs that did not know of them, unless there is a later response of the list. */
export function moveLater(
  host: Registry,
  moves: readonly KnownMove[],
  { lists, infos }: Pick<StateParts, 'lists'> & { readonly infos: readonly ResponseInfo[] },
  isKnown: (move: KnownMove, response: number) => boolean = () => false,
): void {
  for (const move of moves) {
    const unaware = lists.filter(([kind, response]) => kind === move.kind && !isKnown(move, response))
    if (unaware.length === 0) continue
    const reads = new Map(unaware.map(([, response, pk]) => [pk, infos[response]]))
    apply(host, move, (args, record, ref) => {
      const pk = stableKey(args)
      const { read } = host.runtime.store.table.lists.get(move.kind)?.row(pk) ?? {}
      return read && read === reads.get(pk) ? untold(host, move, [args, record, ref]) : undefined
    })
  }
}

type Matches = Change['memberships'][number]['matches']

/** The filter of a Collection. */
interface Filtered {
  createCollectionFilter(args?: object): (args: object, record: RowRecord) => boolean
  readonly hasDefaultFilter: boolean
}

/** Applies a move with the change of its mutation, or else on its own, and to lists that wait once they are placed. */
function apply(
  host: Registry,
  { kind, op, at, members, response }: KnownMove,
  matches: Matches,
  { change, keys }: { readonly change?: Change; readonly keys?: ReadonlyMap<string, unknown> } = {},
): void {
  const { store } = host.runtime
  const addTo = (to: Change): Change => {
    const list = store.table.lists.get(kind)?.list
    const of = list?.isMap ? members.map((ref) => `${keys?.get(nameOf(ref)) ?? pkOfRef(ref)}`) : undefined
    if (list) to.memberships.push({ list, op, at: at === 'start' ? at : 'end', members, keys: of, matches })
    return to
  }
  if (hydrationOf(host).onceListed(kind, () => store.quietly(response, addTo(new Change())))) return
  if (change) addTo(change)
  else store.commit({ change: addTo(new Change()), response, by: response.start })
}

/** Returns whether a move concerns a list that its tab did not have, as far as the fields of the row tell. */
function untold(
  host: Registry,
  { kind, op, isPlain }: KnownMove,
  [args, record]: Parameters<Matches>,
): ReturnType<Matches> {
  if (op === 'remove') return 'unknown'
  // Lists are Collections.
  const list = host.runtime.store.table.lists.get(kind)?.list as unknown as Filtered
  // Lists that belong to a parent name it by an array. No move concerns them.
  const hasArrays = Object.values(args).some(Array.isArray)
  if (!isPlain || !list.hasDefaultFilter || hasArrays) return 'unknown'
  // Without arguments of a call, only the fields of the row match.
  if (list.createCollectionFilter()(args, record)) return true
  return list.createCollectionFilter(args)(args, record) && 'unknown'
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

/** True for a member that is a row. */
function isRef(member: Member): member is Ref {
  return !isInline(member)
}

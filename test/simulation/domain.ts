import { All, Collection, countBy, Entity, Invalidate, Lazy, Query, Scalar, Union, Values } from '@roundtable/core'
import { EveryRow } from '../core/schemas/every-row.js'

/** Somebody who owns items: a row of its own inside of others. */
export class Owner extends Entity {
  static override key = 'Owner'
  id = ''
  name = ''
}

/** What all programs are about. */
export class Item extends Entity {
  static override key = 'Item'
  static override schema = { owner: Owner }
  id: string | number = ''
  a = 0
  b = 0
  n = 0
  group = ''
  type = ''
  owner: Owner | undefined = undefined
}

/** What stands among items in feeds; its ids are those of items. */
export class Note extends Entity {
  static override key = 'Note'
  id: string | number = ''
  a = 0
  b = 0
  group = ''
  type = ''
}

/** The score of a board, of which each league has its own. */
const score: Scalar = new Scalar({
  key: 'score',
  lens: (...[params]) => (params as { readonly league?: string } | undefined)?.league,
  get entity(): typeof Board {
    return Board
  },
})
const laterItems: Lazy<[typeof Item]> = new Lazy([Item])

/** A group with a field that depends on who asks, and with items that are resolved on demand. */
export class Board extends Entity {
  static override key = 'Board'
  static override schema = { score, items: laterItems }
  id = ''
  title = ''
  score: string | undefined = undefined
  items: readonly string[] = []
}

/** The scores of all boards in one league. */
export const SCORES: Values<Scalar> = new Values(score)
export const LEAGUES = ['first', 'second'] as const

export const EVERY_ITEM: All<typeof Item> = new All(Item)
export const SOME_ITEMS = new Query(EVERY_ITEM, (items) => items.filter(({ id }) => id !== '..'))
/** The slow way to what selections show. */
export const EVERY_ROW: EveryRow = new EveryRow([Item])
/** Selections of items, and what they show of all of them. */
export const SELECTIONS = {
  'first of a group': {
    schema: new All(Item, { belongs: isInX, compare: byA, limit: 3 }),
    slow: (items: readonly Item[]): unknown => items.filter(isInX).toSorted(byA).slice(0, 3),
  },
  'numbers of groups': {
    schema: countBy(EVERY_ITEM, ({ group }) => group),
    slow: (items: readonly Item[]): unknown => countsOf(items),
  },
  'names of owners': {
    schema: new Query(new All(Item, { belongs: isInX }), { each: ({ owner }) => owner?.name }),
    slow: (items: readonly Item[]): unknown => items.filter(isInX).map(({ owner }) => owner?.name),
  },
}

function isInX({ group }: Item): boolean {
  return group === 'x'
}

function byA(x: Item, y: Item): number {
  return Number(x.a) - Number(y.a)
}

function countsOf(items: readonly Item[]): Record<string, number> {
  const counts: Record<string, number> = Object.create(null)
  for (const { group } of items) counts[group] = (counts[group] ?? 0) + 1
  return counts
}

export const EVERY_NOTE: All<typeof Note> = new All(Note)
export const deleted: Invalidate<typeof Item> = new Invalidate(Item)
export const deletedNote: Invalidate<typeof Note> = new Invalidate(Note)

type ItemList = Collection<[typeof Item]>

/** The Collections of a world. */
export interface Lists {
  /** Items by group; without a group, all of them. */
  readonly list: ItemList
  /** The same by their keys. */
  readonly map: Collection<Values<typeof Item>>
  /** Items and notes. */
  readonly feed: Collection<[Union<{ readonly item: typeof Item; readonly note: typeof Note }>]>
  /** Two items at a time; pushed members enter it, too. */
  readonly page: ItemList
  /** A group with its list, and with a list of its own that no push reaches. */
  readonly Box: typeof Entity
}

/** So many items are on a page. */
export const PAGE = 2

/** True if a row of `list` comes before another, where the lists keep an order. */
export function before(x: Readonly<Record<string, unknown>>, y: Readonly<Record<string, unknown>>): number {
  return Number(x.a ?? 0) - Number(y.a ?? 0) || (String(x.id) < String(y.id) ? -1 : 1)
}

/** Whether a row belongs to the list of a group, where the lists know it. */
export function belongs(
  row: { readonly group?: unknown },
  { group }: { readonly group?: unknown },
): boolean | 'unknown' {
  if (group === undefined) return true
  return row.group === undefined ? 'unknown' : row.group === group
}

function listsOf(keeps: boolean): Lists {
  const usual = { nonFilterArgumentKeys: ['pages'], nestKey: ({ id }: { readonly id: string }) => ({ group: id }) }
  const list = new Collection([Item], keeps ? { ...usual, belongs, compare: before } : usual)
  const page = new Collection([Item], {
    ...usual,
    argsKey: (params) => ({ group: params?.group, pages: 'yes' }),
  })
  const own = new Collection([Item])
  class Box extends Entity {
    static override key = 'Box'
    static override schema = { items: list, own }
    id = ''
    title = ''
    items: readonly Item[] = []
    own: readonly Item[] = []
  }
  return {
    // What they are nested in, and what their arguments are, is of no interest to those who use them.
    list: list as unknown as ItemList,
    page: page as unknown as ItemList,
    map: new Collection(new Values(Item)),
    feed: new Collection([new Union({ item: Item, note: Note }, 'type')]),
    Box,
  }
}

/** The Collections by whether their lists know by themselves who is in them. */
export const LISTS: { readonly plain: Lists; readonly kept: Lists } = { plain: listsOf(false), kept: listsOf(true) }

/** Ids that a table made of plain objects, or a URL made of plain text, would trip over. */
export const IDS: readonly (string | number)[] = [
  '1',
  1,
  '2',
  3,
  'constructor',
  '__proto__',
  'toString',
  '..',
  'a/b',
  'a|b',
  '\ud800',
  '0',
  0,
]
export const GROUPS: readonly string[] = ['x', 'y']

/** An item, or a note, as the server holds it. */
export interface ItemData {
  readonly id: string | number
  readonly a: number
  readonly b: number
  readonly n: number
  readonly group: string
  readonly type: 'item' | 'note'
  readonly owner: OwnerData
}

export interface OwnerData {
  readonly id: string
  readonly name: string
}

/** What lists can be read. */
export type ListRead = 'list' | 'map' | 'feed'

/** One thing to read. */
export type Target =
  | { readonly read: 'item'; readonly id: string | number }
  | { readonly read: ListRead; readonly group?: string }
  | { readonly read: 'box'; readonly group: string }
  | { readonly read: 'page'; readonly group: string; readonly page?: number }
  | { readonly read: 'board'; readonly group: string; readonly league: string }
  | { readonly read: 'scores'; readonly league: string }
  | { readonly read: 'stats' }

/** What a mutation asks of the server. */
export type Deed = 'create' | 'unshift' | 'put first' | 'assign' | 'patch' | 'increment' | 'delete' | 'remove' | 'move'

/** Deeds that bring something new. */
export function isCreation(deed: Deed): boolean {
  return deed === 'create' || deed === 'unshift' || deed === 'put first' || deed === 'assign'
}

export interface Edit {
  readonly deed: Deed
  /** Which item; a creation without it lets the server choose. */
  readonly id?: string | number | undefined
  readonly group: string
  /** New values; each is used once, so a value tells which edit it came from. */
  readonly values: { readonly a?: number; readonly b?: number }
  /** How much the answer tells. */
  readonly answer: 'full' | 'partial' | 'empty'
  /** Which kind of lists it changes; those of items if it does not say. */
  readonly into?: ListRead
  /** What kind of row it is about; an item if it does not say. */
  readonly type?: 'item' | 'note'
  /** True if the client counts it by itself. */
  readonly counts?: boolean
  /** What its answer tells beside it, if it tells anything: what is read then. */
  readonly also?: Target
}

/** The name of the row that an edit is about. */
export function rowOf({ type }: { readonly type?: unknown }, id: unknown): string {
  return `${type === 'note' ? 'Note' : 'Item'} ${id}`
}

/** What is sent to the server. */
export type Call = { readonly type: 'read'; readonly target: Target } | { readonly type: 'edit'; readonly edit: Edit }

/** What an edit is expected to be answered with, given what is known of items; undefined if that cannot be told. */
export function guess(edit: Edit, find: (id: string | number) => Item | undefined): object | undefined {
  const { deed, id, group, values } = edit
  const typed = edit.into === 'feed' ? { type: edit.type ?? 'item' } : undefined
  if (isCreation(deed)) {
    const item = { ...(id === undefined ? undefined : { id }), ...values, group, ...typed }
    return deed === 'assign' ? { [`${id}`]: item } : item
  }
  if (deed === 'increment') {
    const item = id === undefined ? undefined : find(id)
    return item === undefined ? undefined : { id, n: item.n + 1 }
  }
  if (deed === 'patch') return { id, ...values }
  return deed === 'move' ? { id, group, ...typed } : { id, ...typed }
}

/** The arguments of a read's endpoint. */
export function argsOf(target: Target): readonly unknown[] {
  if (target.read === 'item') return [{ id: target.id }]
  if (target.read === 'stats') return []
  if (target.read === 'board') return [{ id: target.group, league: target.league }]
  if (target.read === 'scores') return [{ league: target.league }]
  if (target.read === 'page')
    return [{ group: target.group, ...(target.page === undefined ? undefined : { page: target.page }) }]
  if (target.read === 'box') return [{ id: target.group }]
  return [target.group === undefined ? {} : { group: target.group }]
}

/** An answer that no server gave. */
export function madeUp(target: Target, value: number): unknown {
  if (target.read === 'stats') return { total: value, at: 0 }
  if (target.read === 'item') return { id: target.id, b: value }
  const made = `made up ${value}`
  if (target.read === 'scores') return Object.fromEntries(GROUPS.map((group) => [group, { score: made }]))
  if (target.read === 'board') return { id: target.group, title: made, score: made, items: [{ id: '2', a: value }] }
  const item = { id: '2', a: value, group: target.group ?? 'x' }
  if (target.read === 'map') return { 2: item }
  if (target.read === 'feed') return [{ ...item, type: value % 2 === 0 ? 'item' : 'note' }]
  return target.read === 'box' ? { id: target.group, title: `${value}`, items: [item], own: [] } : [item]
}

/** An answer that is no success, as an endpoint's function would throw it. */
export class StatusError extends Error {
  override readonly name = 'StatusError'
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

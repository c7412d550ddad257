import { All, Collection, Entity, Invalidate } from '@roundtable/core'

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
  owner: Owner | undefined = undefined
}

/** Items by group; without a group, all of them. */
export const Items: Collection<[typeof Item]> = new Collection([Item])
export const EVERY_ITEM: All<typeof Item> = new All(Item)
export const deleted: Invalidate<typeof Item> = new Invalidate(Item)

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

/** An item as the server holds it. */
export interface ItemData {
  readonly id: string | number
  readonly a: number
  readonly b: number
  readonly n: number
  readonly group: string
  readonly owner: OwnerData
}

export interface OwnerData {
  readonly id: string
  readonly name: string
}

/** One thing to read. */
export type Target =
  | { readonly read: 'item'; readonly id: string | number }
  | { readonly read: 'list'; readonly group?: string }
  | { readonly read: 'stats' }

/** What a mutation asks of the server. */
export type Deed = 'create' | 'unshift' | 'patch' | 'increment' | 'delete' | 'remove' | 'move'

export interface Edit {
  readonly deed: Deed
  /** Which item; a creation without it lets the server choose. */
  readonly id?: string | number | undefined
  readonly group: string
  /** New values; each is used once, so a value tells which edit it came from. */
  readonly values: { readonly a?: number; readonly b?: number }
  /** How much the answer tells. */
  readonly answer: 'full' | 'partial' | 'empty'
}

/** What is sent to the server. */
export type Call = { readonly type: 'read'; readonly target: Target } | { readonly type: 'edit'; readonly edit: Edit }

/** What an edit is expected to be answered with, given what is known of items; undefined if that cannot be told. */
export function guess(edit: Edit, find: (id: string | number) => Item | undefined): object | undefined {
  const { deed, id, group, values } = edit
  if (deed === 'create' || deed === 'unshift') return id === undefined ? { ...values, group } : { id, ...values, group }
  if (deed === 'increment') {
    const item = id === undefined ? undefined : find(id)
    return item === undefined ? undefined : { id, n: item.n + 1 }
  }
  if (deed === 'patch') return { id, ...values }
  return deed === 'move' ? { id, group } : { id }
}

/** The arguments of a read's endpoint. */
export function argsOf(target: Target): readonly unknown[] {
  if (target.read === 'item') return [{ id: target.id }]
  if (target.read === 'list') return [target.group === undefined ? {} : { group: target.group }]
  return []
}

/** An answer that no server gave. */
export function madeUp(target: Target, value: number): unknown {
  if (target.read === 'item') return { id: target.id, b: value }
  return target.read === 'list' ? [{ id: '2', a: value, group: target.group ?? 'x' }] : { total: value, at: 0 }
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

import type { Edit, OwnerData, Target } from '../domain.js'

/** The fields of a row, as far as an answer told of them. */
export type Fields = Readonly<Record<string, unknown>>

/** What an answer says of one row: its fields, or that it is deleted. */
export interface Saying {
  readonly row: string
  readonly fields: Fields | 'deleted'
}

/** Who shall come into lists, or leave them. */
export interface Membership {
  readonly op: 'push' | 'unshift' | 'remove' | 'move'
  readonly pk: string
  /** The group that the edit named: where the row says none, that counts. */
  readonly group: string
}

/** One answer, as it stands in the order of all: nothing ever changes it. */
export interface Fact {
  /** When the request started. */
  readonly start: number
  /** When an edit was completed; undefined for a read. */
  readonly done: number | undefined
  readonly says: readonly Saying[]
  /** The list that it carried whole. */
  readonly list?: { readonly group: string | undefined; readonly pks: readonly string[] } | undefined
  readonly membership?: Membership | undefined
  /** The answer of an endpoint without a schema. */
  readonly result?: { readonly value: unknown } | undefined
}

type Told = Pick<Fact, 'says' | 'list' | 'membership' | 'result'>

/** The name of an item's row. */
export function itemRow(id: string | number): string {
  return `Item ${id}`
}

/** What an item, or a part of one, says. */
function sayItem(data: Fields): Saying[] {
  const { owner, ...own } = data
  const row = itemRow(own.id as string)
  if (owner === undefined) return [{ row, fields: own }]
  const { id } = owner as OwnerData
  return [
    { row, fields: { ...own, owner: `Owner ${id}` } },
    { row: `Owner ${id}`, fields: owner as unknown as Fields },
  ]
}

/** What the answer to a read says. */
export function toldByRead(target: Target, data: unknown): Told {
  if (target.read === 'stats') return { says: [], result: { value: data } }
  if (target.read === 'item') return { says: sayItem(data as Fields) }
  const items = data as readonly Fields[]
  const pks = [...new Set(items.map(({ id }) => String(id)))]
  return { says: items.flatMap(sayItem), list: { group: target.group, pks } }
}

/** What the answer to an edit says; one that names nothing means what the arguments name. */
export function toldByEdit(edit: Edit, data: unknown): Told {
  const { deed, group } = edit
  const isData = typeof data === 'object' && data !== null
  const pk = String(isData ? (data as { id: string }).id : edit.id)
  if (deed === 'delete') return { says: [{ row: itemRow(pk), fields: 'deleted' }] }
  // A key alone only says who is meant.
  const isMore = isData && (Object.keys(data).length > 1 || deed === 'patch')
  const says = isMore ? sayItem(data as Fields) : []
  if (deed === 'patch' || deed === 'increment') return { says }
  return { says, membership: { op: deed === 'create' ? 'push' : deed, pk, group } }
}

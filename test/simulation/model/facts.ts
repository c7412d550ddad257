import { type Edit, isCreation, type ListRead, type OwnerData, rowOf, type Target } from '../domain.js'

/** The fields of a row, as far as an answer told of them. */
export type Fields = Readonly<Record<string, unknown>>

/** What an answer says of one row: its fields, or that it is deleted. */
export interface Saying {
  readonly row: string
  readonly fields: Fields | 'deleted'
}

/** Kinds of lists: changes of members reach those of one kind. Lists of boxes' own are of the kind of `list`. */
export interface ListFact {
  readonly key: string
  readonly kind: ListRead
  readonly group: string | undefined
  /** True for a list that belongs to its parent: nothing enters it by itself. */
  readonly isOwn: boolean
  /** The rows of its members. */
  readonly members: readonly string[]
}

/** Who shall come into lists, or leave them. */
export interface Membership {
  readonly op: 'push' | 'unshift' | 'put first' | 'remove' | 'move'
  readonly kind: ListRead
  readonly member: string
  /** The group that the edit named: where the row says none, that counts. */
  readonly group: string
  /** True for a move whose answer does not say the group: then the edit's counts, whatever the row says. */
  readonly isUnsaid?: boolean
}

/** One answer, as it stands in the order of all: nothing ever changes it. */
export interface Fact {
  /** When the request started. */
  readonly start: number
  /** When an edit was completed; undefined for a read. */
  readonly done: number | undefined
  /** The fields that an edit names: of others, its answer may only repeat what was there. All, if it does not tell. */
  readonly names?: ReadonlySet<string> | undefined
  readonly says: readonly Saying[]
  /** The lists that it carried whole. */
  readonly lists: readonly ListFact[]
  readonly membership?: Membership | undefined
  /** The answer of an endpoint without a schema, or what an edit makes of it. */
  readonly result?: ((before: unknown) => unknown) | undefined
}

export type Told = Pick<Fact, 'says' | 'lists' | 'membership' | 'result'>

/** The name of an item's row. */
export function itemRow(id: string | number): string {
  return `Item ${id}`
}

/** The name of a list. */
export function listKey(kind: ListRead | 'own', group: string | undefined): string {
  return `${kind} ${group ?? ''}|@`
}

/** What an item, or a part of one, says. */
function sayItem(data: Fields): Saying[] {
  const { owner, ...own } = data
  const row = rowOf(own, own.id)
  if (owner === undefined) return [{ row, fields: own }]
  const { id } = owner as OwnerData
  return [
    { row, fields: { ...own, owner: `Owner ${id}` } },
    { row: `Owner ${id}`, fields: owner as unknown as Fields },
  ]
}

/** What boards say: a field for each league is a row of its own, and of items that come on demand a board knows the keys. */
function sayScores(target: Target & { read: 'board' | 'scores' }, data: Fields): Saying[] {
  const { league } = target
  const sayScore = (group: string, score: unknown): Saying => ({ row: `Score ${league} ${group}`, fields: { score } })
  if (target.read === 'scores') {
    const scores = Object.entries(data).map(([group, cell]) => sayScore(group, (cell as Fields).score))
    return [...scores, { row: `Scores ${league}`, fields: { groups: Object.keys(data) } }]
  }
  const { group } = target
  const { items, score, ...rest } = data
  const told = items as readonly Fields[]
  const board = { row: `Board ${group}`, fields: { ...rest, items: told.map(({ id }) => String(id)) } }
  return [...told.flatMap(sayItem), sayScore(group, score), board]
}

function listFact(kind: ListRead, group: string | undefined, items: readonly Fields[], isOwn = false): ListFact {
  const members = [...new Set(items.map((item) => rowOf(item, item.id)))]
  return { key: listKey(isOwn ? 'own' : kind, group), kind, group, isOwn, members }
}

/** What the answer to a read says. */
export function toldByRead(target: Target, data: unknown): Told {
  if (target.read === 'stats') return { says: [], lists: [], result: () => data }
  if (target.read === 'item') return { says: sayItem(data as Fields), lists: [] }
  if (target.read === 'board' || target.read === 'scores') return { says: sayScores(target, data as Fields), lists: [] }
  if (target.read === 'box') {
    const { items, own, ...rest } = data as Fields & { items: readonly Fields[]; own: readonly Fields[] }
    const lists = [listFact('list', target.group, items), listFact('list', target.group, own, true)]
    const box = { row: `Box ${target.group}`, fields: { ...rest, items: lists[0]?.key, own: lists[1]?.key } }
    return { says: [...items, ...own].flatMap(sayItem).concat(box), lists }
  }
  const items = (target.read === 'map' ? Object.values(data as object) : data) as readonly Fields[]
  const says = items.flatMap(sayItem)
  // What the model does not know of lists of pages is checked when all is at rest.
  return { says, lists: target.read === 'page' ? [] : [listFact(target.read, target.group, items)] }
}

/** What the answer to an edit says; one that names nothing means what the arguments name. */
export function toldByEdit(edit: Edit, data: unknown): Told {
  const { deed, group, into = 'list' } = edit
  const given = deed === 'assign' && data !== null ? Object.values(data as object)[0] : data
  const isData = typeof given === 'object' && given !== null
  const row = rowOf(edit, isData ? (given as { id: string }).id : edit.id)
  if (deed === 'delete') return { says: [{ row, fields: 'deleted' }], lists: [] }
  // A key alone only says who is meant.
  const isMore = isData && (Object.keys(given).length > 1 || deed === 'patch')
  const says = isMore ? sayItem({ ...(given as Fields) }) : []
  if (deed === 'patch' || deed === 'increment') return { says: renamed(says, row), lists: [] }
  // Of what is put into a list of several kinds, whatever has no kind is none of its members.
  if (isCreation(deed) && data !== null && !isData) return { says: [], lists: [] }
  const op = deed === 'create' || deed === 'assign' ? 'push' : deed
  const kind = deed === 'put first' ? 'list' : deed === 'assign' ? 'map' : into
  const isUnsaid = op === 'move' && !(isMore && Object.hasOwn(given, 'group'))
  return { says: renamed(says, row), lists: [], membership: { op, kind, member: row, group, isUnsaid } }
}

/** An answer does not always say what kind of row it is about; who asked knows. */
function renamed([first, ...rest]: readonly Saying[], row: string): Saying[] {
  return first === undefined ? [] : [{ ...first, row }, ...rest]
}

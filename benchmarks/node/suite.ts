import { type Dataset, datasets } from './data/datasets.js'
import { checkEquality } from './equality.js'
import { type Contender, compare, type Effort, FULL, QUICK, type Timing } from './measure.js'
import type { Peer } from './peers/peer.js'
import { again, changeOne, coldRead, coldWrite, keptReferences, readAgain } from './rows/answers.js'
import { tenRows } from './rows/growth.js'
import { keys } from './rows/keys.js'
import { listChange, memberChange } from './rows/long-lists.js'
import { markEverything } from './rows/marks.js'
import { members } from './rows/members.js'
import { optimistic } from './rows/optimistic.js'
import { pageAgain, pagesArrive } from './rows/pages.js'
import { type SelectionKind, selectionChange } from './rows/selections.js'
import { sweeps } from './rows/sweep.js'
import { wakes } from './rows/wakes.js'

/** One comparison, as it is printed and kept. */
export interface Result {
  /** What was done; the bounds know it by this. */
  readonly row: string
  /** What it was done with. */
  readonly on: string
  readonly timings: readonly Timing[]
  /** How many members, pages, keys or rows, where the row is measured at several sizes. */
  readonly size?: number
  /** Wakes in the last run, by contender, where they are counted. */
  readonly wakes?: Readonly<Record<string, number>>
}

/** The share of records that kept their reference, by library. */
export interface Kept {
  readonly on: string
  readonly identical: Readonly<Record<string, number>>
  readonly changed: Readonly<Record<string, number>>
}

export interface Findings {
  readonly results: readonly Result[]
  readonly kept: readonly Kept[]
}

/** The names of what is done, as the bounds and the table use them. */
export const ROWS = {
  coldWrite: 'write a cold answer',
  identical: 'write an identical answer and read it',
  changed: 'write an answer with 1 % changed and read it',
  coldRead: 'read cold',
  readAgain: 'read again, nothing changed',
  changeOne: 'change one entity and read the answer',
  ten: 'one commit of the same ten rows',
  wakes: 'wake: one row of the mounted changes',
  optimistic: 'optimistic apply and roll back',
  keys: 'key and url',
  sweep: 'collect in slices',
  members: 'a member of one list among many',
  push: 'push into a long list',
  remove: 'remove from a long list',
  move: 'move out of a long list',
  title: 'change a member of a long list',
  sortedTitle: 'change a member of a sorted list that keeps its place',
  sortedMove: 'change a member of a sorted list that moves',
  pages: 'pages of 100 arrive one after the other',
  pageAgain: 'one page of a list comes again',
  filterInside: 'filter all rows: a row inside changes',
  filterOutside: 'filter all rows: a row outside changes',
  sortAll: 'sort all rows, the first 50: a row moves',
  countAll: 'count all rows by a field: a row changes its group',
  invalidateAll: 'invalidateAll',
  expireAll: 'expireAll',
  expireBy: 'expireBy: all rows of an entity',
} as const

/** The library that bounds compare with. */
export const PEER = 'data-client'

/** What to measure. */
export interface Selection {
  /** Words of which one must be in what a row does, or in what it does it with; none is everything. */
  readonly only: readonly string[]
  readonly peers: readonly Peer[]
}

/** Contenders for one row of the report; they are made when their turn comes. */
export interface Comparison {
  readonly row: string
  readonly on: string
  readonly size?: number
  /** True for what earlier versions cannot do: it is not compared with another commit. */
  readonly isNew?: boolean
  readonly make: () => readonly Contender[]
}

/** Every comparison of the suite but the sweeps, which time themselves. */
export function comparisons(isQuick: boolean, peers: readonly Peer[]): Comparison[] {
  const many = isQuick ? 200 : 10_000
  return [
    ...datasets(isQuick).flatMap((dataset) => answers(peers, dataset)),
    { row: ROWS.ten, on: 'tables of two sizes', make: () => tenRows(peers, isQuick ? [100, 1_000] : [1_000, 100_000]) },
    ...(isQuick ? [1, 100] : [1, 100, 10_000]).map((count) => ({
      row: ROWS.wakes,
      on: `${count.toLocaleString('en')} mounted queries`,
      make: () => wakes(count),
    })),
    {
      row: ROWS.optimistic,
      on: `a mounted list of ${many.toLocaleString('en')}`,
      make: () => optimistic(many),
    },
    { row: ROWS.keys, on: 'a path with three params', make: () => keys(isQuick ? 10 : 20_000) },
    ...(['push', 'move', 'remove'] as const).map((deed) => ({
      row: ROWS.members,
      on: deed,
      make: () => members(deed, isQuick ? [2, 50] : [1, 5_000]),
    })),
    ...growing(isQuick),
  ]
}

/** What is measured at three sizes, so that the report can tell how it grows. */
function growing(isQuick: boolean): Comparison[] {
  const long = isQuick ? [20, 100] : [1_000, 10_000, 100_000]
  const pages = isQuick ? [2, 4] : [10, 30, 100]
  const keys = isQuick ? [20, 100] : [1_000, 10_000]
  const at = (row: string, sizes: readonly number[], unit: string, make: (size: number) => Contender[]): Comparison[] =>
    sizes.map((size) => ({ row, on: `${size.toLocaleString('en')} ${unit}`, size, make: () => make(size) }))
  const selection = (row: string, kind: SelectionKind): Comparison[] =>
    at(row, long, 'rows', (size) => selectionChange(kind, size)).map((each) => ({ ...each, isNew: true }))
  return [
    ...(['push', 'remove', 'move'] as const).flatMap((change) =>
      at(ROWS[change], long, 'members', (size) => listChange(change, size)),
    ),
    ...at(ROWS.title, long, 'members', (size) => memberChange(size, false, false)),
    ...at(ROWS.sortedTitle, long, 'members', (size) => memberChange(size, true, false)),
    ...at(ROWS.sortedMove, long, 'members', (size) => memberChange(size, true, true)),
    ...at(ROWS.pages, pages, 'pages', pagesArrive),
    ...at(ROWS.pageAgain, pages, 'pages', pageAgain),
    ...selection(ROWS.filterInside, 'inside'),
    ...selection(ROWS.filterOutside, 'outside'),
    ...selection(ROWS.sortAll, 'sorted'),
    ...selection(ROWS.countAll, 'counted'),
    ...at(ROWS.invalidateAll, keys, 'keys', (size) => markEverything('invalidateAll', size)),
    ...at(ROWS.expireAll, keys, 'keys', (size) => markEverything('expireAll', size)),
    ...at(ROWS.expireBy, keys, 'keys', (size) => markEverything('expireBy', size)),
  ]
}

/** Checks that all libraries agree, then measures. `say` is called with each result. */
export async function measure(
  isQuick: boolean,
  { only, peers }: Selection,
  say: (result: Result) => void,
): Promise<Findings> {
  const effort: Effort = isQuick ? QUICK : FULL
  for (const dataset of datasets(true)) for (const peer of peers) checkEquality(peer, dataset)
  const results: Result[] = []
  const keep = (result: Result): void => {
    results.push(result)
    say(result)
  }
  for (const { row, on, size, make } of comparisons(isQuick, peers)) {
    if (!isSelected(only, row, on)) continue
    const contenders = make()
    const timings = await compare(contenders, effort)
    const counted = contenders.filter(({ count }) => count !== undefined)
    const counts = Object.fromEntries(counted.map(({ name, count }) => [name, count?.() ?? 0]))
    keep({ row, on, timings, ...(size !== undefined && { size }), ...(counted.length > 0 && { wakes: counts }) })
  }
  const gone = isQuick ? 1_000 : 100_000
  for (const isMounted of [false, true]) {
    const on = `${gone.toLocaleString('en')} rows that ${isMounted ? 'a mounted list' : 'nobody'} needs`
    if (!isSelected(only, ROWS.sweep, on)) continue
    keep({ row: ROWS.sweep, on, timings: await sweeps(gone, isQuick ? 1 : 5, isMounted) })
  }
  return { results, kept: datasets(isQuick).map((dataset) => keptIn(peers, dataset)) }
}

/** True if one of the words occurs in a row's name or in what it is measured on, or if there are no words. */
export function isSelected(words: readonly string[], row: string, on: string): boolean {
  return words.length === 0 || words.some((word) => `${row}, ${on}`.includes(word))
}

function answers(peers: readonly Peer[], dataset: Dataset): Comparison[] {
  const { title: on } = dataset
  return [
    { row: ROWS.coldWrite, on, make: () => coldWrite(peers, dataset) },
    { row: ROWS.coldRead, on, make: () => coldRead(peers, dataset) },
    { row: ROWS.identical, on, make: () => again(peers, dataset, false) },
    { row: ROWS.changed, on, make: () => again(peers, dataset, true) },
    { row: ROWS.readAgain, on, make: () => readAgain(peers, dataset) },
    { row: ROWS.changeOne, on, make: () => changeOne(peers, dataset) },
  ]
}

function keptIn(peers: readonly Peer[], dataset: Dataset): Kept {
  const of = (isChanged: boolean): Record<string, number> =>
    Object.fromEntries(peers.map((peer) => [peer.name, keptReferences(peer, dataset, isChanged)]))
  return { on: dataset.title, identical: of(false), changed: of(true) }
}

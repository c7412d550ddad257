import { type Dataset, datasets } from './data/datasets.js'
import { checkEquality } from './equality.js'
import { type Contender, compare, type Effort, FULL, QUICK, type Timing } from './measure.js'
import type { Peer } from './peers/peer.js'
import { again, changeOne, coldRead, coldWrite, keptReferences, readAgain } from './rows/answers.js'
import { tenRows } from './rows/growth.js'
import { keys } from './rows/keys.js'
import { members } from './rows/members.js'
import { optimistic } from './rows/optimistic.js'
import { sweeps } from './rows/sweep.js'
import { wakes } from './rows/wakes.js'

/** One comparison, as it is printed and kept. */
export interface Result {
  /** What was done; the bounds know it by this. */
  readonly row: string
  /** What it was done with. */
  readonly on: string
  readonly timings: readonly Timing[]
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
} as const

/** The library that bounds compare with. */
export const PEER = 'data-client'

/** What to measure. */
export interface Selection {
  /** Words of which one must be in what a row does, or in what it does it with; none is everything. */
  readonly only: readonly string[]
  readonly peers: readonly Peer[]
}

/** Checks that all libraries agree, then measures. `say` hears of each result. */
export async function measure(
  isQuick: boolean,
  { only, peers }: Selection,
  say: (result: Result) => void,
): Promise<Findings> {
  const effort: Effort = isQuick ? QUICK : FULL
  const sets = datasets(isQuick)
  for (const dataset of datasets(true)) for (const peer of peers) checkEquality(peer, dataset)
  const results: Result[] = []
  const isAsked = (row: string, on: string): boolean =>
    only.length === 0 || only.some((word) => `${row}, ${on}`.includes(word))
  const keep = (result: Result): void => {
    results.push(result)
    say(result)
  }
  const run: Run = async (row, on, make) => {
    if (!isAsked(row, on)) return
    const contenders = make()
    const timings = await compare(contenders, effort)
    const counted = contenders.filter(({ count }) => count !== undefined)
    const counts = Object.fromEntries(counted.map(({ name, count }) => [name, count?.() ?? 0]))
    keep({ row, on, timings, ...(counted.length > 0 && { wakes: counts }) })
  }
  for (const dataset of sets) await answers(peers, dataset, run)
  const many = isQuick ? 200 : 10_000
  await run(ROWS.ten, 'tables of two sizes', () => tenRows(peers, isQuick ? [100, 1_000] : [1_000, 100_000]))
  for (const count of isQuick ? [1, 100] : [1, 100, 10_000]) {
    await run(ROWS.wakes, `${count.toLocaleString('en')} mounted queries`, () => wakes(count))
  }
  await run(ROWS.optimistic, `a mounted list of ${many.toLocaleString('en')}`, () => optimistic(many))
  await run(ROWS.keys, 'a path with three params', () => keys(isQuick ? 10 : 20_000))
  for (const deed of ['push', 'move', 'remove'] as const) {
    await run(ROWS.members, deed, () => members(deed, isQuick ? [2, 50] : [1, 5_000]))
  }
  const gone = isQuick ? 1_000 : 100_000
  for (const isMounted of [false, true]) {
    const on = `${gone.toLocaleString('en')} rows that ${isMounted ? 'a mounted list' : 'nobody'} needs`
    if (isAsked(ROWS.sweep, on)) keep({ row: ROWS.sweep, on, timings: await sweeps(gone, isQuick ? 1 : 5, isMounted) })
  }
  return { results, kept: sets.map((dataset) => keptIn(peers, dataset)) }
}

/** Measures one row, if it is asked for. */
type Run = (row: string, on: string, make: () => readonly Contender[]) => Promise<void>

async function answers(peers: readonly Peer[], dataset: Dataset, run: Run): Promise<void> {
  const { title } = dataset
  await run(ROWS.coldWrite, title, () => coldWrite(peers, dataset))
  await run(ROWS.coldRead, title, () => coldRead(peers, dataset))
  await run(ROWS.identical, title, () => again(peers, dataset, false))
  await run(ROWS.changed, title, () => again(peers, dataset, true))
  await run(ROWS.readAgain, title, () => readAgain(peers, dataset))
  await run(ROWS.changeOne, title, () => changeOne(peers, dataset))
}

function keptIn(peers: readonly Peer[], dataset: Dataset): Kept {
  const of = (isChanged: boolean): Record<string, number> =>
    Object.fromEntries(peers.map((peer) => [peer.name, keptReferences(peer, dataset, isChanged)]))
  return { on: dataset.title, identical: of(false), changed: of(true) }
}

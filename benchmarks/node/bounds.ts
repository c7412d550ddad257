import { PARSE } from './limits.js'
import { OURS } from './peers/ours.js'
import { TANSTACK_DB } from './peers/tanstack-db.js'
import { sized } from './rows/growth.js'
import { SEARCHED, SEARCHED_LITERAL } from './rows/keys.js'
import { COPY, UNREAD } from './rows/long-lists.js'
import { amongLists } from './rows/members.js'
import { PENDING, pendingName } from './rows/optimistic.js'
import { ALONE } from './rows/pages.js'
import { LONGEST_SLICE } from './rows/sweep.js'
import { type Findings, PEER, type Result, ROWS } from './suite.js'

/** A promise about our own speed, and whether it was kept. */
export interface Verdict {
  readonly what: string
  readonly on: string
  readonly measured: string
  readonly bound: string
  readonly isMet: boolean
}

/**
 * How much faster than the nearest library we must be, by the letter of the data, and how much of JSON.parse we may
 * cost.
 */
const AGAINST_PEER: Readonly<Record<string, { readonly [letter: string]: number }>> = {
  [ROWS.coldWrite]: { a: 4, b: 4, c: 2.5 },
  [ROWS.identical]: { a: 10, b: 10, c: 10 },
  [ROWS.changed]: { a: 8, b: 8, c: 8 },
  [ROWS.coldRead]: { a: 5, b: 5, c: 5 },
}
const AGAINST_PARSE: Readonly<Record<string, { readonly [letter: string]: number }>> = {
  [ROWS.coldWrite]: { a: 0.5, b: 0.5, c: 0.7 },
  [ROWS.identical]: { a: 0.4, b: 0.4, c: 0.4 },
}

/**
 * What a row may cost at most beside another contender of the same row, from the size on where its fixed cost no longer
 * decides.
 */
interface Relative {
  readonly ours?: string
  readonly than: string
  readonly times: number
  readonly from: number
}

const copied = (times: number): Relative => ({ than: COPY, times, from: 10_000 })
const membership = [copied(5), { ...copied(2), ours: UNREAD }]

const RELATIVE: Readonly<Record<string, readonly Relative[]>> = {
  [ROWS.push]: membership,
  [ROWS.remove]: membership,
  [ROWS.move]: membership,
  [ROWS.title]: [copied(3)],
  [ROWS.sortedTitle]: [copied(3)],
  [ROWS.sortedMove]: [copied(5)],
  [ROWS.keys]: [{ ours: SEARCHED, than: SEARCHED_LITERAL, times: 1.25, from: 0 }],
  [ROWS.pages]: [{ than: 'TanStack Query', times: 1.5, from: 100 }],
  [ROWS.pageAgain]: [{ than: ALONE, times: 4, from: 100 }],
  [ROWS.filterInside]: [copied(5)],
  [ROWS.filterOutside]: [{ than: TANSTACK_DB, times: 1, from: 1_000 }],
  [ROWS.sortAll]: [{ than: TANSTACK_DB, times: 1, from: 1_000 }],
  [ROWS.countAll]: [{ than: TANSTACK_DB, times: 1, from: 1_000 }],
  [ROWS.invalidateAll]: [{ than: 'TanStack Query', times: 1, from: 10_000 }],
  [ROWS.expireAll]: [{ than: 'TanStack Query', times: 1, from: 10_000 }],
  [ROWS.expireBy]: [{ than: 'TanStack Query', times: 1, from: 10_000 }],
}

/** Holds what was measured against what is promised. */
export function verdicts({ results, kept }: Findings, bytesPerRow: number | undefined): Verdict[] {
  const met: Verdict[] = []
  const say = (result: { on: string; what: string }, measured: string, bound: string, isMet: boolean): void =>
    void met.push({ what: result.what, on: result.on, measured, bound, isMet })
  for (const result of results) {
    const { row, on } = result
    const letter = on[1] ?? ''
    const at = { on, what: row }
    const own = of(result, OURS)
    const faster = AGAINST_PEER[row]?.[letter]
    if (faster !== undefined) atLeast(say, at, of(result, PEER) / own, faster, `× ${PEER}`)
    const share = AGAINST_PARSE[row]?.[letter]
    if (share !== undefined) atMost(say, at, own / of(result, PARSE), share, ' of JSON.parse')
    if (row === ROWS.identical) atMost(say, at, result.wakes?.[OURS] ?? Number.NaN, 0, ' wakes')
    if (row === ROWS.readAgain) atMost(say, at, own * 1e6, 100, ' ns')
    if (row === ROWS.changeOne && letter === 'a') atMost(say, at, own * 1e3, 100, ' µs')
    if (row === ROWS.wakes) atMost(say, at, result.wakes?.[OURS] ?? Number.NaN, 1, ' wakes')
    if (row === ROWS.ten) grown(say, at, result)
    if (row === ROWS.members) {
      const ratio = of(result, amongLists(5_000)) / of(result, amongLists(1))
      atMost(say, at, ratio, 2, ' × with 5,000 lists')
    }
    if (row === ROWS.optimistic) stacked(say, at, result)
    for (const { ours = OURS, than, times, from } of RELATIVE[row] ?? []) {
      if ((result.size ?? 0) < from) continue
      const what = ours === OURS ? row : `${row}, ${ours.slice(OURS.length + 2)}`
      atMost(say, { on, what }, of(result, ours) / of(result, than), times, ` × ${than}`)
    }
    if (row === ROWS.sweep) atMost(say, at, of(result, LONGEST_SLICE), 5, ' ms at a time')
  }
  for (const { on, changed } of kept) {
    // Every node above a changed one is another: a tree of three children has up to seven above each.
    const least = on.startsWith('(c)') ? 0.9 : 0.99
    atLeast(say, { on, what: 'references kept, 1 % changed' }, changed[OURS] ?? 0, least, ' of all')
  }
  if (bytesPerRow !== undefined)
    atMost(say, { on: 'a flat row', what: 'heap beside its record' }, bytesPerRow, 350, ' bytes')
  return met
}

type Say = (at: { on: string; what: string }, measured: string, bound: string, isMet: boolean) => void

function atLeast(say: Say, at: { on: string; what: string }, value: number, bound: number, unit: string): void {
  say(at, short(value) + unit, `≥ ${bound}${unit}`, value >= bound)
}

function atMost(say: Say, at: { on: string; what: string }, value: number, bound: number, unit: string): void {
  say(at, short(value) + unit, `≤ ${bound}${unit}`, value <= bound)
}

function grown(say: Say, at: { on: string; what: string }, result: Result): void {
  const sizes = result.timings
    .filter(({ name }) => name.startsWith(`${OURS}, `))
    .map(({ name }) => Number(name.replace(/\D/g, '')))
  const [small = 0, large = 0] = sizes
  const ratio = of(result, sized(OURS, large)) / of(result, sized(OURS, small))
  atMost(say, at, ratio, 1.3, ` × with ${large / small} times the rows`)
}

function stacked(say: Say, at: { on: string; what: string }, result: Result): void {
  const most = PENDING.at(-1) ?? 0
  const ratio = of(result, pendingName(OURS, most)) / of(result, pendingName(OURS, 0))
  atMost(say, at, ratio, 1.5, ` × with ${most} pending`)
}

function of(result: Result, name: string): number {
  return result.timings.find((timing) => timing.name === name)?.median ?? Number.NaN
}

/** A number in three digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value === 0 || value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toPrecision(2)
}

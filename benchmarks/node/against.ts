/**
 * This library now against itself at another commit: `npm run bench -- --against 69c3696`. Each row is measured in
 * processes of its own, one of each commit in turn, and the figure is the least median of them. Fails if a row takes
 * more than 1.15 times as long as it did and at least 10 ns longer, or everything together (the geometric mean) more
 * than 1.05 times. With `--only` only some rows, with `--quick` to see that it runs.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Timing } from './measure.js'
import type { OwnRow } from './own.js'
import { OURS } from './peers/ours.js'
import { duration } from './report.js'
import { isSelected } from './suite.js'

/** How many times as long something may take as it did: each row, and all rows on average. */
const MOST = 1.15
const MOST_ON_AVERAGE = 1.05

/**
 * The ms by which processes of one commit differ: the read of an unchanged list takes 8 ns in some and 14 ns in others,
 * as their compiler has laid it out.
 */
const RESOLUTION = 10e-6

/**
 * Processes of each commit for a row, and how many more for one that is above the limit: noise goes, what is slower
 * stays.
 */
const TURNS = 3
const MOST_TURNS = 9

const sides = ['now', 'before'] as const
type Side = (typeof sides)[number]
type Least = Map<string, Record<Side, number>>

const bundles = process.env.BUNDLES ?? '.'
const isQuick = process.argv.includes('--quick')
const only = process.argv.includes('--only') ? process.argv.slice(process.argv.indexOf('--only') + 1) : []

const ratios: { readonly name: string; readonly ratio: number; readonly isSlower: boolean }[] = []
const before = run<OwnRow[]>('before', 'own')
for (const [number, { row, on }] of run<OwnRow[]>('now', 'own').entries()) {
  if (!isSelected(only, row, on)) continue
  const former = before.findIndex((other) => other.row === row && other.on === on)
  for (const [name, least] of timesOf({ now: number, before: former }))
    keep(`${row}, ${on}${name.slice(OURS.length)}`, least, RESOLUTION, duration)
}
if (only.length === 0)
  keep('heap for each flat row', { now: heapOf('now'), before: heapOf('before') }, 0, (bytes) => `${bytes} bytes`)

const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length)
const slower = ratios.filter(({ isSlower }) => isSlower)
console.log(`\ngeometric mean ${mean.toFixed(3)} (at most ${MOST_ON_AVERAGE})`)
for (const { name, ratio } of slower) console.log(`FALLS SHORT ${name}: ${ratio.toFixed(2)} (at most ${MOST})`)
process.exit(!isQuick && (slower.length > 0 || mean > MOST_ON_AVERAGE) ? 1 : 0)

/** The least median of each contender of a row, by commit. */
function timesOf(numbers: Readonly<Record<Side, number>>): Least {
  const least: Least = new Map()
  const most = isQuick ? 1 : MOST_TURNS
  for (
    let turn = 0;
    turn < most && (turn < TURNS || [...least.values()].some((times) => isSlower(times, RESOLUTION)));
    turn++
  ) {
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
      for (const { name, median } of run<Timing[]>(side, 'own', String(numbers[side]))) {
        const times = least.get(name) ?? { now: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY }
        least.set(name, { ...times, [side]: Math.min(times[side], median) })
      }
    }
  }
  return least
}

function isSlower({ now, before }: Readonly<Record<Side, number>>, resolution: number): boolean {
  return now / before > MOST && now - before >= resolution
}

/** Bytes for each flat row. */
function heapOf(side: Side): number {
  return run<{ bytesPerRow: number }>(side, 'heap', OURS, isQuick ? '500' : '10000').bytesPerRow
}

/** What a program of one commit prints, in a process of its own. */
function run<Printed>(side: Side, program: string, ...args: string[]): Printed {
  const file = join(bundles, side, `${program}.mjs`)
  const quick = isQuick ? ['--quick'] : []
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', file, ...args, ...quick], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as Printed
}

function keep(
  name: string,
  least: Readonly<Record<Side, number>>,
  resolution: number,
  unit: (value: number) => string,
): void {
  const { now, before } = least
  const ratio = now / before
  ratios.push({ name, ratio, isSlower: isSlower(least, resolution) })
  console.log(`${ratio.toFixed(2)}  ${name} (${unit(before)} → ${unit(now)})`)
}

import { cpus, loadavg } from 'node:os'
import { short, type Verdict } from './bounds.js'
import type { Timing } from './measure.js'
import { OURS } from './peers/ours.js'
import type { Findings, Kept, Result } from './suite.js'

/** Everything that one run found out. */
export interface Run extends Findings {
  readonly date: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly heap: Readonly<Record<string, number>>
  readonly verdicts: readonly Verdict[]
  readonly seconds: number
}

/** What a machine is called in a report. */
export function machine(): string {
  const all = cpus()
  return `${all.length} × ${all[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}, ${process.platform}, load ${(loadavg()[0] ?? 0).toFixed(1)}`
}

/** The report as a page of Markdown. */
export function markdown(run: Run): string {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`)
  return [
    '# Node suite: latest results',
    `${run.date} · ${run.machine} · ${run.seconds} s.\n${versions.join(' · ')}.`,
    'Median of interleaved samples, with the quartiles. What each row does: [README](../README.md).',
    '## Bounds',
    table(
      ['what', 'on', 'measured', 'bound', ''],
      run.verdicts.map(({ what, on, measured, bound, isMet }) => [
        what,
        on,
        measured,
        bound,
        isMet ? 'pass' : '**falls short**',
      ]),
    ),
    '## Growth',
    'The exponent between the smallest and the largest size: 0 costs the same at any size, 1 is linear, 2 quadratic.',
    table(
      ['what', 'sizes', 'library', 'exponent'],
      growth(run.results).map(({ row, sizes, name, exponent }) => [row, sizes, name, exponent.toFixed(2)]),
    ),
    ...run.results.map(section),
    '## References kept',
    references(run.kept),
    '## Heap for each flat row, list and view read',
    table(
      ['library', 'bytes'],
      Object.entries(run.heap).map(([name, bytes]) => [name, String(bytes)]),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}

/** How the time of one contender of one row grows. */
export interface Growth {
  readonly row: string
  readonly sizes: string
  readonly name: string
  readonly exponent: number
}

/** The growth of everything that was measured at several sizes. */
export function growth(results: readonly Result[]): Growth[] {
  const rows = new Set(results.filter(({ size }) => size !== undefined).map(({ row }) => row))
  return [...rows].flatMap((row) => {
    const sized = results.filter((result) => result.row === row)
    const [first, last] = [sized[0], sized.at(-1)]
    if (first === undefined || last === undefined || first === last) return []
    const times = (last.size ?? 0) / (first.size ?? 1)
    return first.timings.map(({ name, median }) => {
      const largest = last.timings.find((timing) => timing.name === name)?.median ?? Number.NaN
      const sizes = sized.map(({ size = 0 }) => size.toLocaleString('en')).join(', ')
      return { row, sizes, name, exponent: Math.log(largest / median) / Math.log(times) }
    })
  })
}

/** One comparison on one line, for the terminal. */
export function line({ row, on, timings }: Result): string {
  const times = timings.map(({ name, median }) => `${name} ${duration(median)}`)
  return `${row} — ${on}\n    ${times.join('; ')}`
}

function section({ row, on, timings, wakes }: Result): string {
  const own = timings.find(({ name }) => name === OURS)?.median
  const head = ['', 'median', 'quartiles', 'samples', `${OURS} = 1`]
  const rows = timings.map((timing) => cells(timing, own, wakes?.[timing.name]))
  const counts = wakes === undefined ? [] : ['wakes']
  const columns = own === undefined ? 4 : 5
  return [
    `## ${row}: ${on}`,
    table(
      [...head.slice(0, columns), ...counts],
      rows.map((row) => [...row.slice(0, columns), ...row.slice(5, 5 + counts.length)]),
    ),
  ].join('\n\n')
}

function cells(
  { name, median, low, high, samples }: Timing,
  own: number | undefined,
  woken: number | undefined,
): string[] {
  const times = own === undefined ? '' : short(median / own)
  return [
    name,
    duration(median),
    `${duration(low)} – ${duration(high)}`,
    String(samples),
    times,
    woken === undefined ? '' : String(woken),
  ]
}

function references(kept: readonly Kept[]): string {
  const percent = (share: number | undefined): string => `${(100 * (share ?? 0)).toFixed(1)} %`
  return table(
    ['', ...kept.flatMap(({ on }) => [`${on.slice(0, 3)} identical`, `${on.slice(0, 3)} 1 % changed`])],
    Object.keys(kept[0]?.identical ?? {}).map((name) => [
      name,
      ...kept.flatMap(({ identical, changed }) => [percent(identical[name]), percent(changed[name])]),
    ]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

/** Milliseconds in the unit that suits them. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1) return `${short(milliseconds)} ms`
  return milliseconds >= 0.001 ? `${short(milliseconds * 1e3)} µs` : `${short(milliseconds * 1e6)} ns`
}

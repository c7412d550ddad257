import { cpus, loadavg } from 'node:os'
import type { Timing } from '../node/measure.js'
import { OURS } from './contenders.js'
import type { Comparison, Finding, Findings, First, Heap } from './suite.js'

/** Everything that one run found out, and where. */
export interface Run extends Findings {
  readonly date: string
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly seconds: number
}

/** What a machine is called in a report. */
export function machine(): string {
  const all = cpus()
  return `${all.length} × ${all[0]?.model ?? 'unknown processor'}, ${process.platform}, load ${(loadavg()[0] ?? 0).toFixed(1)}`
}

/** The report as a page of Markdown. */
export function markdown(run: Run): string {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`)
  const frameworks = [...new Set(run.comparisons.map(({ framework }) => framework))]
  return [
    '# Browser suite: latest results',
    `${run.date} · ${run.machine} · ${run.seconds} s.\n${versions.join(' · ')}.`,
    'Milliseconds from what was done to the change of the document: median of interleaved samples, with the quartiles. What each\nscenario does: [README](../README.md).',
    ...frameworks.flatMap((framework) => section(framework, run)),
  ]
    .join('\n\n')
    .concat('\n')
}

/** One comparison on one line, for the terminal. */
export function line({ framework, scenario, delay, findings }: Comparison): string {
  const times = findings.map(({ library, changed, rendered }) => `${library} ${ms(changed.median)} (${rendered})`)
  return `${framework}, ${scenario}, delay ${delay} ms\n    ${times.join('; ')}`
}

function section(framework: string, { comparisons, firsts, heaps }: Run): string[] {
  return [
    `## ${framework}`,
    '### the first list of 500 in a fresh page, and with a processor four times slower',
    firstTable(firsts.filter((first) => first.framework === framework)),
    ...comparisons.filter((comparison) => comparison.framework === framework).map(comparisonTable),
    '### heap after a list of 500 was shown and taken away',
    heapTable(heaps.filter((heap) => heap.framework === framework)),
  ]
}

function comparisonTable({ scenario, delay, findings }: Comparison): string {
  const own = findings.find(({ library }) => library === OURS)?.changed.median ?? Number.NaN
  const isPainted = findings.some(({ painted }) => painted)
  const painted = isPainted ? ['painted'] : []
  const head = ['', 'median', 'quartiles', 'samples', `${OURS} = 1`, ...painted, 'rendered', 'requests']
  return [
    `### ${scenario}${delay > 0 ? `, each answer after ${delay} ms` : ''}`,
    table(
      head,
      findings.map((finding) => cells(finding, own)),
    ),
  ].join('\n\n')
}

function cells({ library, changed, painted, rendered, requests }: Finding, own: number): string[] {
  const spread = `${ms(changed.low)} – ${ms(changed.high)}`
  const frame = painted ? [ms(painted.median)] : []
  const counts = [rendered, requests].map(String)
  return [
    library,
    ms(changed.median),
    spread,
    String(changed.samples),
    (changed.median / own).toFixed(2),
    ...frame,
    ...counts,
  ]
}

function firstTable(firsts: readonly First[]): string {
  const of = (library: string, slower: number): number =>
    firsts.find((first) => first.library === library && first.slower === slower)?.changed.median ?? Number.NaN
  const libraries = [...new Set(firsts.map(({ library }) => library))]
  return table(
    ['', 'median', `${OURS} = 1`, 'four times slower', `${OURS} = 1`],
    libraries.map((library) => [
      library,
      ...[1, 4].flatMap((slower) => [ms(of(library, slower)), (of(library, slower) / of(OURS, slower)).toFixed(2)]),
    ]),
  )
}

function heapTable(heaps: readonly Heap[]): string {
  const head = ['', 'kB more than before, after 1 cycle', 'after 10 cycles', 'of it since the first']
  return table(
    head,
    heaps.map(({ library, afterOne, afterAll }) => [
      library,
      ...[afterOne, afterAll, afterAll - afterOne].map((bytes) => String(Math.round(bytes / 1000))),
    ]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

/** Milliseconds, as exact as they mean something. */
function ms(milliseconds: Timing['median']): string {
  return milliseconds >= 100 ? String(Math.round(milliseconds)) : milliseconds.toFixed(1)
}

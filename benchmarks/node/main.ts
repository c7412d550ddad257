/**
 * The node suite: `npm run bench`, or `npm run bench -- --quick` to see only that everything runs. `--only cold`
 * measures the rows that have the word in what they do or in what they do it with, against the nearest library alone,
 * and writes nothing.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verdicts } from './bounds.js'
import { peers } from './peers/index.js'
import { OURS } from './peers/ours.js'
import type { Peer } from './peers/peer.js'
import { growth, line, machine, markdown, type Run } from './report.js'
import { measure, PEER, type Selection } from './suite.js'

const isQuick = process.argv.includes('--quick')
const only = wordsAfter('--only')
const selection: Selection = { only, peers: only.length === 0 ? peers : peers.filter(isNearest) }
// Given by the script that bundles and starts this file.
const folder = process.env.BENCHMARKS ?? '.'
const bundles = process.env.BUNDLES ?? '.'

const started = performance.now()
const findings = await measure(isQuick, selection, (result) => console.log(line(result)))
const heap = heaps(isQuick ? 500 : 10_000)
const overhead = (heap[OURS] ?? Number.NaN) - (heap.records ?? 0)
const run: Run = {
  date: new Date().toISOString().slice(0, 10),
  machine: machine(),
  versions: versions(),
  seconds: Math.round((performance.now() - started) / 1000),
  ...findings,
  heap,
  verdicts: verdicts(findings, isQuick || Number.isNaN(overhead) ? undefined : overhead),
}
for (const { what, on, measured, bound, isMet } of isQuick ? [] : run.verdicts) {
  console.log(`${isMet ? 'pass        ' : 'FALLS SHORT '} ${what}, ${on}: ${measured} (${bound})`)
}
for (const { row, name, exponent } of growth(run.results))
  console.log(`grows by n^${exponent.toFixed(2)}: ${row}, ${name}`)
if (!isQuick && only.length === 0) keep(run)
console.log(`${run.seconds} s`)
process.exit(0)

/** The words behind an option, up to the next option. */
function wordsAfter(option: string): readonly string[] {
  const at = process.argv.indexOf(option)
  const rest = at < 0 ? [] : process.argv.slice(at + 1)
  const end = rest.findIndex((word) => word.startsWith('--'))
  return end < 0 ? rest : rest.slice(0, end)
}

function isNearest({ name }: Peer): boolean {
  return name === OURS || name === PEER
}

/** Bytes for each row, by library, each measured in a process of its own. */
function heaps(rows: number): Record<string, number> {
  if (only.length > 0 && !only.includes('heap')) return {}
  const names = ['records', ...selection.peers.map(({ name }) => name)]
  return Object.fromEntries(names.map((name) => [name, heapOf(name, rows)]))
}

function heapOf(name: string, rows: number): number {
  const child = spawnSync(process.execPath, ['--expose-gc', join(bundles, 'heap.mjs'), name, String(rows)])
  if (child.status !== 0) throw new Error(`Measuring the heap of ${name} failed: ${child.stderr}`)
  return (JSON.parse(child.stdout.toString()) as { bytesPerRow: number }).bytesPerRow
}

function versions(): Record<string, string> {
  const names = new Set(peers.flatMap((peer) => peer.packages))
  names.delete('@roundtable/core')
  return Object.fromEntries([...names, '@tanstack/db', '@data-client/rest'].map((name) => [name, versionOf(name)]))
}

function versionOf(name: string): string {
  const file = join(folder, '..', 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function keep(run: Run): void {
  const to = join(folder, 'results')
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'latest.json'), `${JSON.stringify(run, undefined, 1)}\n`)
  writeFileSync(join(to, 'latest.md'), markdown(run))
}

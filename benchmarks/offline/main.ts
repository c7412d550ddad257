// What storing costs and what survives, beside TanStack Query and TanStack DB, in processes and in Chromium; writes
// ../results/offline.json.
//
//     npm run bench:offline [-- --quick]
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { findChromium } from '../../scripts/chromium.mjs'
import { flatRows } from '../node/data/flat.js'
import { type Findings, runChecks } from './checks.js'
import type { Sample } from './costs/sample.js'
import { measureMainThread } from './main-thread.js'

const isQuick = process.argv.includes('--quick')
const rows = isQuick ? 100 : 10_000
const samples = isQuick ? 1 : 9
const folder = dirname(fileURLToPath(import.meta.url))
const root = join(folder, '../..')
const bundles = mkdtempSync(join(tmpdir(), 'roundtable-bench-offline-'))
const libraries = { Roundtable: 'roundtable', 'TanStack Query': 'tanstack-query', 'TanStack DB': 'tanstack-db' }

try {
  const costs = { ...(await measure()), ...(await measureBusyPages()) }
  const checks = await check()
  const run = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    rows,
    costs,
    checks,
  }
  console.log(JSON.stringify(run, null, 2))
  for (const line of ratios(costs)) console.log(line)
  if (!isQuick) writeFileSync(join(folder, '../results/offline.json'), `${JSON.stringify(run, null, 2)}\n`)
} finally {
  rmSync(bundles, { recursive: true, force: true })
}

/** Each sample in a process of its own, in turns; of all the least. */
async function measure(): Promise<Readonly<Record<string, Sample>>> {
  const names = ['roundtable', 'tanstack-query', 'json']
  await build({
    ...shared(),
    entryPoints: names.map((name) => join(folder, 'costs', `${name}.ts`)),
    platform: 'node',
    target: 'node20',
  })
  const response = join(bundles, 'response.json')
  writeFileSync(response, JSON.stringify(flatRows(rows)))
  const least = new Map<string, Record<string, number>>()
  const add = (name: string, sample: Sample): void => {
    const all = least.get(name) ?? {}
    for (const [figure, value] of Object.entries(sample)) all[figure] = Math.min(all[figure] ?? Infinity, value)
    least.set(name, all)
  }
  for (let sample = 0; sample < samples; sample++) {
    for (const name of names) {
      const stored = join(bundles, `${name}.stored`)
      if (name === 'json') add(name, run(name, 'json', join(bundles, 'roundtable.stored')))
      else {
        add(name, run(name, 'first', response, stored))
        add(`${name} restored`, run(name, 'restore', stored))
      }
    }
  }
  if (!isQuick) for (const mode of ['stored', 'none']) add(`busy ${mode}`, run('roundtable', 'busy', mode))
  return Object.fromEntries(least)
}

function run(name: string, ...args: readonly string[]): Sample {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    // Else what other threads compile and collect depends on what else the machine does.
    ['--expose-gc', '--single-threaded', join(bundles, `${name}.mjs`), ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
  if (status !== 0) throw new Error(stderr)
  // The programs of this folder print samples.
  return JSON.parse(stdout) as Sample
}

/** The same while a page works, in Chromium: of three turns the least. */
async function measureBusyPages(): Promise<Readonly<Record<string, Sample>>> {
  if (isQuick) return {}
  const executablePath = needChromium()
  const script = await bundlePage('busy')
  const least: Record<string, { cpu: number }> = {}
  for (let turn = 0; turn < 3; turn++) {
    for (const mode of ['stored', 'none']) {
      const name = `page ${mode}`
      const cpu = await measureMainThread(executablePath, script, mode === 'stored')
      least[name] = { cpu: Math.min(least[name]?.cpu ?? Infinity, cpu) }
    }
  }
  return least
}

/** Times as multiples of `JSON` alone, which a busy machine slows down as much. */
function ratios(costs: Readonly<Record<string, Sample>>): readonly string[] {
  const of = (program: string, figure: string): number => costs[program]?.[figure] ?? Number.NaN
  const lines = ['roundtable', 'tanstack-query'].flatMap((name) => [
    `${name} stores a first response in ${(of(name, 'cpu') / of('json', 'stringify')).toFixed(1)} × JSON.stringify`,
    `${name} restores it in ${(of(`${name} restored`, 'cpu') / of('json', 'parse')).toFixed(1)} × JSON.parse`,
    `${name} writes ${of(name, 'changeBytes')} bytes for one changed field`,
  ])
  if (isQuick) return lines
  const share = (of('busy stored', 'cpu') - of('busy none', 'cpu')) / 100_000
  const pageShare = (of('page stored', 'cpu') - of('page none', 'cpu')) / 100_000
  return [
    ...lines,
    `a thousand rows that change ten times a second: ${(of('busy stored', 'writes') / 10).toFixed(1)} records a second, ${share.toFixed(1)} % of processor time`,
    `the same in Chromium: ${pageShare.toFixed(1)} % of the main thread`,
  ]
}

async function check(): Promise<Readonly<Record<string, Findings>>> {
  const executablePath = needChromium()
  const findings: Record<string, Findings> = {}
  for (const [library, name] of Object.entries(libraries)) {
    findings[library] = await runChecks(executablePath, await bundlePage(name))
  }
  return findings
}

function needChromium(): string {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
  return executablePath
}

/** The script of a page. */
async function bundlePage(name: string): Promise<string> {
  const entry = join(folder, 'pages', `${name}.ts`)
  await build({ ...shared(), entryPoints: [entry], platform: 'browser', target: 'es2022', splitting: false })
  return readFileSync(join(bundles, `${name}.mjs`), 'utf8')
}

/** As applications are bundled: ours from its sources, the others as bundlers find them. */
function shared() {
  return {
    outdir: bundles,
    absWorkingDir: folder,
    // Both sides of each library are to have one copy of its core.
    alias: { '@tanstack/db': 'tanstack-db-of-offline', '@tanstack/query-core': 'query-core-of-persister' },
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm' as const,
    conditions: ['@roundtable/source', 'module'],
    mainFields: ['module', 'main'],
    nodePaths: ['core/node_modules', 'node_modules'].map((path) => join(root, path)),
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning' as const,
  }
}

/**
 * What the first use costs: `npm run bench:fresh`. Each sample is a process of its own, in turns; the figure is the least CPU time.
 * Written and read are the first 500 and the first 5,000 rows; imported is core's dist, without a bundler.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const bundles = process.env.BUNDLES ?? '.'
const core = join(dirname(process.env.BENCHMARKS ?? '.'), 'core/dist/index.js')
const samples = process.argv.includes('--quick') ? 1 : 25
const libraries = ['ours', 'normalizr', 'query-core', 'json']

for (const rows of [1, 500, 5_000]) {
  const least = new Map(libraries.map((name) => [name, Infinity]))
  for (let sample = 0; sample < samples; sample++) {
    for (const name of libraries) {
      const taken = microseconds([join(bundles, 'fresh', `${name}.mjs`), String(rows)])
      least.set(name, Math.min(least.get(name) ?? Infinity, taken))
    }
  }
  const own = least.get('ours') ?? Number.NaN
  const of = (name: string): string => (own / (least.get(name) ?? Number.NaN)).toFixed(1)
  const times = libraries.map((name) => `${name} ${ms(least.get(name) ?? Number.NaN)}`).join(', ')
  console.log(
    `first ${rows.toLocaleString('en')} rows: ${times}; ours is ${of('normalizr')} × normalizr, ${of('json')} × JSON.parse`,
  )
}
console.log(`import of core from dist: ${ms(importTime())}`)

/** The least CPU time of the import. */
function importTime(): number {
  const url = pathToFileURL(core).href
  const program = `const before = process.cpuUsage(); await import(${JSON.stringify(url)}); const { user, system } = process.cpuUsage(before); process.stdout.write(String(user + system))`
  return Math.min(...Array.from({ length: samples }, () => microseconds(['--input-type=module', '-e', program])))
}

function microseconds(args: readonly string[]): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout)
}

function ms(microseconds: number): string {
  return `${(microseconds / 1000).toFixed(1)} ms`
}

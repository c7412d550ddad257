/**
 * What the first use costs: `npm run bench:fresh`. Each sample is a process of its own, in turns; the figure is the
 * least CPU time. Written and read are the first 1, 500 and 5,000 rows; imported is core's dist, without a bundler.
 * With `--against COMMIT` the same of this library alone, beside itself at that commit, where what is imported is a
 * bundle of all of core: fails if anything takes more than 1.15 times as long as it did, or everything together (the
 * geometric mean) more than 1.05 times. Beside each figure is the same with `--single-threaded`: without it, V8's
 * threads compile and collect at moments of their own, and their time counts, too.
 */
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How many times as long something may take as it did: each, and all on average. */
const MOST = 1.15
const MOST_ON_AVERAGE = 1.05

const bundles = process.env.BUNDLES ?? '.'
const samples = process.argv.includes('--quick') ? 1 : 25
const sizes = [1, 500, 5_000]

if (process.argv.includes('--against')) againstItself()
else besideOthers()

function besideOthers(): void {
  const names = ['ours', 'normalizr', 'query-core', 'json']
  for (const rows of sizes) {
    const least = leastOf(names.map((name) => firstRows(`fresh/${name}`, rows)))
    const alone = leastOf(names.map((name) => onOneThread(firstRows(`fresh/${name}`, rows))))
    const times = names.map((name, i) => `${name} ${ms(least[i])} (on one thread ${ms(alone[i])})`).join(', ')
    const [ours = Number.NaN, normalizr = Number.NaN, , json = Number.NaN] = least
    const ratios = `${(ours / normalizr).toFixed(1)} × normalizr, ${(ours / json).toFixed(1)} × JSON.parse`
    console.log(`${nameOf(rows)}: ${times}; ours is ${ratios}`)
  }
  const core = join(dirname(process.env.BENCHMARKS ?? '.'), 'core/dist/index.js')
  console.log(`import of core from dist: ${ms(leastOf([importOf(core)])[0])}`)
}

function againstItself(): void {
  const rows = sizes.map((count) => ({
    name: nameOf(count),
    programs: ['now', 'before'].map((side) => firstRows(`${side}/fresh/ours`, count)),
  }))
  const imports = ['now', 'before'].map((side) => importOf(join(bundles, side, 'fresh/core.mjs')))
  const ratios = [...rows, { name: 'import of all of core', programs: imports }].map(({ name, programs }) => {
    const [now = Number.NaN, before = Number.NaN, nowAlone = Number.NaN, beforeAlone = Number.NaN] = leastOf([
      ...programs,
      ...programs.map(onOneThread),
    ])
    const alone = `${(nowAlone / beforeAlone).toFixed(2)} on one thread, ${ms(beforeAlone)} → ${ms(nowAlone)}`
    console.log(`${(now / before).toFixed(2)}  ${name} (${ms(before)} → ${ms(now)}; ${alone})`)
    return now / before
  })
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  console.log(`geometric mean ${mean.toFixed(3)} (at most ${MOST_ON_AVERAGE}, and ${MOST} of each)`)
  if (samples > 1 && (mean > MOST_ON_AVERAGE || Math.max(...ratios) > MOST)) process.exitCode = 1
}

/**
 * The least CPU time of each program, which take turns in both directions, so that a slow minute of the machine is
 * everybody's.
 */
function leastOf(programs: readonly (readonly string[])[]): number[] {
  const least = programs.map(() => Number.POSITIVE_INFINITY)
  for (let sample = 0; sample < samples; sample++) {
    const turns = [...programs.entries()]
    if (sample % 2 === 1) turns.reverse()
    for (const [i, program] of turns) least[i] = Math.min(least[i] ?? Number.NaN, microseconds(program))
  }
  return least
}

function firstRows(program: string, rows: number): string[] {
  return ['--expose-gc', join(bundles, `${program}.mjs`), String(rows)]
}

function onOneThread(args: readonly string[]): string[] {
  return ['--single-threaded', ...args]
}

function importOf(file: string): string[] {
  const url = JSON.stringify(pathToFileURL(file).href)
  const program = `const before = process.cpuUsage(); await import(${url}); const { user, system } = process.cpuUsage(before); process.stdout.write(String(user + system))`
  return ['--input-type=module', '-e', program]
}

function microseconds(args: readonly string[]): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout)
}

function nameOf(rows: number): string {
  return rows === 1 ? 'first row' : `first ${rows.toLocaleString('en')} rows`
}

function ms(microseconds = Number.NaN): string {
  return `${(microseconds / 1000).toFixed(1)} ms`
}

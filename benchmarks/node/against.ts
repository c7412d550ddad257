/**
 * This library now against itself at another commit: `npm run bench -- --against 69c3696`. Both are bundled apart, loaded into one
 * process and timed in turns. Fails if anything takes more than 1.25 times as long as it did, or everything together (the geometric
 * mean) more than 1.05 times. With `--only` only some rows, with `--quick` to see that it runs.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compare, FULL, QUICK } from './measure.js'
import type { ownComparisons } from './own.js'
import { OURS } from './peers/ours.js'
import { type Comparison, isSelected } from './suite.js'

/** How many times as long something may take as it did: each row, and all rows on average. */
const MOST = 1.25
const MOST_ON_AVERAGE = 1.05

const bundles = process.env.BUNDLES ?? '.'
const isQuick = process.argv.includes('--quick')
const only = process.argv.includes('--only') ? process.argv.slice(process.argv.indexOf('--only') + 1) : []

const [now, before] = await Promise.all([comparisonsOf('now'), comparisonsOf('before')])
const ratios: { readonly name: string; readonly ratio: number }[] = []
for (const [i, comparison] of now.entries()) {
  const { row, on } = comparison
  if (isSelected(only, row, on)) await compareBoth(comparison, before[i] as Comparison)
}
if (only.length === 0) ratios.push(heaps())

const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length)
const slower = ratios.filter(({ ratio }) => ratio > MOST)
console.log(`\ngeometric mean ${mean.toFixed(3)} (at most ${MOST_ON_AVERAGE})`)
for (const { name, ratio } of slower) console.log(`FALLS SHORT ${name}: ${ratio.toFixed(2)} (at most ${MOST})`)
process.exit(!isQuick && (slower.length > 0 || mean > MOST_ON_AVERAGE) ? 1 : 0)

async function comparisonsOf(which: string): Promise<Comparison[]> {
  const module = (await import(pathToFileURL(fileOf(which, 'own')).href)) as { ownComparisons: typeof ownComparisons }
  return module.ownComparisons(isQuick)
}

/** Times each contender beside its former self. */
async function compareBoth(now: Comparison, before: Comparison): Promise<void> {
  const old = before.make()
  for (const contender of now.make()) {
    const former = old.find(({ name }) => name === contender.name)
    if (former === undefined) throw new Error(`${now.row}: ${contender.name} was not measured at the other commit.`)
    const effort = isQuick ? QUICK : FULL
    const [own, its] = await compare([contender, { ...former, name: 'before' }], effort)
    const ratio = (own?.median ?? Number.NaN) / (its?.median ?? Number.NaN)
    keep(`${now.row}, ${now.on}${contender.name.slice(OURS.length)}`, ratio)
  }
}

/** Bytes for each flat row, each in a process of its own. */
function heaps(): { name: string; ratio: number } {
  const bytesOf = (which: string): number => {
    const args = ['--expose-gc', fileOf(which, 'heap'), OURS, isQuick ? '500' : '10000']
    const { stdout } = spawnSync(process.execPath, args)
    return (JSON.parse(stdout.toString()) as { bytesPerRow: number }).bytesPerRow
  }
  const [now, before] = [bytesOf('now'), bytesOf('before')]
  const name = `heap for each flat row (${before} → ${now} bytes)`
  console.log(`${(now / before).toFixed(2)}  ${name}`)
  return { name, ratio: now / before }
}

function keep(name: string, ratio: number): void {
  ratios.push({ name, ratio })
  console.log(`${ratio.toFixed(2)}  ${name}`)
}

function fileOf(which: string, program: string): string {
  return join(bundles, which, `${program}.mjs`)
}

// Tries seeds that `npm test` does not, for as long as it is told to: scripts/simulate.mjs bundles and runs it.
import { parseArgs } from 'node:util'
import { runGraph } from '../core/table/graph-run.js'
import { LAWS } from './alike.js'
import { simulateHttp } from './http/http-simulate.js'
import { simulateLive } from './live/live-simulate.js'
import { simulateOffline } from './offline/offline-simulate.js'
import { report } from './report.js'
import { run, simulate } from './simulate.js'

/** What is tried of a seed. */
interface Kind {
  /** Every so many seeds: they take unlike times. */
  readonly every: number
  /** What went wrong with a seed, if anything did. */
  attempt(seed: number): Promise<string | undefined>
}

const KINDS: { readonly [name: string]: Kind } = {
  programs: {
    every: 1,
    attempt: async (seed) => {
      const failure = await simulate(seed, 1, run)
      return failure && report(failure)
    },
  },
  laws: {
    every: 25,
    attempt: async (seed) => {
      for (const { what, compare } of LAWS) {
        const failure = await simulate(seed, 1, compare)
        if (failure) return report(failure, what)
      }
      return undefined
    },
  },
  http: { every: 10, attempt: (seed) => simulateHttp(seed, 1) },
  live: { every: 5, attempt: (seed) => simulateLive(seed, 1) },
  offline: { every: 10, attempt: (seed) => simulateOffline(seed, 1, 1) },
  tabs: { every: 10, attempt: (seed) => simulateOffline(seed, 1, 3) },
  graphs: {
    every: 1,
    attempt: async (seed) => {
      try {
        runGraph(seed)
        return undefined
      } catch (error) {
        return `${(error as Error).stack}\nRun it again: npm run simulate -- --only graphs --seed ${seed}`
      }
    },
  },
}

/** Beyond it, seeds are the same again. */
const SEEDS = 2 ** 32

/** In ms. */
const BETWEEN_LINES = 30_000

const { minutes, start, seed, only } = read()
const first = seed ?? start ?? Math.floor(Math.random() * SEEDS)
const began = performance.now()
const tried = new Map<string, number>()
let failed = 0
let at = first
let printed = began
let isStopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopped = true
  })
}
process.on('unhandledRejection', (error) => fail('a rejection that nobody handled', error))
console.log(seed === undefined ? `From seed ${first} on, for ${minutes} minutes.` : `Seed ${seed}.`)
do {
  for (const [name, { every, attempt }] of Object.entries(KINDS)) {
    if (only === undefined ? seed === undefined && at % every !== 0 : !only.includes(name)) continue
    tried.set(name, (tried.get(name) ?? 0) + 1)
    const wrong = await attempt(at)
    if (wrong !== undefined) fail(name, wrong)
  }
  // Programs wait for promises alone: signals and rejections are told here.
  await new Promise(setImmediate)
  at++
  if (performance.now() - printed > BETWEEN_LINES) tell()
} while (seed === undefined && !isStopped && performance.now() - began < minutes * 60_000)
tell()
process.exitCode = failed > 0 ? 1 : 0

function fail(what: string, wrong: unknown): void {
  failed++
  console.log(`\n✗ ${what}, seed ${at}\n`, wrong, '\n')
}

function tell(): void {
  printed = performance.now()
  const counts = [...tried].map(([name, count]) => `${count} ${name}`).join(', ')
  const took = ((printed - began) / 60_000).toFixed(1)
  console.log(`seeds ${first} to ${at - 1}: ${counts}; ${failed} failed, after ${took} min`)
}

function read() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '1' },
      start: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
    },
  })
  const numberOf = (name: 'minutes' | 'start' | 'seed'): number | undefined => {
    const { [name]: given } = values
    const value = Number(given)
    if (given !== undefined && !(value >= 0)) throw new Error(`--${name} is a number, not '${given}'.`)
    return given === undefined ? undefined : value
  }
  const names = values.only?.split(',')
  const unknown = names?.filter((name) => !Object.hasOwn(KINDS, name)) ?? []
  if (unknown.length > 0) throw new Error(`--only names some of ${Object.keys(KINDS)}, not ${unknown}.`)
  return { minutes: numberOf('minutes') ?? 1, start: numberOf('start'), seed: numberOf('seed'), only: names }
}

import type { Browser } from 'playwright-core'
import { summary, type Timing } from '../node/measure.js'
import { contenders } from './contenders.js'
import { checkEquality } from './equality.js'
import type { Sample } from './page/bench.js'
import { type Scenario, scenarios } from './scenarios.js'
import { Tab } from './tab.js'

/** How much to measure. */
export interface Effort {
  /** Samples of each contender in a comparison, at most and at least; with 0 the run that checks is the only one. */
  readonly most: number
  readonly least: number
  /** Milliseconds for the samples of one comparison together. */
  readonly budget: number
  /** Milliseconds that the server takes to answer. */
  readonly delays: readonly number[]
  /** Scenarios with more issues are left out. */
  readonly largest: number
  /** How often a list is shown and taken away before the heap is looked at. */
  readonly cycles: number
  /** Fresh pages of each contender for the first list, for each speed. */
  readonly fresh: number
  /** How many times slower scripts run there. */
  readonly slower: readonly number[]
}

/** The measuring that a table stands on. */
export const FULL: Effort = {
  most: 15,
  least: 7,
  budget: 2_500,
  delays: [0, 50],
  largest: 10_000,
  cycles: 10,
  fresh: 9,
  slower: [1, 4],
}
/** Enough to see that everything runs. */
export const QUICK: Effort = {
  most: 0,
  least: 0,
  budget: 0,
  delays: [0],
  largest: 1_000,
  cycles: 2,
  fresh: 1,
  slower: [1],
}

/** What was measured of one contender. */
export interface Finding {
  readonly library: string
  /** From what was done to the change of the document. */
  readonly changed: Timing
  /** To the end of the frame that shows it, where that is told. */
  readonly painted?: Timing
  readonly rendered: number
  readonly requests: number
}

/** One scenario, in one framework, at one delay. */
export interface Comparison {
  readonly framework: string
  readonly scenario: string
  readonly delay: number
  readonly findings: readonly Finding[]
}

/** Bytes of the heap that a page has more than before it showed a list of 500 and took it away. */
export interface Heap {
  readonly framework: string
  readonly library: string
  readonly afterOne: number
  readonly afterAll: number
}

/** The first list that a page shows after it was loaded: nothing of the library has run before. */
export interface First {
  readonly framework: string
  readonly library: string
  /** How many times slower scripts ran. */
  readonly slower: number
  readonly changed: Timing
}

/** Everything that one run found out. */
export interface Findings {
  readonly comparisons: readonly Comparison[]
  readonly firsts: readonly First[]
  readonly heaps: readonly Heap[]
}

/** Checks that all show the same, then measures. `say` hears of each comparison. */
export async function runSuite(
  browser: Browser,
  url: string,
  effort: Effort,
  say: (comparison: Comparison) => void = () => {},
): Promise<Findings> {
  const tabs = await Promise.all(contenders.map((contender) => Tab.open(browser, url, contender)))
  const chosen = scenarios.filter(({ count }) => count <= effort.largest)
  const first = new Map<Scenario, ReadonlyMap<Tab, Sample>>()
  for (const scenario of chosen) first.set(scenario, await checkEquality(tabs, scenario))
  const heaps: Heap[] = []
  for (const contender of contenders) heaps.push(await heapOf(await Tab.open(browser, url, contender), effort.cycles))
  const firsts = await firstLists(browser, url, effort)
  const comparisons: Comparison[] = []
  for (const framework of ['React', 'Vue', 'Svelte'] as const) {
    const own = tabs.filter(({ contender }) => contender.framework === framework)
    for (const delay of effort.delays) {
      for (const scenario of chosen.filter(({ on }) => on.includes(framework))) {
        const samples =
          effort.most === 0
            ? own.map((tab) => [first.get(scenario)?.get(tab)].filter((sample) => sample !== undefined))
            : await takeTurns(own, scenario, delay, effort)
        const findings = own.map((tab, i) => findingOf(tab.contender.library, samples[i] ?? [], scenario))
        const comparison = { framework, scenario: scenario.name, delay, findings }
        comparisons.push(comparison)
        say(comparison)
      }
    }
  }
  const complaints = tabs.flatMap(({ contender, complaints }) => complaints.map((text) => `${contender.name}: ${text}`))
  if (complaints.length > 0) throw new Error(`Pages complained:\n${complaints.join('\n')}`)
  for (const tab of tabs) await tab.close()
  return { comparisons, firsts, heaps }
}

/** A list of 500 as the first thing that a page shows; each sample in a page of its own. */
async function firstLists(browser: Browser, url: string, { fresh, slower: speeds }: Effort): Promise<First[]> {
  const firsts: First[] = []
  for (const slower of speeds) {
    const samples = contenders.map((): number[] => [])
    for (let round = 0; round < fresh; round++) {
      for (const [i, contender] of contenders.entries()) {
        const tab = await Tab.open(browser, url, contender)
        await tab.prepare(FIRST, 0)
        await tab.slowDown(slower)
        samples[i]?.push((await tab.act()).changed)
        await tab.close()
      }
    }
    for (const [i, { framework, library }] of contenders.entries())
      firsts.push({ framework, library, slower, changed: summary(library, samples[i] ?? []) })
  }
  return firsts
}

const FIRST = 'list of 500, fetched'

/** Contenders take turns, so that a slow minute of the machine is everybody's. */
async function takeTurns(
  tabs: readonly Tab[],
  { name, count }: Scenario,
  delay: number,
  effort: Effort,
): Promise<readonly (readonly Sample[])[]> {
  const samples = tabs.map((): Sample[] => [])
  const started = performance.now()
  const least = leastOf(effort, count, delay)
  for (let round = 0; round < effort.most; round++) {
    if (round >= least && (delay > 0 || performance.now() - started > effort.budget)) break
    for (const [i, tab] of tabs.entries()) {
      await tab.prepare(name, delay)
      samples[i]?.push(await tab.act())
      await tab.end()
    }
  }
  return samples
}

/**
 * Fewer samples tell what takes a second to prepare and tens of milliseconds, and what is mostly a delay that is always
 * the same.
 */
function leastOf({ least }: Effort, count: number, delay: number): number {
  const enough = delay > 0 ? 3 : least
  return count >= 10_000 ? Math.min(enough, delay > 0 ? 2 : 3) : enough
}

function findingOf(library: string, samples: readonly Sample[], { isPainted }: Scenario): Finding {
  const timing = (pick: (sample: Sample) => number): Timing => summary(library, samples.map(pick))
  const last = samples.at(-1)
  return {
    library,
    changed: timing(({ changed }) => changed),
    ...(isPainted && { painted: timing(({ painted }) => painted) }),
    rendered: last?.rendered ?? 0,
    requests: last?.requests ?? 0,
  }
}

/**
 * In a page of its own, that has run the scenario before: a list of 500 is shown and taken away, once and then again
 * and again. Its answer stays in the cache of who has one.
 */
async function heapOf(tab: Tab, cycles: number): Promise<Heap> {
  await tab.prepare(FIRST, 0)
  await tab.cycle(cycles)
  await tab.end()
  await tab.prepare(FIRST, 0)
  const before = await tab.heap()
  await tab.cycle(1)
  const afterOne = (await tab.heap()) - before
  await tab.cycle(cycles - 1)
  const afterAll = (await tab.heap()) - before
  const { framework, library } = tab.contender
  await tab.close()
  return { framework, library, afterOne, afterAll }
}

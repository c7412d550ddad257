/** One thing to be measured. What `prepare` does is not timed. */
export interface Contender {
  readonly name: string
  /** Makes ready what one run works on, and returns the run; a promise where it ends later. */
  prepare(): () => unknown
  /** Runs timed together and divided by this, for what takes less than a microsecond. */
  readonly times?: number
  /** Runs in one sample at most, where what they work on is small; by default few, since it is all prepared before. */
  readonly most?: number
  /** True if a run takes as long as its preparation has left caches and heap: it is not compared with another commit. */
  readonly isCold?: boolean
  /** Wakes and the like, counted in the last run. */
  count?(): number
}

/** What was measured of one contender, in milliseconds for one run. */
export interface Timing {
  readonly name: string
  readonly median: number
  /** The quartiles. */
  readonly low: number
  readonly high: number
  readonly samples: number
}

/** How long to measure. */
export interface Effort {
  /** Samples of each contender at most; at least `least` are taken. */
  readonly most: number
  readonly least: number
  /** Milliseconds for the samples of one comparison together, preparations included. */
  readonly budget: number
  /** Runs of each contender before the first sample, at most; none takes longer than a tenth of the budget. */
  readonly warmUps: number
}

/** The measuring that a table stands on. */
export const FULL: Effort = { most: 40, least: 7, budget: 4_000, warmUps: 30 }
/** Enough to see that everything runs. */
export const QUICK: Effort = { most: 3, least: 3, budget: 100, warmUps: 2 }

/** Milliseconds that a sample should take, so that collections of a contender's own garbage fall into its own samples. */
const LENGTH = 15
/** Runs in one sample at most, unless a contender says more: what they work on is all prepared before. */
const MOST_RUNS = 4

/**
 * Times contenders in turn, so that a slow minute of the machine is everybody's. What others left behind is collected
 * before each sample.
 */
export async function compare(contenders: readonly Contender[], effort: Effort): Promise<Timing[]> {
  const runs: number[] = []
  for (const contender of contenders) runs.push(await warmUp(contender, effort))
  const times = contenders.map((): number[] => [])
  const started = performance.now()
  for (let round = 0; round < effort.most; round++) {
    if (round >= effort.least && performance.now() - started > effort.budget) break
    for (let turn = 0; turn < contenders.length; turn++) {
      // Whoever comes second finds the caches and the heap as the first one left them: so each round goes the other way.
      const i = round % 2 === 0 ? turn : contenders.length - 1 - turn
      times[i]?.push(await sample(contenders[i] as Contender, runs[i] ?? 1))
    }
  }
  return contenders.map(({ name }, i) => summary(name, times[i] ?? []))
}

/** Lets the compiler see a contender; returns how many runs make a sample. */
async function warmUp(contender: Contender, effort: Effort): Promise<number> {
  const started = performance.now()
  let fastest = Number.POSITIVE_INFINITY
  for (let count = 0; count < effort.warmUps; count++) {
    fastest = Math.min(fastest, await sample(contender, 1))
    if (count >= 2 && performance.now() - started > effort.budget / 10) break
  }
  const { times = 1, most = MOST_RUNS } = contender
  return Math.max(1, Math.min(most, Math.ceil(LENGTH / (fastest * times))))
}

async function sample(contender: Contender, count: number): Promise<number> {
  const { times = 1 } = contender
  // Taken out one by one, so that what a run worked on may be collected after it.
  const runs = Array.from({ length: count }, () => contender.prepare())
  // What waits for the end of the turn, such as a decision who is mounted, happens before.
  await pause()
  collect()
  const start = performance.now()
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    let last: unknown
    for (let i = 0; i < times; i++) last = run()
    if (last instanceof Promise) await last
  }
  return (performance.now() - start) / (times * count)
}

/**
 * Collects what is young and dead, where the process was started so that it can be asked for. Done twice it makes old
 * what was prepared, so that no run pays for keeping what is not its own.
 */
function collect(): void {
  const { gc } = globalThis as { readonly gc?: (options: { readonly type: 'minor' }) => void }
  gc?.({ type: 'minor' })
  gc?.({ type: 'minor' })
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The middle and the quartiles. */
export function summary(name: string, times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { name, median: at(0.5), low: at(0.25), high: at(0.75), samples: sorted.length }
}

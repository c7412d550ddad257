/**
 * Where the time of our own primitives goes: a CPU profile of each, taken only while it runs.
 *
 *     npm run bench:profile -- [flat|issues|tree]
 */
import { type Profiler, Session } from 'node:inspector/promises'
import { PerformanceObserver } from 'node:perf_hooks'
import { datasets } from './data/datasets.js'
import { ours } from './peers/ours.js'
import type { Store } from './peers/peer.js'

interface Primitive {
  readonly name: string
  prepare(json: string): { store: Store; answer: unknown }
  run(prepared: { store: Store; answer: unknown }): void
}

const filled = (json: string, isMounted: boolean, shape: 'flat'): Store => {
  const store = ours.open(shape) as Store
  if (isMounted) store.mount?.(() => {})
  store.write(JSON.parse(json))
  if (isMounted) store.read()
  return store
}

const KEPT = 'identical answer, mounted'
const only = process.argv.slice(2).filter((word) => !word.startsWith('-'))
for (const { shape, title, json } of datasets(false)) {
  if (only.length > 0 && !only.includes(shape)) continue
  const open = (isMounted: boolean): Store => filled(json, isMounted, shape as 'flat')
  const kept = open(true)
  const primitives: Primitive[] = [
    {
      name: 'cold write',
      prepare: () => ({ store: ours.open(shape) as Store, answer: JSON.parse(json) }),
      run: ({ store, answer }) => store.write(answer),
    },
    {
      name: KEPT,
      prepare: () => ({ store: kept, answer: JSON.parse(json) }),
      run: ({ store, answer }) => store.write(answer),
    },
    {
      name: 'cold read',
      prepare: () => ({ store: open(false), answer: undefined }),
      run: ({ store }) => void store.read(),
    },
  ]
  for (const primitive of primitives) await profile(`${title}: ${primitive.name}`, primitive, json)
}

/** The profiler runs all the time, since starting it slows what follows; only what is below `timed` is counted. */
function timed(run: () => void): void {
  run()
}

interface Window {
  readonly start: number
  readonly end: number
}

async function profile(title: string, primitive: Primitive, json: string): Promise<void> {
  const pauses: Window[] = []
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      pauses.push({ start: startTime, end: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  const once = async (): Promise<Window> => {
    const prepared = primitive.prepare(json)
    const start = performance.now()
    timed(() => primitive.run(prepared))
    const end = performance.now()
    await new Promise((resolve) => setImmediate(resolve))
    return { start, end }
  }
  for (let i = 0; i < 12; i++) await once()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 100 })
  await session.post('Profiler.start')
  for (let i = 0; i < 4; i++) await once()
  const windows: Window[] = []
  let milliseconds = 0
  for (const started = performance.now(); performance.now() - started < 5_000 && milliseconds < 300; ) {
    const window = await once()
    windows.push(window)
    milliseconds += window.end - window.start
  }
  const { profile: taken } = await session.post('Profiler.stop')
  session.disconnect()
  await new Promise((resolve) => setTimeout(resolve, 10))
  observer.disconnect()
  const collected = pauses.filter(({ start, end }) => windows.some((at) => start >= at.start && end <= at.end))
  const collecting = collected.reduce((sum, { start, end }) => sum + end - start, 0)
  print(title, windows, milliseconds, collecting, selfTimes(taken))
}

function print(
  title: string,
  windows: readonly Window[],
  milliseconds: number,
  collecting: number,
  spent: Map<string, number>,
): void {
  const median = windows.map(({ start, end }) => end - start).sort((a, b) => a - b)[windows.length >> 1] ?? 0
  const share = ((100 * collecting) / milliseconds).toFixed(0)
  console.log(
    `\n${title}: median ${median.toFixed(2)} ms of ${windows.length} runs, ${share} % of it garbage collection`,
  )
  const total = [...spent.values()].reduce((sum, time) => sum + time, 0)
  const sorted = [...spent].sort(([, a], [, b]) => b - a).slice(0, 12)
  for (const [name, time] of sorted) console.log(`  ${((100 * time) / total).toFixed(1).padStart(5)} %  ${name}`)
}

/** The self time of each function below `timed`, collections left out. */
function selfTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const below = new Set<number>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const enter = (id: number): void => {
    below.add(id)
    for (const child of byId.get(id)?.children ?? []) enter(child)
  }
  for (const { id, callFrame } of nodes) if (callFrame.functionName === 'timed') enter(id)
  const spent = new Map<string, number>()
  samples.forEach((id, i) => {
    if (!below.has(id)) return
    const { functionName, lineNumber } = byId.get(id)?.callFrame ?? { functionName: '', lineNumber: 0 }
    const name = `${functionName || 'anonymous'} (line ${lineNumber + 1})`
    spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[i] ?? 0))
  })
  return spent
}

import { Controller } from '@roundtable/core'
import { flat } from '../data/datasets.js'
import type { FlatRow } from '../data/flat.js'
import { summary, type Timing } from '../measure.js'
import { endpoints, env, OURS, Row } from '../peers/ours.js'

/** The name of what is bounded: how long the page stands still at most while it is found out what is needed. */
export const LONGEST_SLICE = `${OURS}, longest slice`

/**
 * Sweeps a table of so many rows, a few times over: the longest slice of each sweep, and all slices of it.
 *
 * @param isMounted - true if a mounted list needs all rows; else nobody does, and all are collected
 */
export async function sweeps(rows: number, times: number, isMounted: boolean): Promise<Timing[]> {
  const found: number[][] = []
  for (let i = 0; i < times; i++) found.push(await sweep(rows, isMounted))
  return [
    summary(
      LONGEST_SLICE,
      found.map((slices) => Math.max(...slices)),
    ),
    summary(
      `${OURS}, all slices`,
      found.map((slices) => slices.reduce((sum, ms) => sum + ms, 0)),
    ),
  ]
}

/** The duration of each slice, in ms. */
async function sweep(rows: number, isMounted: boolean): Promise<number[]> {
  let next: (() => void) | undefined
  let ahead = 0
  let isSwept = false
  const controller = new Controller({
    env: {
      ...env,
      mono: () => performance.now() + ahead,
      // The first waits for its time; a slice that follows comes at once; the next sweep is another one.
      setTimeout: (run, ms) => {
        if (!isSwept || ms === 0) next = run
      },
    },
  })
  const answer = JSON.parse(flat(rows).json) as FlatRow[]
  const first = { id: answer[0]?.id }
  controller.setResponse(endpoints.flat.whole, answer)
  const query = controller.watch(endpoints.flat.whole)
  query.getSnapshot()
  const leave = query.subscribe(() => {})
  if (!isMounted) leave()
  controller.get(Row, first)
  ahead = 24 * 3_600_000
  // What the filling left behind is not the sweep's, nor is the work of the collector's own threads on it.
  globalThis.gc?.()
  await pause(200)
  const slices: number[] = []
  isSwept = true
  while (next !== undefined) {
    const slice: () => void = next
    next = undefined
    const start = performance.now()
    slice()
    // The first one begins when its code is there.
    for (let turn = 0; turn < 10; turn++) await undefined
    slices.push(performance.now() - start)
    await pause(0)
  }
  if ((controller.get(Row, first) !== undefined) !== isMounted) throw new Error('Not what was to be collected.')
  return slices
}

/** Slices are tasks of their own, as timers make them on a page. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}

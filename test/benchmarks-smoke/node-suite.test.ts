import { describe, expect, test } from 'vitest'
import { datasets } from '../../benchmarks/node/data/datasets.js'
import { checkEquality } from '../../benchmarks/node/equality.js'
import { PARSE } from '../../benchmarks/node/limits.js'
import { compare, QUICK, summary } from '../../benchmarks/node/measure.js'
import { peers } from '../../benchmarks/node/peers/index.js'
import { OURS, ours } from '../../benchmarks/node/peers/ours.js'
import { again, coldWrite, keptReferences } from '../../benchmarks/node/rows/answers.js'
import { optimistic } from '../../benchmarks/node/rows/optimistic.js'
import { wakes } from '../../benchmarks/node/rows/wakes.js'

describe('every library that is measured shows the same data', () => {
  for (const dataset of datasets(true)) {
    for (const peer of peers) test(`${peer.name}: ${dataset.shape}`, () => checkEquality(peer, dataset))
  }
})

describe('the measurements', () => {
  const [flat] = datasets(true)
  if (flat === undefined) throw new Error('There are datasets.')

  test('contenders take turns and are summed up', async () => {
    const timings = await compare(coldWrite([ours], flat), QUICK)
    expect(timings.map(({ name }) => name)).toEqual(expect.arrayContaining([PARSE, OURS]))
    for (const { median, low, high, samples } of timings) {
      expect(samples).toBe(QUICK.most)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeGreaterThanOrEqual(median)
    }
    expect(summary('x', [3, 1, 2, 5, 4])).toEqual({ name: 'x', low: 2, median: 3, high: 4, samples: 5 })
  })

  test('an identical response notifies nobody and keeps every reference', async () => {
    const contenders = again([ours], flat, false)
    await compare(contenders, QUICK)
    expect(contenders.find(({ name }) => name === OURS)?.count?.()).toBe(0)
    for (const dataset of datasets(true)) expect(keptReferences(ours, dataset, false)).toBe(1)
    expect(keptReferences(ours, flat, true)).toBe(0.99)
  })

  test('one changed row re-renders one of a hundred readers', async () => {
    for (const { prepare, count } of wakes(100)) {
      prepare()()
      expect(count?.()).toBe(1)
    }
  })

  test('optimistic responses end', async () => {
    for (const { prepare } of optimistic(60)) await prepare()()
  })
})

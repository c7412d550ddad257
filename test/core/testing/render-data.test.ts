import { Endpoint } from '@roundtable/core'
import { HandClock, renderData } from '@roundtable/core/testing'
import { expect, test } from 'vitest'

const getTime = new Endpoint(async () => 'late', { name: 'getTime' })

test('a stage for another framework: a controller served from fixtures, a clock, and the result', async () => {
  const clock = new HandClock()
  const resolverFixtures = [{ endpoint: getTime, args: [], response: 'noon', delay: 200 }]
  const { result, advance, unmount } = renderData<string>({ clock, resolverFixtures }, (given, shown) => {
    const time = given.watch(getTime)
    const look = (): void => {
      const { data } = time.getSnapshot()
      if (data !== undefined) shown.show(data)
    }
    look()
    return { rerender: look, unmount: time.subscribe(look) }
  })
  expect(result.pending).toBe(true)
  await advance(200)
  expect(result.current).toBe('noon')
  await unmount()
  expect(result.pending).toBe(true)
})

test('a framework may wrap every change of the screen', async () => {
  const steps: string[] = []
  const { act, rerender } = renderData({}, () => ({
    rerender: () => void steps.push('rerender'),
    unmount: () => {},
    async around(work) {
      steps.push('before')
      await work()
      steps.push('after')
    },
  }))
  await act(() => steps.push('act'))
  await rerender({})
  // Then it may render what came of it.
  const rendered = ['before', 'after']
  expect(steps).toEqual(['before', 'act', 'after', ...rendered, 'before', 'rerender', 'after', ...rendered])
})

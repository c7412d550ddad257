import { HandClock, mockController } from '@roundtable/core/testing'
import { expect, test } from 'vitest'
import { Todo, TodoResource } from './api.js'
import { pencil, saved } from './fixtures.js'

test('a change shows at once, and is saved 200 ms later', async () => {
  const clock = new HandClock()
  const controller = mockController({
    env: clock,
    initialFixtures: [pencil],
    resolverFixtures: [saved],
    network: 'error', // a request that nothing answers fails at once
  })
  const title = () => controller.get(Todo, { id: 1 })?.title
  expect(title()).toBe('Sharpen the pencil')

  let result: Todo | null | undefined
  void controller
    .fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Buy a pen' })
    .then((todo) => {
      result = todo
    })
  await clock.advance(199)
  expect(title()).toBe('Buy a pen')
  expect(result).toBeUndefined()
  await clock.advance(1)
  expect(result?.title).toBe('Buy a pen')
})

import { mockController } from '@roundtable/core/testing'
import { expect, test } from 'vitest'
import { TodoResource } from './api.js'
import { pencil } from './fixtures.js'

test('a stored todo is ready at once', () => {
  const controller = mockController({
    initialFixtures: [pencil],
    network: 'error',
  })
  const todo = controller.watch(TodoResource.get, { id: 1 })
  expect(todo.getSnapshot().data?.title).toBe('Sharpen the pencil')
})

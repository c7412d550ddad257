import { Controller } from '@roundtable/core'
import { handlersFor } from '@roundtable/core/backend'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TodoResource } from './api.js'
import { api } from './server.js'

const server = setupServer(...handlersFor(api, { http }))
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('todos come from the mocked network', async () => {
  const controller = new Controller()
  const todos = await controller.fetch(TodoResource.getList, { userId: 2 })
  expect(todos.map(({ title }) => title)).toEqual(['Cheese'])
  controller.dispose()
})

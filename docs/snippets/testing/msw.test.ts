import { Controller } from '@roundtable/core'
import { handlersFor } from '@roundtable/core/backend'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TodoResource } from './api.js'
import { api } from './backend.js'

const server = setupServer(...handlersFor(api, { http }))
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('a todo comes from the mocked network', async () => {
  const controller = new Controller()
  expect((await controller.fetch(TodoResource.get, { id: 1 })).title).toBe(
    'Sharpen the pencil',
  )
  controller.dispose()
})

import { Controller } from '@roundtable/core'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TodoResource } from './api.js'

const server = setupServer(
  http.get('https://api.example.com/todos/:id', ({ params }) =>
    HttpResponse.json({
      id: Number(params.id),
      title: 'Sharpen the pencil',
    }),
  ),
)
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test('a todo comes from the mocked network', async () => {
  const controller = new Controller()
  expect((await controller.fetch(TodoResource.get, { id: 1 })).title).toBe(
    'Sharpen the pencil',
  )
  controller.dispose()
})

import { Controller, Endpoint, Entity, keepPrevious, RestEndpoint, select, TransportError } from '@roundtable/core'
import { answerFrom, mockController, settle } from '@roundtable/core/testing'
import { expect, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const getTodo = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo, name: 'getTodo' })
const resolverFixtures = [{ endpoint: getTodo, args: [{ id: 1 }], response: { id: 1, title: 'Write' } }]
const cause = new TypeError('fetch failed')
const transport = () => Promise.reject(cause)

const hint =
  'GET https://api.test/todos/2 got no response. No fixture matches this call of getTodo. Add one: { endpoint, args: [{"id":2}], response }.'

test('a request that no fixture matches, and nobody answers, says so and how to add one', async () => {
  const controller = mockController({ resolverFixtures, transport })
  const error = await controller.fetch(getTodo, { id: 2 }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(TransportError)
  expect(error).toMatchObject({ url: 'https://api.test/todos/2', method: 'GET', cause })
  expect(error.message).toContain(hint)
  expect(error.message).not.toContain('CORS')
  expect((await controller.fetch(getTodo, { id: 1 })).title).toBe('Write')
})

test('so does the error that a query shows, of a controller in front of another, too', async () => {
  const controller = answerFrom(new Controller({ transport }), resolverFixtures)
  const query = controller.query(getTodo, { id: 2 })
  await query.load()
  expect(query.getSnapshot().error?.message).toContain(hint)
})

test('other errors, and requests that are answered, are as without fixtures', async () => {
  const respond = async () => Response.json({ id: 2, title: 'Sent' })
  expect((await mockController({ transport: respond }).fetch(getTodo, { id: 2 })).title).toBe('Sent')
  const missing = mockController({ transport: async () => new Response(null, { status: 404 }) })
  await expect(missing.fetch(getTodo, { id: 2 })).rejects.toMatchObject({ name: 'NetworkError', status: 404 })
  const own = new Error('mine')
  const failing = new Endpoint(() => Promise.reject(own), { name: 'failing' })
  await expect(mockController().fetch(failing)).rejects.toBe(own)
})

test('fixtures answer the queries of marked endpoints', async () => {
  const controller = mockController({ resolverFixtures, transport })
  const title = select(keepPrevious(getTodo), (todo) => todo.title)
  const query = controller.query(title, { id: 1 })
  const stop = query.subscribe(() => {})
  await settle()
  expect(query.getSnapshot().data).toBe('Write')
  stop()
})

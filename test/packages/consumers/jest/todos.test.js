const { Entity, resource } = require('@roundtable/core')
const { HandClock, mockController } = require('@roundtable/core/testing')

class Todo extends Entity {
  static key = 'Todo'
  id = 0
  title = ''
}
const TodoResource = resource({ path: '/todos/:id', schema: Todo, optimistic: true })

test('a change shows at once, and is answered 200 ms later', async () => {
  const clock = new HandClock()
  const controller = mockController({
    env: clock,
    initialFixtures: [{ endpoint: TodoResource.get, args: [{ id: 1 }], response: { id: 1, title: 'Write' } }],
    resolverFixtures: [
      { endpoint: TodoResource.partialUpdate, response: ({ id }, body) => ({ id, ...body }), delay: 200 },
    ],
  })
  let response
  controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Read' }).then((todo) => {
    response = todo
  })
  await clock.advance(199)
  expect(controller.get(Todo, { id: 1 }).title).toBe('Read')
  expect(response).toBeUndefined()
  await clock.advance(1)
  expect(response.title).toBe('Read')
})

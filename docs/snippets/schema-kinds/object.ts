import { Controller, Entity, RestEndpoint } from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
}

// A plain object is short for `new schema.Object({ … })`.
const getPage = new RestEndpoint({
  path: '/todos',
  schema: { todos: [Todo], total: 0 },
})

const controller = new Controller()
controller.setResponse(getPage, { todos: [{ id: 1 }], total: 7 })
const { data } = controller.getResponse(getPage)
console.log(data?.todos.length, 'of', data?.total) // → 1 of 7

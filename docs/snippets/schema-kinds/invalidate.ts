import {
  Controller,
  Entity,
  Invalidate,
  RestEndpoint,
} from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
}

const deleteTodo = new RestEndpoint({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos/:id',
  method: 'DELETE',
  schema: new Invalidate(Todo),
})

const controller = new Controller()
controller.set(Todo, { id: 5 }, {})
await controller.fetch(deleteTodo, { id: 5 })
console.log(controller.get(Todo, { id: 5 })) // → undefined

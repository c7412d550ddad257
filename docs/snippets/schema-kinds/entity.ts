import { Controller, Entity, RestEndpoint } from '@roundtable/core'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo })

const controller = new Controller()
controller.setResponse(getTodo, { id: 5 }, { id: 5, title: 'Pen' })
console.log(controller.get(Todo, { id: 5 })?.title) // → Pen

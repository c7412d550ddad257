import { Collection, Controller, resource } from '@roundtable/core'
import { Todo } from './api.js'

export const TodoResource = resource({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos/:id',
  schema: Todo,
}).extend('getList', {
  searchParams: {} as { completed: boolean },
  schema: new Collection([Todo], {
    belongs: (todo, { completed }) => String(todo.completed) === completed,
  }),
})

const controller = new Controller()
const open = { completed: false }
await controller.fetch(TodoResource.get, { id: 1 })
controller.setResponse(TodoResource.getList, open, [{ id: 1 }])
await controller.fetch(
  TodoResource.partialUpdate,
  { id: 1 },
  { completed: true },
)
console.log(controller.getResponse(TodoResource.getList, open).data) // → []
controller.dispose()

import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
const todo = await controller.fetch(TodoResource.get, { id: 1 })
const draft = { ...todo, title: 'Buy a pen' }
console.log(todo.title, draft.title) // → delectus aut autem Buy a pen
await controller.fetch(
  TodoResource.partialUpdate,
  { id: 1 },
  { title: draft.title },
)
controller.dispose()

import { Controller } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

const controller = new Controller()
const todos = controller.watch(TodoResource.getList, { userId: 1 })
todos.subscribe(() => {})
controller.on('fetch', ({ key }) =>
  console.log(key.replace('https://jsonplaceholder.typicode.com', '')),
)
await todos.load() // → GET /todos?userId=1

controller.expireBy(Todo, 1) // → GET /todos?userId=1
controller.expireBy(Todo, 99) // no response contains it

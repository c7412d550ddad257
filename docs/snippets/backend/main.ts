import { Controller, NetworkError } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'
import { api } from './server.js'

const controller = new Controller({ transport: api.transport })

const todos = await controller.fetch(TodoResource.getList, { userId: 1 })
console.log(todos.map(({ title }) => title).join(', ')) // → Milk, Bread

await controller.fetch(TodoResource.create, { userId: 1 }, {
  title: 'Tea',
} as Todo)
await controller.fetch(TodoResource.delete, { id: 2 })
console.log(
  api
    .rows(Todo)
    .map(({ id, title }) => `${id} ${title}`)
    .join(', '),
) // → 1 Milk, 3 Cheese, 4 Tea

const gone = TodoResource.get.extend({ transport: api.transport })
const error = await gone({ id: 2 }).catch((thrown: unknown) => thrown)
if (error instanceof NetworkError) console.log(await error.body()) // → { error: 'There is no Todo 2.' }

console.log(api.log.map(({ method, url }) => `${method} ${url}`).join(', ')) // → GET /todos?userId=1, POST /todos?userId=1, DELETE /todos/2, GET /todos/2
controller.dispose()

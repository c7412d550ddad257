import { Controller, SchemaError } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

const owner = { id: 7, name: 'Ann' }
const rows = [
  { id: 1, title: 'Milk', due: '2026-03-02T10:00:00Z', owner },
  { id: 2, title: 'Bread', due: '2026-03-03T10:00:00Z', owner },
  { id: 3, title: 'Salt', due: 'tomorrow', owner },
]
const controller = new Controller({
  transport: async () => Response.json(rows),
})

const error = await controller
  .fetch(TodoResource.getList, { userId: 1 })
  .catch((thrown: unknown) => thrown)
if (error instanceof SchemaError) {
  console.log(error.path) // → $[2].due
  console.log(error.message.split(' Correct')[0]) // → Todo.getList (GET https://api.example.com/todos?userId=1): Todo at $[2].due is not valid: Invalid ISO datetime.
}
console.log(controller.get(Todo, { id: 1 })) // → undefined

rows.pop()
const [milk] = await controller.fetch(TodoResource.getList)
console.log(milk?.due.getUTCMonth(), milk?.owner?.name) // → 2 Ann
controller.dispose()

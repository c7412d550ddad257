import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'
import { todosOf } from './todos-of.js'

const controller = new Controller()
controller.setResponse(TodoResource.getList, [
  { id: 1 },
  { id: 2 },
  { id: 3, status: 'done' },
  { id: 4 },
])
console.log(controller.get(todosOf, { status: 'open' })?.length) // → 2
console.log(controller.get(todosOf, { status: 'open', top: 10 })?.length) // → 3
console.log(controller.get(todosOf, { status: 'done' })?.length) // → 1
controller.dispose()

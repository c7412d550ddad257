import { Controller, initial, select } from '@roundtable/core'
import { TodoResource } from './api.js'

const countTodos = select(
  initial(TodoResource.getList, []),
  (todos) => todos.length,
)
const controller = new Controller()
const count = controller.watch(countTodos, { userId: 1 })
console.log(count.getSnapshot().data, count.getSnapshot().refreshing) // → 0 true
await count.refetch()
console.log(count.getSnapshot().data, count.getSnapshot().refreshing) // → 20 false
controller.dispose()

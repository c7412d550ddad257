import { All, Controller, countBy } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

const todosByStatus = countBy(new All(Todo), (todo) => todo.status)

const controller = new Controller()
controller.setResponse(TodoResource.getList, [{ id: 1 }, { id: 2 }])
console.log(
  controller.get(todosByStatus)?.open ?? 0,
  controller.get(todosByStatus)?.done ?? 0,
) // → 2 0
controller.set(Todo, { id: 1 }, { status: 'done' })
console.log(
  controller.get(todosByStatus)?.open ?? 0,
  controller.get(todosByStatus)?.done ?? 0,
) // → 1 1
controller.dispose()

import { Controller } from '@roundtable/core'
import { openCount, Todo, TodoResource } from './api.js'

const controller = new Controller()
await controller.fetch(TodoResource.getList, { userId: 1 })
console.log(
  controller.get(openCount),
  controller.get(Todo, { id: 1 })?.title,
) // → 9 delectus aut autem
console.log(
  controller.getResponse(TodoResource.getList, { userId: 1 }).data?.length,
) // → 20
controller.dispose()

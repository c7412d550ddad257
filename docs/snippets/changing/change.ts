import { Controller } from '@roundtable/core'
import { TodoResource } from './api.js'

const controller = new Controller()
const todos = await controller.fetch(TodoResource.getList, { userId: 1 })
const changed = await controller.fetch(
  TodoResource.partialUpdate,
  { id: 1 },
  { title: 'Buy a pen' },
)
console.log(todos[0]?.title, '→', changed?.title) // → delectus aut autem → Buy a pen

const removed = await controller.fetch(TodoResource.delete, { id: 2 })
console.log(
  removed?.id,
  controller.getResponse(TodoResource.getList, { userId: 1 }).data?.length,
) // → 2 19
controller.dispose()

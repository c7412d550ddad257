import { Controller, scope } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

export const renameTodo = TodoResource.partialUpdate.extend({
  scope: scope('row'),
})

const controller = new Controller()
await controller.fetch(TodoResource.get, { id: 1 })
const first = controller.fetch(renameTodo, { id: 1 }, { title: 'Buy' })
const second = controller.fetch(
  renameTodo,
  { id: 1 },
  { title: 'Buy a pen' },
) // is sent when the first one is over
console.log(controller.get(Todo, { id: 1 })?.title) // → Buy a pen
await Promise.all([first, second])
console.log(controller.get(Todo, { id: 1 })?.title) // → Buy a pen
controller.dispose()

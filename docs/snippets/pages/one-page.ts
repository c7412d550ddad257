import { Controller } from '@roundtable/core'
import { getTodos } from './api.js'

const controller = new Controller()
const list = { userId: 1, _limit: 2 }
await controller.fetch(getTodos, list)
const third = await controller.fetch(getTodos.getPage, {
  ...list,
  _page: 3,
})
console.log(third.map((todo) => todo.id)) // → [ 5, 6 ]
const second = await controller.fetch(getTodos.getPage, {
  ...list,
  _page: 2,
})
console.log(second.map((todo) => todo.id)) // → [ 3, 4 ]
console.log(
  controller.getResponse(getTodos, list).data?.map((todo) => todo.id),
) // → [ 1, 2, 3, 4, 5, 6 ]
controller.dispose()

import { All, Controller } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

export const openTodos = new All(Todo, {
  belongs: (todo) => todo.status === 'open',
  compare: (a, b) => a.rank - b.rank,
  limit: 50,
})

const controller = new Controller()
controller.setResponse(TodoResource.getList, [
  { id: 1, title: 'Paint', status: 'open', rank: 2 },
  { id: 2, title: 'Sweep', status: 'open', rank: 1 },
  { id: 3, title: 'Plan', status: 'done', rank: 0 },
])
const titles = () =>
  controller
    .get(openTodos)
    ?.map((todo) => todo.title)
    .join()
console.log(titles()) // → Sweep,Paint

controller.set(Todo, { id: 3 }, { status: 'open' })
console.log(titles()) // → Plan,Sweep,Paint
controller.dispose()

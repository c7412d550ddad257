import { All, Controller, Query } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

const openTodos = new All(Todo, {
  belongs: (todo) => todo.status === 'open',
})
const options = new Query(openTodos, {
  each: ({ id, title }) => ({ value: id, label: title }),
})
const ranks = new Query(openTodos, (todos) =>
  todos.reduce((sum, todo) => sum + todo.rank, 0),
)

const controller = new Controller()
controller.setResponse(TodoResource.getList, [
  { id: 1, title: 'Paint', rank: 2 },
  { id: 2, title: 'Sweep', rank: 1 },
])
console.log(controller.get(options)?.[1]?.label, controller.get(ranks)) // → Sweep 3
controller.dispose()

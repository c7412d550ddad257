import { Collection, Controller, resource } from '@roundtable/core'
import { Todo } from './api.js'

export const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  schema: Todo,
}).extend('getList', {
  schema: { data: new Collection([Todo]), total: 0 },
})

const controller = new Controller()
controller.setResponse(TodoResource.getList, {
  data: [{ id: 1, title: 'Write' }],
  total: 1,
})
controller.setResponse(
  TodoResource.getList.push,
  { title: 'Read' },
  { id: 2, title: 'Read' },
)
const todos = controller.getResponse(TodoResource.getList).data
console.log(todos?.data?.length, todos?.total) // → 2 1
controller.dispose()

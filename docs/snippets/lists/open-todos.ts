import { Collection, Controller, RestEndpoint } from '@roundtable/core'
import { Todo } from './api.js'

const getTodos = new RestEndpoint({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos',
  searchParams: {} as { userId: number; completed: boolean },
  schema: new Collection([Todo], {
    belongs: (todo, { userId, completed }) =>
      String(todo.userId) === userId &&
      String(todo.completed) === completed,
    compare: (a, b) => (a.title ?? '').localeCompare(b.title ?? ''),
  }),
})

const open = { userId: 1, completed: false }
const controller = new Controller()
controller.setResponse(getTodos, open, [
  { id: 1, userId: 1, title: 'Buy a pen', completed: false },
  { id: 2, userId: 1, title: 'Write', completed: false },
])
const titles = () =>
  controller.getResponse(getTodos, open).data?.map((todo) => todo.title)

controller.set(
  Todo,
  { id: 3 },
  { userId: 1, title: 'Read', completed: false },
)
console.log(titles()) // → [ 'Buy a pen', 'Read', 'Write' ]

controller.set(Todo, { id: 1 }, { completed: true })
console.log(titles()) // → [ 'Read', 'Write' ]
controller.dispose()

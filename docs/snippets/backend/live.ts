import { Controller, Invalidate, poll } from '@roundtable/core'
import { changesOf } from '@roundtable/core/backend'
import { live } from '@roundtable/core/live'
import { Todo, TodoResource } from './api.js'
import { api } from './server.js'

const getTodos = TodoResource.getList.extend(
  live({
    name: 'todos',
    url: '/events',
    wire: changesOf(api, ({ type, row }) => ({ type, data: row })),
    messages: {
      created: TodoResource.create.schema,
      changed: Todo,
      deleted: new Invalidate(Todo),
    },
  }),
)

const controller = new Controller({ transport: api.transport })
const todos = controller.watch(getTodos, { userId: 2 })
const stop = controller
  .observe(poll, getTodos, { userId: 2 })
  .subscribe(() => {})
await todos.load()

const changed = new Promise<void>((resolve) => {
  todos.subscribe(resolve)
})
api.put(Todo, { id: 3, title: 'Goat cheese' })
await changed
console.log(
  todos
    .getSnapshot()
    .data?.map(({ title }) => title)
    .join(),
) // → Goat cheese
stop()
controller.dispose()
api.reset()

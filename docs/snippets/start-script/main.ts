import { Controller } from '@roundtable/core'
import { openCount, TodoResource } from './api.js'

const controller = new Controller()
const showCount = () => console.log(controller.get(openCount), 'open')

// Read: `fetch` sends the request and stores the response, `get` reads the store.
const todos = await controller.fetch(TodoResource.getList, { userId: 1 })
console.log(todos[0]?.title) // → delectus aut autem
showCount() // → 9 open

// Watch: from now on, each change of the count is shown.
const stop = controller.view(openCount).subscribe(showCount)

// Change: the count is right before the response has arrived.
await controller.fetch(
  TodoResource.partialUpdate,
  { id: 1 },
  { completed: true },
) // → 8 open

// Add: the new todo enters the list of its user, and the count.
await controller.fetch(TodoResource.create, {
  userId: 1,
  title: 'Buy a pen',
  completed: false,
}) // → 9 open
console.log(
  todos.length,
  controller.getResponse(TodoResource.getList, { userId: 1 }).data?.length,
) // → 20 21

// Take back: the server has no such path, so it refuses.
const deleteNowhere = TodoResource.delete.extend({ path: '/nowhere/:id' })
await controller
  .fetch(deleteNowhere, { id: 2 })
  .catch((error) => console.log(error.status)) // → 8 open
// → 9 open
// → 404

stop()
controller.dispose()

import { Controller } from '@roundtable/core'
import { Todo, TodoResource } from './api.js'

export const toggleTodo = TodoResource.partialUpdate.extend({
  body: undefined,
  getOptimisticResponse(snapshot, { id }) {
    const todo = snapshot.get(Todo, { id })
    if (!todo) throw snapshot.abort // show nothing before the response
    return { id, completed: !todo.completed }
  },
})

const controller = new Controller()
await controller.fetch(TodoResource.get, { id: 1 })
void controller.fetch(toggleTodo, { id: 1 }).catch(() => {})
console.log(controller.get(Todo, { id: 1 })?.completed) // → true
controller.dispose()

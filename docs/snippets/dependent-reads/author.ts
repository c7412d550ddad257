import { Controller } from '@roundtable/core'
import { TodoResource, UserResource } from './api.js'

const controller = new Controller()
const todo = await controller.fetchIfStale(TodoResource.get, { id: 21 })
const user = await controller.fetchIfStale(UserResource.get, {
  id: todo.userId,
})
console.log(user.name) // → Ervin Howell
controller.dispose()

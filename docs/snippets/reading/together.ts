import { Controller } from '@roundtable/core'
import { TodoResource, UserResource } from './api.js'

const controller = new Controller()
const [user, todos] = await Promise.all([
  controller.fetch(UserResource.get, { id: 1 }),
  controller.fetch(TodoResource.getList, { userId: 1 }),
])
console.log(user.name, todos.length) // → Leanne Graham 20
controller.dispose()

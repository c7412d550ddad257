import { Controller, Entity, RestEndpoint, transfer } from '@roundtable/core'
import { timeOnce } from './timed.js'

class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
  email = ''
}

class Task extends Entity {
  static override key = 'Task'
  static override schema = { user: User }
  id = 0
  title = ''
  body = ''
  state = ''
  rank = 0
  isOpen = false
  createdAt = ''
  user = User.fromJS()
}

timeOnce((response) => {
  // Timed too: what a definition does not do is left to the first call.
  const getTasks = new RestEndpoint({ path: '/tasks', schema: [Task] })
  const controller = new Controller()
  const query = controller.watch(getTasks)
  controller.setResponse(getTasks, transfer(response as Task[]))
  return query.getSnapshot().data
})

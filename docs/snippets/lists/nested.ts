import {
  Collection,
  Controller,
  Entity,
  RestEndpoint,
} from '@roundtable/core'
import { Todo } from './api.js'

const todos = new Collection([Todo], {
  nestKey: (user: { id: number }) => ({ userId: user.id }),
})

class User extends Entity {
  static override key = 'User'
  static override schema = { todos }
  id = 0
  name = ''
  todos: Todo[] = []
}

const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
const getTodos = new RestEndpoint({
  path: '/todos',
  searchParams: {} as { userId: number },
  schema: todos,
})

const controller = new Controller()
controller.setResponse(
  getUser,
  { id: 1 },
  { id: 1, name: 'Ann', todos: [{ id: 5, userId: 1, title: 'Write' }] },
)
console.log(
  controller
    .getResponse(getTodos, { userId: 1 })
    .data?.map((todo) => todo.title),
) // → [ 'Write' ]
controller.dispose()

// The declarations of an application with two resources and an endpoint: thirteen endpoints.
import { Collection, Entity, RestEndpoint, resource } from '@roundtable/core'

const start = performance.now()

class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { user: User }
  id = 0
  title = ''
  done = false
  user: User = User.fromJS({})
}

const urlPrefix = 'https://api.example.com'
const users = resource({ urlPrefix, path: '/users/:id', schema: User })
const todos = resource({
  urlPrefix,
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number } | undefined,
  optimistic: true,
})
const getDone = new RestEndpoint({ urlPrefix, path: '/done', schema: new Collection([Todo]) })

/** Milliseconds that the declarations took. */
export const taken = performance.now() - start
export const declared = [users, todos, getDone]

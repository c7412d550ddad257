import {
  All,
  Entity,
  Query,
  RestEndpoint,
  resource,
} from '@roundtable/core'

const urlPrefix = 'https://jsonplaceholder.typicode.com'

export class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
  completed = false
}

export const UserResource = resource({
  urlPrefix,
  path: '/users/:id',
  schema: User,
})

export const TodoResource = resource({
  urlPrefix,
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number },
})

export const searchTodos = new RestEndpoint({
  urlPrefix,
  path: '/todos',
  searchParams: {} as { q: string },
  schema: [Todo],
})

export const openCount = new Query(
  new All(Todo),
  (todos) => todos.filter((todo) => !todo.completed).length,
)

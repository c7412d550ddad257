import { Entity, resource } from '@roundtable/core'

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
})

import { Entity, resource } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
  completed = false
}

export const TodoResource = resource({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number },
  optimistic: true,
})

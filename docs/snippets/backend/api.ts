import { Entity, resource } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
  done = false
}

export const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number; page?: number },
  paginationField: 'page',
})

import { Entity, resource } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  status: 'open' | 'done' = 'open'
  rank = 0
}

export const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  schema: Todo,
})

import { Entity, resource } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  // Some sources send every value as text.
  static override schema = { id: Number }
  id = 0
  title = ''
}

export const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  schema: Todo,
})

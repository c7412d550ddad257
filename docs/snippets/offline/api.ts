import { Entity, RestEndpoint, resource } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

export const TodoResource = resource({
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
})

export const uploadFile = new RestEndpoint({
  path: '/files',
  method: 'POST',
  body: {} as FormData,
})

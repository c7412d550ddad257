import { Collection, Entity, RestEndpoint } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  userId = 0
  title = ''
}

export const getTodos = new RestEndpoint({
  urlPrefix: 'https://jsonplaceholder.typicode.com',
  path: '/todos',
  searchParams: {} as { userId: number; _limit?: number },
  schema: new Collection([Todo], { nonFilterArgumentKeys: ['_limit'] }),
  paginationField: '_page',
})

export const searchTodos = getTodos.extend({
  searchParams: {} as { q: string; _limit?: number },
})

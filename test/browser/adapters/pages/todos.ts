import { Entity, RestEndpoint } from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
}

const todo = new RestEndpoint({
  name: 'todo',
  path: '/api/todos/:id',
  schema: Todo,
  errorPolicy: ({ status }) => (status < 500 ? undefined : 'soft'),
})

/** The reads of the pages, by their names in the address of the page. */
export const reads = {
  todo,
  /** Out of date as soon as it is there. */
  stale: todo.extend({ dataExpiryLength: 0 }),
  ticker: todo.extend({ pollFrequency: 100 }),
}

/** Shows the new title before the server gets the request. */
export const rename = new RestEndpoint({
  name: 'rename',
  path: '/api/todos/:id',
  method: 'PATCH',
  schema: Todo,
  body: {} as { title: string },
  getOptimisticResponse: (_, { id }, { title }) => ({ id, title }),
})

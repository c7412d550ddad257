import {
  Collection,
  Entity,
  expires,
  type KeyTest,
  resource,
} from '@roundtable/core'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

export const TodoResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { page: number; sort?: 'title' },
  optimistic: true,
  // TypeScript needs the return type, as getPage is made from the resource.
  mutationOptions: {
    parts: [expires((): readonly KeyTest[] => [getPage])],
  },
})

/** The server sends `{ "data": [ten todos], "pages": 12 }`. */
export const getPage = TodoResource.getList.extend({
  schema: { data: new Collection([Todo]), pages: 0 },
})

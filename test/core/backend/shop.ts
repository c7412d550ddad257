import { Collection, Entity, RestEndpoint, resource, Union } from '@roundtable/core'
import { type BackendOptions, backend } from '@roundtable/core/backend'

export class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

export class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { author: User, due: (iso: string) => new Date(iso) }
  id = 0
  userId = 0
  title = ''
  done = false
  author: User | undefined = undefined
  due: Date | undefined = undefined
}

export class Photo extends Entity {
  static override key = 'Photo'
  id = ''
  type = 'photo'
}

export class Post extends Entity {
  static override key = 'Post'
  id = ''
  type = 'post'
}

const urlPrefix = 'https://api.test/v1'

export const TodoResource = resource({
  urlPrefix,
  path: '/todos/:id',
  schema: Todo,
  nonFilterArgumentKeys: ['limit', 'orderBy'],
  paginationField: 'page',
})
export const UserTodos = resource({ urlPrefix, path: '/users/:userId/todos/:id', schema: Todo })
export const openTodos = new RestEndpoint({
  urlPrefix,
  path: '/open',
  schema: new Collection([Todo], {
    belongs: ({ done }) => done !== true,
    compare: (a, b) => (`${a.title}` < `${b.title}` ? -1 : 1),
  }),
})
export const ordered = new RestEndpoint({
  urlPrefix,
  path: '/ordered',
  searchParams: {} as { sort: string },
  schema: new Collection([Todo], {
    nonFilterArgumentKeys: ['sort'],
    compare: (a, b, { sort }) => (Number(a.id) - Number(b.id)) * (sort === 'down' ? -1 : 1),
  }),
})
export const feed = new RestEndpoint({
  urlPrefix,
  path: '/feed',
  schema: new Collection([new Union({ photo: Photo, post: Post }, 'type')]),
})
export const getPage = new RestEndpoint({
  urlPrefix,
  path: '/pages',
  searchParams: {} as { cursor?: string; userId?: number },
  paginationField: 'cursor',
  schema: {
    data: new Collection([Todo]),
    meta: { total: 0, hasMore: false, pages: 0 },
    nextCursor: null as string | null,
    version: 'v1',
  },
})
export const login = new RestEndpoint({ urlPrefix, path: '/login', method: 'POST', schema: User })
export const dashboard = new RestEndpoint({ urlPrefix, path: '/dashboard', schema: { user: User, todos: [Todo] } })
export const wrapped = new RestEndpoint({
  urlPrefix,
  path: '/wrapped',
  schema: new Collection([Todo]),
  process: (value: { data: readonly object[] }) => value.data,
})

export const getEnveloped = new RestEndpoint({ urlPrefix, path: '/enveloped/:id', schema: { data: Todo } })
export const endpoints = {
  getEnveloped,
  TodoResource,
  UserTodos,
  openTodos,
  ordered,
  feed,
  getPage,
  login,
  dashboard,
  wrapped,
}

export const seed = {
  Todo: [
    { id: 1, userId: 1, title: 'Milk', done: false, author: { id: 7, name: 'Ann' } },
    { id: 2, userId: 1, title: 'Bread', done: true, author: { id: 7, name: 'Ann' } },
    { id: 3, userId: 2, title: 'Cheese', done: false, tags: ['a', 'b'] },
  ],
  Photo: [{ id: 'p1', type: 'photo' }],
  Post: [{ id: 'x1', type: 'post' }],
}

/** A response with its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever the test expects it to be.
  readonly body: any
}

/** A backend of the shop, and how a test sends requests to it. */
export function openShop(options: BackendOptions = {}) {
  const api = backend(endpoints, { seed, ...options })
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const json = body !== undefined && { body: JSON.stringify(body) }
    const init = { method, headers: { ...(json && { 'content-type': 'application/json' }), ...headers }, ...json }
    const response = await api.fetch(`https://api.test/v1${path}`, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  const ids = async (path: string): Promise<readonly unknown[]> =>
    (await send('GET', path)).body.map(({ id }: { id: unknown }) => id)
  return { api, send, ids }
}

// What the application knows of its server. It is written for data-client, and read by data-client itself and by ours.
import { createResource, Entity, RestEndpoint, type SnapshotInterface, schema } from '@data-client/rest'

/** The user whose token is sent. */
export const session = { token: '' }

class ApiEndpoint extends RestEndpoint {
  urlPrefix = 'https://api.test'
  getHeaders(headers: HeadersInit) {
    return { ...headers, 'Access-Token': session.token }
  }
}

export class User extends Entity {
  id = 0
  name = ''

  pk() {
    return `${this.id}`
  }
  static key = 'User'
}

export class Todo extends Entity {
  id = 0
  userId = 0
  title = ''
  completed = false
  author = User.fromJS({})

  pk() {
    return `${this.id}`
  }
  get label() {
    return `${this.completed ? '✓' : '○'} ${this.title}`
  }
  static key = 'Todo'
  static schema = { author: User }
}

class Named {
  id = 0
  name = ''
}
export class Team extends schema.Entity(Named) {
  static key = 'Team'
}

export const UserResource = createResource({
  Endpoint: ApiEndpoint as unknown as typeof RestEndpoint,
  path: '/users/:id',
  schema: User,
})

export const TodoResource = createResource({
  Endpoint: ApiEndpoint as unknown as typeof RestEndpoint,
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number } | undefined,
  paginationField: 'page',
  optimistic: true,
})

const api = new ApiEndpoint({ path: '/' } as never) as unknown as RestEndpoint<{ path: string }>

export const toggleTodo = TodoResource.partialUpdate.extend({
  getOptimisticResponse(snapshot: SnapshotInterface, params: { id: string | number }, body: object) {
    const { data } = snapshot.getResponse(TodoResource.get, params)
    if (!data) throw snapshot.abort
    return { ...data, ...body }
  },
} as never) as typeof TodoResource.partialUpdate

export const getTeam = api.extend({ path: '/team', schema: Team } as never) as unknown as RestEndpoint<{
  path: '/team'
  schema: typeof Team
}>

export const getStats = api.extend({ path: '/stats', pollFrequency: 1_000 } as never) as unknown as RestEndpoint<{
  path: '/stats'
}>

export class Ticker extends Entity {
  id = ''
  price = 0

  pk() {
    return this.id
  }
  static key = 'Ticker'
}

/** A socket keeps it up to date: see `SocketManager`. */
export const getTicker = api.extend({
  path: '/tickers/:id',
  schema: Ticker,
  channel: 'tickers',
  pollFrequency: 1_000,
} as never) as unknown as RestEndpoint<{ path: '/tickers/:id'; schema: typeof Ticker }> & { readonly channel: string }

import { Controller, Entity, keepPrevious, RestEndpoint, resource, retry, revalidate } from '@roundtable/core'
import { withHttp } from '@roundtable/core/http'

const address = new URLSearchParams(location.search)
/** Which part of the page is shown. */
export const part: string = address.get('part') ?? ''
const urlPrefix = address.get('api') ?? ''

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  note = ''
}

const Api = withHttp(RestEndpoint, { etag: true, ifMatch: 'update' })

export const TodoResource = resource({
  urlPrefix,
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { page?: number },
  paginationField: 'page',
  optimistic: true,
  Endpoint: Api,
})

const search = new RestEndpoint({
  urlPrefix,
  path: '/search',
  searchParams: {} as { q: string },
  schema: undefined,
  process: (found: unknown): readonly string[] => found as string[],
})
export const searchTodos: ReturnType<typeof keepPrevious<typeof search>> = keepPrevious(search)

const value = (path: string, options: { dataExpiryLength?: number; pollFrequency?: number } = {}) =>
  new Api({ urlPrefix, path, ...options, process: (body: { value: string }) => body.value })
export const getFlaky = value('/flaky')
export const getFresh = value('/fresh', { dataExpiryLength: 60_000 })
export const getStale = value('/stale', { dataExpiryLength: 100 })
export const getPrice = value('/price', { pollFrequency: 1_000 })

export const controller = new Controller({ retry: retry(2), managers: [revalidate()] })

/** The reads and actions of the test. */
const page = {
  controller,
  TodoResource,
  /** How often the component of the price has rendered, and how many texts were parsed. */
  renders: 0,
  parses: 0,
  /** True while a request for the price goes on. */
  isAsking: (): boolean => controller.fetching(getPrice).getSnapshot(),
}
Object.assign(window, { page })

const { parse } = JSON
JSON.parse = (...args: Parameters<typeof parse>) => {
  page.parses++
  return parse(...args)
}
const { json } = Response.prototype
Response.prototype.json = function () {
  page.parses++
  return json.call(this)
}

/** Counts a render of the price, and returns what it shows. */
export function priced(price: unknown): string {
  page.renders++
  return String(price)
}

/** The text of a search. */
export function found({
  data,
  loading,
  refreshing,
}: {
  readonly data: readonly string[] | undefined
  readonly loading: boolean
  readonly refreshing: boolean
}): string {
  if (loading) return 'loading'
  return `${data?.join(',')}${refreshing ? ' …' : ''}`
}

/** What a read shows. */
export function told({
  data,
  error,
  loading,
}: {
  readonly data: unknown
  readonly error: Error | undefined
  readonly loading: boolean
}): string {
  if (loading) return 'loading'
  return error === undefined ? String(data) : error.name
}

/** What a list shows. */
export function listed(data: readonly { readonly id: number }[] | undefined, hasNext: boolean | undefined): string {
  return data === undefined ? 'loading' : `${data.map(({ id }) => id).join(',')}${hasNext ? ' more' : ''}`
}

import type { EndpointData, EndpointInterface, ReadEndpoint } from '../endpoint/options.js'
import type { LastPage } from '../rest/generics.js'
import { countOn, isEmptyPage, keyed, OFFSETS, onlyOnce } from '../schema/collection/page.js'
import { type ListMembers, pkOfRef, type Schema } from '../schema/schema.js'
import { eachRow } from '../table/refs.js'
import type { ListNode, Row } from '../table/row.js'
import { type ListPage, TOMBSTONE } from '../table/value.js'
import { describeType } from '../util/describe.js'
import { CallbackError, OptionError, ResetError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import { toError } from '../util/thrown.js'
import type { Controller } from './controller.js'
import { keyOf, readOnce } from './given.js'
import { LiveObserver } from './live-observer.js'
import { DerivedQuery, rootOf } from './markers/derived-query.js'
import { sourceOf } from './markers/marker.js'
import type { LiveQuery, Observer, QuerySnapshot } from './observer.js'

/** The snapshot of a list with pages. `error` is the list's, or that of the last page that was requested. */
export type PagesSnapshot<Data> = QuerySnapshot<Data> & PagesMembers

/** What is known of the pages of a list. */
export interface PagesMembers {
  /** How many pages are loaded. */
  readonly pages: number
  /** Whether another page follows; undefined while the list has not been loaded. */
  readonly hasNext: boolean | undefined
  /** True while the next page is requested. */
  readonly fetchingNext: boolean
  /** The query's `fetchNext`. */
  readonly fetchNext: () => Promise<void>
}

/** A read of a list with pages. */
export interface PagesQuery<Data> extends LiveQuery<Data> {
  getSnapshot(): PagesSnapshot<Data>
  getServerSnapshot(): PagesSnapshot<Data>
  /**
   * Requests the page after the last one, if there is any. While one is requested, it joins that request. The promise resolves when the
   * request has settled, and never rejects: a failed page leaves the list as it is and sets `error`. A bound function.
   */
  readonly fetchNext: () => Promise<void>
}

/** A list endpoint as pages need it; a `RestEndpoint` with `paginationField` is one. */
interface PagedEndpoint extends EndpointInterface {
  readonly paginationField?: string
  readonly getPage?: EndpointInterface<(...args: readonly unknown[]) => Promise<unknown>>
  nextPage?(last: LastPage): unknown
}

/**
 * Returns a read of a list with pages: like `controller.query`, with `fetchNext()`. Calls with the same key return the same one.
 *
 * @remarks
 * Which page comes next follows from the pages that are loaded, not from the length of the list, so created members do not
 * change it. Without `nextPage` it is the next number for `page`, `_page` and `pageNumber`, and the number of members of all
 * pages for `offset`, `skip`, `start` and `_start`, until a page is empty or repeats earlier ones. Never throws: a call that cannot be
 * made has failed.
 *
 * @example
 * ```ts
 * const todos = pagesOf(controller, getTodos, { userId: 1 })
 * await todos.fetchNext()
 * console.log(todos.getSnapshot().pages)
 * ```
 * @throws OptionError in development if the first argument is no controller
 */
export function pagesOf<E extends ReadEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: Parameters<E> | readonly [null]
): PagesQuery<EndpointData<E>> {
  if (process.env.NODE_ENV !== 'production' && typeof controller?.queryOrError !== 'function') {
    const hint = 'Call pagesOf(controller, getTodos, params): it is not a kind for controller.observe.'
    throw new OptionError('controller', `of pagesOf must be a Controller. ${hint}`)
  }
  const query = controller.queryOrError(endpoint, ...args)
  const list = rootOf(query)
  const pages = paged.get(list) ?? new LivePages(list)
  paged.set(list, pages)
  if (list instanceof LiveObserver) pages.endpoint = sourceOf(endpoint as PagedEndpoint)
  // The data of its list is of this type.
  return (query === list ? pages : markedPages(query, pages)) as unknown as PagesQuery<EndpointData<E>>
}

function markedPages(query: LiveQuery<unknown>, pages: LivePages): MarkedPages {
  const known = marked.get(query) ?? new MarkedPages(query, pages)
  marked.set(query, known)
  return known
}

/** Each goes with the query of its list. */
const paged = new WeakMap<LiveQuery<unknown>, LivePages>()
/** Each goes with the query that shows its list differently. */
const marked = new WeakMap<LiveQuery<unknown>, MarkedPages>()

/** The pages of a list, as far as they follow from what is stored. */
interface Standing {
  readonly pages: number
  readonly hasNext: boolean | undefined
  /** The params to request the next page with. */
  readonly next?: object | undefined
  readonly error?: Error | undefined
}

const NOT_LOADED: Standing = { pages: 0, hasNext: undefined }

class LivePages implements LiveQuery<unknown> {
  /** The endpoint of the list; undefined for a list that is not read. */
  endpoint: PagedEndpoint | undefined = undefined
  readonly #list: LiveQuery<unknown>
  readonly #listeners = new Set<() => void>()
  #request: Promise<void> | undefined = undefined
  /** The error of the last page that was requested. */
  #error: Error | undefined = undefined
  /** The sequence number at which it came. */
  #failedAt = 0
  #standing: Standing = NOT_LOADED
  #shown: PagesSnapshot<unknown> | undefined = undefined
  /** The responses in which pages came with members, by cursor. */
  readonly #filled = new Map<string, number>()
  /** What the standing and the snapshot were made from. */
  #from: { readonly seen: QuerySnapshot<unknown>; readonly pages: unknown } | undefined = undefined

  constructor(list: LiveQuery<unknown>) {
    this.#list = list
  }

  getSnapshot(): PagesSnapshot<unknown> {
    return this.#show(this.#list.getSnapshot())
  }

  getServerSnapshot(): PagesSnapshot<unknown> {
    const list = this.#list
    return this.#show((list.getServerSnapshot ?? list.getSnapshot).call(list))
  }

  subscribe(onChange: () => void): () => void {
    const listener = (): void => onChange()
    this.#listeners.add(listener)
    const stop = this.#list.subscribe(listener)
    // A request that succeeds with the same data changes nothing else.
    const stopFetching = this.fetching.subscribe(() => {
      if (this.#hasSucceeded()) this.#fail(undefined)
    })
    return () => {
      this.#listeners.delete(listener)
      stop()
      stopFetching()
    }
  }

  after(): this {
    return this
  }

  load(isChange?: boolean): Promise<void> {
    return this.#list.load(isChange)
  }

  readonly refetch = (): Promise<void> => {
    this.#fail(undefined)
    return this.#list.refetch()
  }

  get fetching(): Observer<boolean> {
    return this.#list.fetching
  }

  readonly fetchNext = (): Promise<void> => {
    const seen = this.#list.getSnapshot()
    if (this.#request !== undefined) return this.#request
    if (!seen.loading && this.#judge(seen).next === undefined) return Promise.resolve()
    this.#error = undefined
    this.#request = this.#fetchNext().finally(() => {
      this.#request = undefined
      this.#notify()
    })
    this.#notify()
    return this.#request
  }

  async #fetchNext(): Promise<void> {
    await this.load()
    // What the server has may be other than when it was last shown, with the same on the screen.
    this.#from = undefined
    const { next } = this.#judge(this.#list.getSnapshot())
    // Without an endpoint for pages there is no next one.
    const { getPage } = this.endpoint ?? {}
    if (getPage === undefined || next === undefined) return
    try {
      await this.#fetchPage(getPage, this.#argsWith(next))
    } catch (error) {
      if (error instanceof ResetError) return
      this.#error = toError(error, this.endpoint?.name ?? '')
      this.#failedAt = (this.#list as LiveObserver).host.runtime.store.sequence.now
    }
  }

  /** True if a page came, or the list, whose request was sent after one had failed. */
  #hasSucceeded(): boolean {
    if (this.#error === undefined) return false
    const row = this.#row()
    const { pages = [] } = (row && this.#base(row)) ?? {}
    const { start = 0 } = (this.#list as LiveObserver).query?.entry.response ?? {}
    return [{ start }, ...pages].some((page) => page.start > this.#failedAt)
  }

  #fetchPage(endpoint: EndpointInterface, given: readonly unknown[]): Promise<void> {
    const { closed, network } = (this.#list as LiveObserver).host.runtime
    if (closed !== undefined) return Promise.reject(closed)
    const args = readOnce(given)
    const call = { endpoint, args, key: keyOf(endpoint, args) }
    return new Promise((resolve, fail) => {
      network.join(call, { settle: () => resolve(), fail, signal: endpoint.signal, cause: { type: 'page' } })
    })
  }

  #fail(error: Error | undefined): void {
    if (error === this.#error) return
    this.#error = error
    this.#notify()
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) if (this.#listeners.has(listener)) listener()
  }

  // — showing —

  #show(seen: QuerySnapshot<unknown>): PagesSnapshot<unknown> {
    const { pages, hasNext, error: broken } = this.#judge(seen)
    // What failed was a page of a list that is gone, or a later request has succeeded.
    if (seen.data === undefined || this.#hasSucceeded()) this.#error = undefined
    const error = this.#error ?? broken
    const fetchingNext = this.#request !== undefined && !seen.loading
    const { refetch, fetchNext } = this
    this.#shown = pagesSnapshot(seen, { pages, hasNext, error, fetchingNext, refetch, fetchNext }, this.#shown)
    return this.#shown
  }

  // — which page comes next —

  /** What follows from the pages that are stored. The user's function runs when they or the data have changed. */
  #judge(seen: QuerySnapshot<unknown>): Standing {
    const row = this.#row()
    const { pages } = (row && this.#base(row)) ?? {}
    if (this.#from?.seen === seen && this.#from.pages === pages) return this.#standing
    this.#from = { seen, pages }
    this.#standing = seen.data === undefined || row === undefined ? NOT_LOADED : this.#standingOf(row)
    return this.#standing
  }

  #standingOf(row: ListNode): Standing {
    const value = this.#base(row) as ListNode['value']
    if (value === undefined) return NOT_LOADED
    const { members } = value
    const start = (this.#list as LiveObserver).query?.entry.response?.start ?? 0
    const known = value.pages ?? [{ cursor: '{}', order: undefined, first: 0, start, members }]
    const pages = onlyOnce(this.endpoint, known)
    try {
      const next = this.endpoint?.getPage === undefined ? noPages(this.endpoint) : this.#next(row, pages)
      const isLoaded = next !== undefined && pages.some(({ cursor }) => equalCursor(cursor, next))
      return { pages: pages.length, hasNext: next !== undefined && !isLoaded, next: isLoaded ? undefined : next }
    } catch (thrown) {
      return { pages: pages.length, hasNext: undefined, error: toError(thrown, this.endpoint?.name ?? '') }
    }
  }

  #next(row: ListNode, pages: readonly ListPage[]): object | undefined {
    const endpoint = this.endpoint as PagedEndpoint
    const last = pages.at(-1) as ListPage
    const cursor: Readonly<Record<string, unknown>> = JSON.parse(last.cursor)
    for (const page of pages) if (!isEmptyPage(page)) this.#filled.set(page.cursor, page.start)
    // Whose members were removed since did not come empty.
    const isEnd = isEmptyPage(last) && this.#filled.get(last.cursor) !== last.start
    if (endpoint.nextPage === undefined) return countOn(endpoint, pages, cursor, isEnd ? undefined : this.#present(row))
    const index = pages.length - 1
    let given: unknown
    try {
      const params = this.#argsWith(cursor)[0] as LastPage['params']
      given = endpoint.nextPage({ ...this.#dataOf(row, last.members), params: params ?? {}, index })
    } catch (cause) {
      throw new CallbackError('nextPage', endpoint.name ?? 'an endpoint', { cause })
    }
    if (given === undefined || given === null) return undefined
    if (isPlain(given) && !Array.isArray(given)) return given
    throw new OptionError(
      'nextPage',
      `of ${endpoint.name} returned ${describeType(given)}: return the params of the next page as an object, or undefined at the end.`,
    )
  }

  /** If members are counted, the keys of those that the server has too: who was deleted keeps the place for when it comes back. */
  #present(row: ListNode): ReadonlySet<unknown> {
    const { rowOf } = (this.#list as LiveObserver).host.runtime.store
    const present = new Set<unknown>()
    if (!OFFSETS.has(this.endpoint?.paginationField ?? '')) return present
    for (const [key, ref] of keyed((this.#base(row) as ListNode['value'])?.members ?? [])) {
      const entity = row.home.list?.entityOf(ref)
      if (entity === undefined || this.#base(rowOf(entity, pkOfRef(ref))) !== TOMBSTONE) present.add(key)
    }
    return present
  }

  /** The data of one page: the list's, with other members. */
  #dataOf(row: ListNode, members: ListMembers): Pick<LastPage, 'response' | 'items'> {
    const { query, host, schema } = this.#list as LiveObserver
    const { views } = host.runtime.store
    const page = new Map([[row, members]])
    // A Collection is a schema.
    const show = (of: Schema, value: unknown): unknown => views.show(of, query?.args ?? [], value, page)
    const items = show(row.home.list as Schema, row.pk)
    return {
      response: show(schema, query?.entry.row.value),
      items: Array.isArray(items) ? items : Object.values(items ?? {}),
    }
  }

  /** The value of a row in server state. */
  #base<R extends Row>(row: R): R['value'] {
    return (this.#list as LiveObserver).host.runtime.store.base(row)
  }

  /** The row of the list, in the key's own result. */
  #row(): ListNode | undefined {
    const list = this.#list
    if (!(list instanceof LiveObserver) || list.query === undefined) return undefined
    const { rowOf, views } = list.host.runtime.store
    const { schema, query } = list
    let found: ListNode | undefined
    const value = query.entry.row.value ?? views.lookupQuietly(schema, query.args)
    eachRow(schema, value, { rowOf }, (row) => {
      found ??= row.list
    })
    return found
  }

  /** The arguments of the list, with these fields in the first. */
  #argsWith(fields: object): readonly unknown[] {
    const [first, ...rest] = (this.#list as LiveObserver).query?.args ?? []
    return [{ ...(first as object | undefined), ...fields }, ...rest]
  }
}

/** The pages of a list that is shown differently. */
class MarkedPages extends DerivedQuery {
  readonly #pages: LivePages
  #shown: PagesSnapshot<unknown> | undefined = undefined

  constructor(from: LiveQuery<unknown>, pages: LivePages) {
    super(from)
    this.#pages = pages
  }

  override getServerSnapshot(): PagesSnapshot<unknown> {
    const { from } = this
    const seen = (from.getServerSnapshot ?? from.getSnapshot).call(from)
    return this.#show(seen, this.#pages.getServerSnapshot())
  }

  override show(seen: QuerySnapshot<unknown>): PagesSnapshot<unknown> {
    return this.#show(seen, this.#pages.getSnapshot())
  }

  #show(seen: QuerySnapshot<unknown>, known: PagesSnapshot<unknown>): PagesSnapshot<unknown> {
    this.#shown = pagesSnapshot(seen, known, this.#shown)
    return this.#shown
  }

  override over(from: LiveQuery<unknown>, before: MarkedPages | undefined): MarkedPages {
    if (from === this.from) return this
    return before?.from === from ? before : new MarkedPages(from, this.#pages)
  }

  override get root(): LiveQuery<unknown> {
    return this.#pages
  }

  override get refetch(): () => Promise<void> {
    return this.#pages.refetch
  }

  get fetchNext(): () => Promise<void> {
    return this.#pages.fetchNext
  }
}

/** What is shown of a list with pages: the last snapshot, unless something differs. */
function pagesSnapshot(
  seen: QuerySnapshot<unknown>,
  known: PagesMembers & Pick<QuerySnapshot<unknown>, 'error' | 'refetch'>,
  last: PagesSnapshot<unknown> | undefined,
): PagesSnapshot<unknown> {
  const { pages, hasNext, fetchingNext, fetchNext, refetch } = known
  const { data, loading } = seen
  const error = seen.error ?? known.error
  const status = error === undefined ? seen.status : 'failed'
  if (
    last !== undefined &&
    last.data === data &&
    last.status === status &&
    last.error === error &&
    last.pages === pages &&
    last.hasNext === hasNext &&
    last.fetchingNext === fetchingNext
  )
    return last
  const shown = {
    status,
    data,
    error,
    loading,
    get refreshing() {
      // That the next page is requested is told by itself.
      return seen.refreshing && !fetchingNext
    },
    get failureCount() {
      return seen.failureCount
    },
    get failureReason() {
      return seen.failureReason
    },
    refetch,
    pages,
    hasNext,
    fetchingNext,
    fetchNext,
  }
  // One of the shapes of a query's snapshot, with an error added.
  return Object.freeze(shown) as PagesSnapshot<unknown>
}

function noPages(endpoint: PagedEndpoint | undefined): never {
  const hint = process.env.NODE_ENV === 'production' ? '' : " Set it to the param that selects a page, such as 'page'."
  throw new OptionError('paginationField', `of ${endpoint?.name} is missing, so it has no pages.${hint}`)
}

/** True if a page was requested with these fields. */
function equalCursor(cursor: string, fields: object): boolean {
  const known: Readonly<Record<string, unknown>> = JSON.parse(cursor)
  const names = Object.keys(fields) as (keyof typeof fields)[]
  return (
    names.length === Object.keys(known).length && names.every((name) => String(known[name]) === String(fields[name]))
  )
}

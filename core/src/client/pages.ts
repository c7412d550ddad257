import { askNext, checkCounted, countOn, keyed, OFFSETS, onlyOnce, SeenPages } from '../collections/page.js'
import type { EndpointInterface, ReadEndpoint } from '../endpoint/options.js'
import type { EndpointData } from '../endpoint/result.js'
import type { LastPage } from '../rest/options.js'
import { type ListMembers, pkOfRef, type Schema } from '../schema/schema.js'
import { eachRow } from '../table/refs.js'
import type { ListNode, ListPage, ListValue, Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'
import { OptionError, ResetError } from '../util/errors.js'
import { toError } from '../util/thrown.js'
import type { Controller } from './controller.js'
import { keyOf, readOnce } from './given.js'
import { LiveObserver, type Role } from './live-observer.js'
import { DerivedQuery, rootOf } from './markers/derived-query.js'
import type { LiveQuery, QuerySnapshot } from './observer.js'

/** The snapshot of a list with pages. `error` is the list's, or that of the last page that was requested. */
export type PagesSnapshot<Data> = QuerySnapshot<Data> & PagesMembers

/** The facts of a list's pages, and the function that fetches the next one. */
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

/** A read of a list with pages: a `RestEndpoint` with `paginationField` and a Collection, marked or not. */
export type PagesEndpoint = ReadEndpoint & ({ readonly getPage: ReadEndpoint } | { readonly '~of': PagesEndpoint })

/** A list endpoint as pages need it; a `RestEndpoint` with `paginationField` is one. */
interface PagedEndpoint extends EndpointInterface {
  readonly paginationField?: string
  readonly getPage?: EndpointInterface<(...args: readonly unknown[]) => Promise<unknown>>
  nextPage?(last: LastPage): unknown
}

/**
 * Returns a read of a list with pages: like `controller.watch`, with `fetchNext()`. Calls with the same key return the same one.
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
export function pagesOf<E extends PagesEndpoint>(
  controller: Controller,
  endpoint: E,
  ...args: Parameters<E> | readonly [null]
): PagesQuery<EndpointData<E>> {
  if (process.env.NODE_ENV !== 'production' && typeof controller?.watchOrError !== 'function') {
    const hint = 'Call pagesOf(controller, getTodos, params): it is no kind for controller.observe.'
    throw new OptionError('controller', `of pagesOf must be a Controller. ${hint}`)
  }
  const query = controller.watchOrError(endpoint, ...args)
  const list = rootOf(query)
  const pages = paged.get(list) ?? new LivePages(list)
  paged.set(list, pages)
  // As the controller has read it: one that answers with fixtures puts others in their place.
  if (list instanceof LiveObserver) pages.endpoint = list.query?.endpoint
  // The data of its list is of this type.
  return (query === list ? pages : markedPages(query, pages)) as unknown as PagesQuery<EndpointData<E>>
}

function markedPages(query: LiveQuery<unknown>, pages: LivePages): MarkedPages {
  const pagesOfQuery = marked.get(query) ?? new MarkedPages(query, pages)
  marked.set(query, pagesOfQuery)
  return pagesOfQuery
}

/** Each goes with the query of its list. */
const paged = new WeakMap<LiveQuery<unknown>, LivePages>()
/** Each goes with the query that shows its list differently. */
const marked = new WeakMap<LiveQuery<unknown>, MarkedPages>()

/** The facts of a list's pages. */
interface PageFacts {
  readonly pages: number
  readonly hasNext: boolean | undefined
  /** The error of the last page that was requested, or of the endpoint's `nextPage`. */
  readonly error: Error | undefined
  readonly fetchingNext: boolean
}

/** The facts that follow from the stored pages. */
interface Standing {
  readonly pages: number
  readonly hasNext: boolean | undefined
  /** Returns the params to request the next page with; called if there is one. */
  next?(): object
  readonly error?: Error | undefined
}

const NOT_LOADED: Standing = { pages: 0, hasNext: undefined }

/** The pages of a list. Its data is the list's; the rest is observed by an observer of its own. */
class LivePages extends DerivedQuery {
  /** The endpoint of the list; undefined for a list that is not read. */
  endpoint: PagedEndpoint | undefined = undefined
  /** Shows what is known of the pages; undefined for a list that is not read. */
  readonly #facts: LiveObserver | undefined
  #request: Promise<void> | undefined = undefined
  /** The error of the last page that was requested. */
  #error: Error | undefined = undefined
  /** The sequence number at which it came. */
  #failedAt = 0
  /** The pages before the last one. */
  readonly #before = new SeenPages()
  /** Start of the last page, and which members of pages the list did not have when that came. */
  #lastStart = 0
  #outBefore: ReadonlySet<unknown> = new Set()
  #standing: Standing = NOT_LOADED
  /** The values that the standing follows from. */
  #from: readonly unknown[] = []
  #shown: PagesSnapshot<unknown> | undefined = undefined

  constructor(list: LiveQuery<unknown>) {
    super(list)
    if (list instanceof LiveObserver)
      this.#facts = new LiveObserver(list.host, this.#role(list), { key: list.key, args: [] })
  }

  override getSnapshot(): PagesSnapshot<unknown> {
    return this.show(this.from.getSnapshot())
  }

  override getServerSnapshot(): PagesSnapshot<unknown> {
    const { from } = this
    return this.show((from.getServerSnapshot ?? from.getSnapshot).call(from))
  }

  override readonly subscribe = (onChange: () => void): (() => void) => {
    let last = this.getSnapshot()
    const look = (): void => {
      const before = last
      last = this.getSnapshot()
      if (last !== before) onChange()
    }
    const stop = this.from.subscribe(look)
    const stopKnown = this.#facts?.subscribe(look)
    return () => {
      stop()
      stopKnown?.()
    }
  }

  override show(seen: QuerySnapshot<unknown>): PagesSnapshot<unknown> {
    const { refetch, fetchNext } = this
    this.#shown = pagesSnapshot(seen, { ...this.#look(seen), refetch, fetchNext }, this.#shown)
    return this.#shown
  }

  /** It is the only one of its list. */
  override over(): this {
    return this
  }

  override get root(): LiveQuery<unknown> {
    return this
  }

  // Getters in the base class, which always return the same here.
  override get refetch(): () => Promise<void> {
    return this.#refetch
  }

  get fetchNext(): () => Promise<void> {
    return this.#fetchNextOnce
  }

  readonly #refetch = (): Promise<void> => {
    this.#error = undefined
    this.#notify()
    return this.from.refetch()
  }

  readonly #fetchNextOnce = (): Promise<void> => {
    if (this.#request !== undefined) return this.#request
    const seen = this.from.getSnapshot()
    // The first page has failed: it is the next one.
    const isFirst = seen.status === 'failed' && seen.data === undefined
    if (!isFirst && !seen.loading && this.#judge(seen).next === undefined) return Promise.resolve()
    this.#error = undefined
    this.#request = (isFirst ? this.refetch() : this.#fetchNext()).finally(() => {
      this.#request = undefined
      this.#notify()
    })
    this.#notify()
    return this.#request
  }

  async #fetchNext(): Promise<void> {
    await this.load()
    const { next } = this.#judge(this.from.getSnapshot())
    // Without an endpoint for pages there is no next one.
    const { getPage } = this.endpoint ?? {}
    if (getPage === undefined || next === undefined) return
    try {
      await this.#fetchPage(getPage, this.#argsWith(next()))
    } catch (error) {
      if (error instanceof ResetError) return
      this.#error = toError(error, this.endpoint?.name ?? '')
      this.#failedAt = (this.from as LiveObserver).host.runtime.store.sequence.now
    }
  }

  /** True if a page came, or the list, whose request was sent after one had failed. */
  #hasSucceeded(): boolean {
    if (this.#error === undefined) return false
    const row = this.#row()
    const { pages = [] } = (row && this.#base(row)) ?? {}
    const { start = 0 } = (this.from as LiveObserver).query?.entry.response ?? {}
    return [{ start }, ...pages].some((page) => page.start > this.#failedAt)
  }

  #fetchPage(endpoint: EndpointInterface, callArgs: readonly unknown[]): Promise<void> {
    const { closed, network } = (this.from as LiveObserver).host.runtime
    if (closed !== undefined) return Promise.reject(closed)
    const args = readOnce(callArgs)
    const call = { endpoint, args, key: keyOf(endpoint, args) }
    return new Promise((resolve, fail) => {
      network.join(call, { settle: () => resolve(), fail, signal: endpoint.signal, cause: { type: 'page' } })
    })
  }

  // — showing —

  /** Pages change without the data of their list: each commit that concerns its key tells. */
  #role(list: LiveObserver): Role {
    let last: PageFacts | undefined
    return {
      show: () => {
        const now = this.#look(this.from.getSnapshot())
        if (!last || !isSame(last, now)) last = now
        return last
      },
      start: (observer) => {
        const look = (): void => notifyAgain(observer)
        const stop = list.host.runtime.events.on('commit', ({ keys }) => keys.includes(list.key) && look())
        // Something may have happened between subscribing and now.
        look()
        return stop
      },
    }
  }

  #notify(): void {
    if (this.#facts) notifyAgain(this.#facts)
  }

  #look(seen: QuerySnapshot<unknown>): PageFacts {
    const { pages, hasNext, error } = this.#judge(seen)
    // The error was that of a page of a list that is gone, or a later request has succeeded.
    if (seen.data === undefined || this.#hasSucceeded()) this.#error = undefined
    return { pages, hasNext, error: this.#error ?? error, fetchingNext: this.#request !== undefined && !seen.loading }
  }

  // — which page comes next —

  /** The facts that follow from the stored pages, worked out again when these have changed. */
  #judge(seen: QuerySnapshot<unknown>): Standing {
    const row = seen.data === undefined ? undefined : this.#row()
    const value = row && (this.#base(row) as ListNode['value'])
    if (row === undefined || value === undefined) return NOT_LOADED
    const { endpoint } = this
    const { entry } = (this.from as LiveObserver).query ?? {}
    const from = [value.pages ?? value.members, endpoint, entry?.response]
    if (from.some((part, i) => part !== this.#from[i])) {
      this.#from = from
      this.#standing = this.#standingOf(row, value)
    }
    return this.#standing
  }

  #standingOf(row: ListNode, { members, pages }: ListValue): Standing {
    const { endpoint } = this
    const start = (this.from as LiveObserver).query?.entry.response?.start ?? 0
    const whole = { cursor: '{}', order: undefined, first: 0, start, members, came: members }
    const distinct = onlyOnce(endpoint, pages ?? [whole])
    const standing = { pages: distinct.length }
    try {
      if (endpoint?.getPage === undefined) noPages(endpoint)
      const last = distinct.at(-1) ?? whole
      const before = this.#before.moveTo(distinct.slice(0, -1))
      if (endpoint.nextPage === undefined) {
        checkCounted(endpoint)
        if (last.start !== this.#lastStart) {
          this.#lastStart = last.start
          this.#outBefore = distinct.length === 1 ? new Set() : membersOutside(row, members, distinct)
        }
        // The last page came empty, or with nothing that the ones before do not have.
        if (before.repeats(last)) return { ...standing, hasNext: false }
        return { ...standing, hasNext: true, next: () => countOn(endpoint, last, this.#goneSince(row, last, distinct)) }
      }
      const next = this.#ask(endpoint, row, last, distinct.length - 1)
      // A page that is loaded already is the end.
      const isLoaded = next === undefined || before.has(next) || new SeenPages().moveTo([last]).has(next)
      return isLoaded ? { ...standing, hasNext: false } : { ...standing, hasNext: true, next: () => next }
    } catch (thrown) {
      return { ...standing, hasNext: undefined, error: toError(thrown, endpoint?.name ?? '') }
    }
  }

  /** Asks the user's function for the page after the last one. */
  #ask(endpoint: PagedEndpoint, row: ListNode, last: ListPage, index: number): object | undefined {
    const cached = (this.from as LiveObserver).query?.entry.following.get(last.cursor)
    // It was asked when the page came, unless the page came without a request.
    if (cached?.start === last.start && cached.by === endpoint.nextPage) {
      if (cached.error !== undefined) throw cached.error
      return cached.next
    }
    const params = this.#argsWith(JSON.parse(last.cursor))[0] as LastPage['params'] | undefined
    return askNext(endpoint, { ...this.#dataOf(row, last.came), params: params ?? {}, index })
  }

  /** If members are counted, how many the server has no more of those that it had when the last page was requested. */
  #goneSince(row: ListNode, last: ListPage, pages: readonly ListPage[]): number {
    const { rowOf, sequence } = (this.from as LiveObserver).host.runtime.store
    // If nothing was sent or written since, nobody can have left.
    if (sequence.now <= last.start || !OFFSETS.has(this.endpoint?.paginationField ?? '')) return 0
    const out = membersOutside(row, this.#base(row)?.members ?? [], pages)
    const gone = new Set([...out].filter((key) => !this.#outBefore.has(key)))
    for (const { came } of pages) {
      for (const [key, ref] of keyed(came)) {
        const entity = row.home.list?.entityOf(ref)
        const member = entity && rowOf(entity, pkOfRef(ref))
        const isDeleted = member !== undefined && this.#base(member) === TOMBSTONE
        if (isDeleted && !out.has(key) && (member.mutated?.done ?? 0) > last.start) gone.add(key)
      }
    }
    return gone.size
  }

  /** The data of one page: the list's, with other members. */
  #dataOf(row: ListNode, members: ListMembers): Pick<LastPage, 'response' | 'items'> {
    const { query, host, schema } = this.from as LiveObserver
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
    return (this.from as LiveObserver).host.runtime.store.base(row)
  }

  /** The row of the list, in the key's own result. */
  #row(): ListNode | undefined {
    const list = this.from
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
    const [first, ...rest] = (this.from as LiveObserver).query?.args ?? []
    return [{ ...(first as object | undefined), ...fields }, ...rest]
  }
}

/** The members of pages that were taken out of their list, or left it by `belongs`. */
function membersOutside(row: ListNode, members: ListMembers, pages: readonly ListPage[]): ReadonlySet<unknown> {
  const out = new Set<unknown>()
  if (row.home.list?.belongs === undefined && pages.every(({ members, came }) => members === came)) return out
  for (const { came } of pages) for (const [key] of keyed(came)) out.add(key)
  for (const [key] of keyed(members)) out.delete(key)
  return out
}

function isSame(a: PageFacts, b: PageFacts): boolean {
  return a.pages === b.pages && a.hasNext === b.hasNext && a.error === b.error && a.fetchingNext === b.fetchingNext
}

/** Shows again what an observer shows, and notifies if that has changed. */
function notifyAgain(observer: LiveObserver): void {
  observer.reread()
  observer.notify()
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

  #show(seen: QuerySnapshot<unknown>, paged: PagesSnapshot<unknown>): PagesSnapshot<unknown> {
    this.#shown = pagesSnapshot(seen, paged, this.#shown)
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

/** The snapshot of a list with pages: the last one, unless something differs. */
function pagesSnapshot(
  seen: QuerySnapshot<unknown>,
  paged: PagesMembers & Pick<QuerySnapshot<unknown>, 'error' | 'refetch'>,
  last: PagesSnapshot<unknown> | undefined,
): PagesSnapshot<unknown> {
  const { pages, hasNext, fetchingNext, fetchNext, refetch } = paged
  const { data, loading } = seen
  const error = seen.error ?? paged.error
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
      // `fetchingNext` tells of a request for the next page.
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

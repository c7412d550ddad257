import type { EndpointInterface, ReadEndpoint } from '../endpoint/options.js'
import type { EndpointData } from '../endpoint/result.js'
import { OptionError, ResetError } from '../util/errors.js'
import { guarded, toError } from '../util/thrown.js'
import { keyOf, readOnce } from './arguments.js'
import type { Controller } from './controller.js'
import { LiveObserver } from './live-observer.js'
import { DerivedQuery, rootOf } from './markers/derived-query.js'
import { NextPage, NOT_LOADED, type Standing } from './next-page.js'
import type { LiveQuery, QuerySnapshot } from './observer.js'
import { type PagesSnapshot, type PagesState, pagesSnapshot } from './pages-snapshot.js'
import type { Runtime } from './runtime.js'

/** A read of a list with pages. */
export interface PagesQuery<Data> extends LiveQuery<Data> {
  getSnapshot(): PagesSnapshot<Data>
  getServerSnapshot(): PagesSnapshot<Data>
  /**
   * Requests the page after the last one, if there is one; concurrent calls share one request. If the list itself has
   * failed, at first or in a refresh, repeats that instead. The promise resolves when the request has settled, and never
   * rejects: a failed page leaves the list as it is and sets `error`. A bound function.
   */
  readonly fetchNext: () => Promise<void>
}

/** A read of a list with pages: a `RestEndpoint` with `paginationField` and a Collection, marked or not. */
export type PagesEndpoint = ReadEndpoint & ({ readonly getPage: ReadEndpoint } | { readonly '~of': PagesEndpoint })

/**
 * Returns a read of a list with pages: like `controller.watch`, with `fetchNext()`. Calls with the same key return the same
 * one.
 *
 * @remarks
 * The loaded pages determine the next one, not the length of the list, so created members do not change it. Without
 * `nextPage` it is the next number for `page`, `_page` and `pageNumber`, and the number of members of all pages for
 * `offset`, `skip`, `start` and `_start`, until a page is empty or repeats earlier ones. Never throws: a call that cannot be
 * made returns a query that has failed.
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
  // The query's endpoint, since a controller with fixtures replaces endpoints.
  if (pages.nextPage && list instanceof LiveObserver) pages.nextPage.endpoint = list.query?.endpoint
  // The list has the data of this endpoint.
  return (query === list ? pages : markedPages(query, pages)) as unknown as PagesQuery<EndpointData<E>>
}

function markedPages(query: LiveQuery<unknown>, pages: LivePages): MarkedPages {
  const pagesOfQuery = marked.get(query) ?? new MarkedPages(query, pages)
  marked.set(query, pagesOfQuery)
  return pagesOfQuery
}

/** The pages of each list, by its query. */
const paged = new WeakMap<LiveQuery<unknown>, LivePages>()
/** The pages of each marked list, by the marked query. */
const marked = new WeakMap<LiveQuery<unknown>, MarkedPages>()

/** A list with its pages. Its data is the list's. */
class LivePages extends DerivedQuery<PagesSnapshot<unknown>> {
  /** Determines the next page; undefined for a list that is not read. */
  readonly nextPage: NextPage | undefined
  /** Called when the state of the pages may have changed here. */
  readonly #listeners = new Set<() => void>()
  #request: Promise<void> | undefined
  /** The error of the last requested page. */
  #error: Error | undefined
  /** The sequence number at which the error arrived. */
  #failedAt = 0
  #shown: PagesSnapshot<unknown> | undefined

  constructor(list: LiveQuery<unknown>) {
    super(list)
    if (list instanceof LiveObserver) this.nextPage = new NextPage(list)
  }

  override follow(look: () => void): readonly (() => unknown)[] {
    const stops = [this.from.subscribe(look)]
    if (this.nextPage === undefined) return stops
    const { list } = this.nextPage
    this.#listeners.add(look)
    // Pages can change without the list's data.
    const stop = list.host.runtime.events.on('commit', ({ keys }) => keys.includes(list.key) && look())
    return [...stops, stop, () => this.#listeners.delete(look)]
  }

  override show(seen: QuerySnapshot<unknown>): PagesSnapshot<unknown> {
    this.#shown = pagesSnapshot(seen, this.#stateOf(seen), this.#shown)
    return this.#shown
  }

  /** Returns itself, since all readers of a list share it. */
  override over(): this {
    return this
  }

  override get root(): LiveQuery<unknown> {
    return this
  }

  // The base class has getters here. These always return the same function.
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
    // If the list itself failed, at first or in a refresh, or was never requested, it is what is missing.
    const hasFailed = seen.status === 'failed' || this.nextPage?.list.query?.lacksFirst()
    if (!hasFailed && !seen.loading && this.#judge(seen).next === undefined) return Promise.resolve()
    this.#error = undefined
    this.#request = (hasFailed ? this.refetch() : this.#fetchNext()).finally(() => {
      this.#request = undefined
      this.#notify()
    })
    this.#notify()
    return this.#request
  }

  async #fetchNext(): Promise<void> {
    await this.load()
    const { nextPage } = this
    const { next, after } = this.#judge(this.from.getSnapshot())
    // Without an endpoint for pages, there is no next page.
    const { getPage, name = '' } = nextPage?.endpoint ?? {}
    if (nextPage === undefined || getPage === undefined || next === undefined) return
    const { runtime } = nextPage.list.host
    try {
      await fetchPage(runtime, getPage, nextPage.argsWith(next()), after)
    } catch (error) {
      if (error instanceof ResetError) return
      this.#error = toError(error, name)
      this.#failedAt = runtime.store.sequence.now
    }
  }

  #notify(): void {
    const report = this.nextPage?.list.host.runtime.report
    if (report === undefined) return
    for (const listener of [...this.#listeners]) guarded(report, 'A listener', 'a subscription', listener)
  }

  // — showing —

  #stateOf(seen: QuerySnapshot<unknown>): PagesState {
    const { refetch, fetchNext } = this
    const { pages, hasNext, error } = this.#judge(seen)
    // The list is gone, or a later request has succeeded.
    if (seen.data === undefined || (this.#error && this.nextPage?.hasResponseAfter(this.#failedAt)))
      this.#error = undefined
    const fetchingNext = this.#request !== undefined && !seen.loading
    return { pages, hasNext, error: this.#error ?? error, fetchingNext, refetch, fetchNext }
  }

  #judge({ data }: QuerySnapshot<unknown>): Standing {
    return (data !== undefined && this.nextPage?.judge()) || NOT_LOADED
  }
}

function fetchPage(
  runtime: Runtime,
  endpoint: EndpointInterface,
  callArgs: readonly unknown[],
  after: string | undefined,
): Promise<void> {
  const { closed, network } = runtime
  if (closed !== undefined) return Promise.reject(closed)
  const args = readOnce(callArgs)
  const call = { endpoint, args, key: keyOf(endpoint, args) }
  return new Promise((resolve, fail) => {
    const subscriber = { settle: () => resolve(), fail, signal: endpoint.signal, cause: { type: 'page' } } as const
    const flight = network.join(call, subscriber)
    if (flight && after) flight.after = after
  })
}

/** The pages of a marked list. */
class MarkedPages extends DerivedQuery<PagesSnapshot<unknown>> {
  readonly #pages: LivePages
  #shown: PagesSnapshot<unknown> | undefined

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

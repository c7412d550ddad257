import type { ListCode } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityRow, Page, Row, RowSource } from '../table/row.js'
import type { ListMaker, Table } from '../table/table.js'
import type { Views } from '../table/views.js'
import type { Layer } from './layer.js'
import type { JoinResults, Write } from './write.js'

/** The request of a page, as lists know it. */
export interface PageCall {
  readonly endpoint: { readonly pageFields?: readonly string[] | undefined }
}

/** A read whose response carried a page of a list. */
export interface ReadOfPages<Request> {
  readonly endpoint: object
  readonly args: readonly unknown[]
  readonly start: number
  /** Its place among the requests that refresh all pages of the list; undefined for the first of them, and if only one page was requested. */
  readonly refresh?: PlaceInRefresh<Request>
}

/** The place of a request among those that refresh all pages of a list. */
export interface PlaceInRefresh<Request> {
  /** Start of the read of the list. */
  readonly start: number
  /** How many pages come before it. */
  readonly index: number
  /** The arguments of the list. */
  readonly listArgs: readonly unknown[]
  /** The requests that were made for the pages after this one; undefined for one that is not known. */
  readonly further: readonly (Request | undefined)[]
}

/** The fetch key of a list, as its pages know it. */
export interface PagedEntry<Request> {
  /** The requests for pages, by cursor. */
  readonly pages: ReadonlyMap<string, Request>
  /** The answers of `nextPage`, by the cursor of their page. */
  readonly following: Map<string, Following>
  /** Start of the newest read that refreshes all pages. */
  readonly refresh: number
}

/** The store, as pages know it. */
export interface PageStore {
  /** The value of a row in server state. */
  readonly base: RowSource['valueOf']
  /** Shows a stored value with other values of rows than the visible ones. */
  readonly views: Pick<Views, 'show'>
}

/** The answer of the endpoint's `nextPage` when a page came: which page follows it. */
export interface Following {
  readonly cursor: string
  /** Start of the page's request. */
  readonly start: number
  /** The function that was asked. */
  readonly by: unknown
  /** The params of the next page; undefined at the end. */
  readonly next?: object | undefined
  /** The error that the function threw. */
  readonly error?: Error
}

/** The request that goes on with a refresh, and its place there. */
export interface PageStep<Request> {
  readonly next: Request
  readonly refresh: PlaceInRefresh<Request>
}

/** The part of a request in flight that the replacement of temporary keys needs. */
export interface NetworkRequest {
  readonly owner: { readonly store: { readonly sequence: { readonly now: number } } }
  readonly key: string
  readonly start: number
  readonly isMutation: boolean
  args: readonly unknown[]
  /** The optimistic layer, while it is pending. */
  readonly layer: Layer | undefined
  /** The change that its optimistic response has made last. */
  readonly expected: Change | undefined
  /** The common part of the temporary keys of the rows that it creates. */
  readonly label: number | string
  /** The real keys of the rows that it has created, by their temporary ones. */
  createdKeys?: ReadonlyMap<string, string | number>
  /** The newest number in the order when it was sent, if it had to wait; Infinity while it does. */
  heldUntil?: number
  /** True if it will fail, as the request has that created a row which it names. */
  isLost: boolean
}

/** Replaces the temporary keys of rows in requests once the server has given them others: a part of a network's requests. */
export interface KeyReplacer<Request> {
  readonly name: string
  /** False if no request can name a temporary key. */
  readonly isNeeded: boolean
  /** The arguments with real keys in place of the temporary ones that have become real; the same if there are none. */
  realArgs(args: readonly unknown[]): readonly unknown[]
  /** Before the parts are told, a request gets the keys that are known; it waits for others. */
  hold(request: Request): void
  request(request: Request, next: () => Promise<unknown>): Promise<unknown>
  read(request: Request, received: object): void
  settled(request: Request, error: Error | undefined): void
}

/** The interface of lists for the store. A Collection passes it to the table, so that bundles without a Collection do not contain it. */
export interface ListEngine extends ListCode, ListMaker {
  /** True if a write has lists that are to be asked about its rows. */
  asksAbout(write: Write): boolean
  /**
   * Writes the lists of a change: whole lists, then membership changes, then predicate lists.
   *
   * @param changed - rows to check against predicate lists
   */
  write(write: Write, changed: readonly EntityRow[]): void
  /**
   * Records the call that requested a page, by its cursor. Returns how the result of a key whose list has several pages joins the
   * existing one: fields come from the newest response, but those that describe how the list continues come from the last page, even
   * if it lacks them. The response is already written.
   */
  joinPage<Request extends PageCall>(
    change: Change,
    pages: Map<string, Request>,
    request: Request,
  ): JoinResults | undefined
  /** Returns the members of the pages that a response contained. */
  pageMembers(change: Change): Page
  /**
   * Adds the lists and membership changes of an optimistic response to the change that an empty response leaves, without members that
   * have no real key. Returns the rows that were moved.
   */
  settle(optimistic: Change, change: Change, isReal: (pk: string) => boolean, rowOf: Write['row']): readonly Row[]
  /**
   * Reads a response for the pages of its list, before it is written, and notes in the entry what follows; returns the request of the
   * page that a refresh asks for next. Not there before `loadPages`.
   */
  pageStep?<Request extends object>(
    read: ReadOfPages<Request>,
    change: Change,
    entry: PagedEntry<Request>,
    store: PageStore,
  ): PageStep<Request> | undefined
  /** Loads the code that refreshes lists page by page, without which a response is a page and no more. It never rejects; undefined if it is there. */
  loadPages(): Promise<void> | undefined
  /** Rows are created in lists, so the code that tracks their keys comes with lists. */
  temporaryKeys<Request extends NetworkRequest>(requests: ReadonlySet<Request>): KeyReplacer<Request>
}

/** The engine of a table's lists; undefined as long as there are none. */
export function engineOf({ maker }: Table): ListEngine | undefined {
  // The table only needs the function that creates lists.
  return maker as ListEngine | undefined
}

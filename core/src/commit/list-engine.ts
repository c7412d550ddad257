import type { ListCode, ListSchema, Schema } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityRow, Page, Row, RowSource } from '../table/row.js'
import type { ListMaker, Table } from '../table/table.js'
import type { Views } from '../table/views.js'
import type { Layer } from './layer.js'
import type { JoinResults, Write } from './write.js'

/** The part of a page's request that lists need. */
export interface PageCall {
  readonly endpoint: { readonly pageFields?: readonly string[] | undefined }
}

/** A page that was requested before the newest read of its list. */
export interface LatePage {
  readonly start: number
  /** Start of that read. */
  readonly newest: number
}

/** A read whose response contained a page of a list. */
export interface ReadOfPages<Request> {
  readonly endpoint: object
  readonly args: readonly unknown[]
  readonly start: number
  /** The reason for the request. */
  readonly cause: { readonly type: string }
  /** Its position in a refresh of all pages; undefined for the first request, and for a read of a single page. */
  readonly refresh?: PlaceInRefresh<Request>
}

/** The position of a request in a refresh of all pages of a list. */
export interface PlaceInRefresh<Request> {
  /** Start of the read of the list. */
  readonly start: number
  /** The number of pages before it. */
  readonly index: number
  /** The cursor of the page before it. */
  readonly after: string
  /** The arguments of the list. */
  readonly listArgs: readonly unknown[]
  /** The previous requests for the pages after this one; undefined for an unknown one. */
  readonly further: readonly (Request | undefined)[]
}

/** The part of a list's fetch key that pages need. */
export interface PagedEntry<Request> {
  /** The requests for pages, by cursor; undefined while there are none. */
  pages: Map<string, Request> | undefined
  /** The results of `nextPage`, by the cursor of their page; undefined while there are none. */
  following: Map<string, Following> | undefined
  /** The row that stores the key's result. */
  readonly row: Row
  /** The schema of the list's endpoint. */
  readonly schema: Schema
  /** The oldest response of the list's pages. */
  readonly response: { readonly start: number } | undefined
  /** Start of the newest read that refreshes all pages. */
  readonly refresh: number
}

/** The part of the store that pages need. */
export interface PageStore {
  /** Returns the value of a row in server state. */
  readonly base: RowSource['valueOf']
  /** Shows a stored value with values of rows other than the visible ones. */
  readonly views: Pick<Views, 'show'>
}

/** The result of the endpoint's `nextPage` for a page that arrived. */
export interface Following {
  readonly cursor: string
  /** Start of the page's request. */
  readonly start: number
  /** The function that was called. */
  readonly by: unknown
  /** The params of the next page; undefined at the end. */
  readonly next?: object | undefined
  /** The error that the function threw. */
  readonly error?: Error
}

/** The next request of a refresh, and its position there. */
export interface PageStep<Request> {
  readonly next: Request
  readonly refresh: PlaceInRefresh<Request>
}

/** The part of a request in flight that the replacement of temporary keys needs. */
export interface NetworkRequest {
  readonly key: string
  readonly start: number
  readonly isMutation: boolean
  args: readonly unknown[]
  /** The optimistic layer, while it is pending. */
  readonly layer: Layer | undefined
  /** The latest change of its optimistic response. */
  readonly expected: Change | undefined
  /** The common part of the temporary keys of the rows that it creates. */
  readonly label: number | string
  /** The real keys of the rows that it has created, by their temporary keys. */
  createdKeys?: ReadonlyMap<string, string | number>
  /** True if it will fail because the request that should create one of its rows has failed. */
  isLost: boolean
  /** Waits before it is sent: requests that end meanwhile do not overlap with it. */
  waitFor(turn: Promise<unknown>): Promise<void>
}

/** The part of a network's requests that replaces temporary keys by the real keys that the server has assigned. */
export interface KeyReplacer<Request> {
  readonly name: string
  /** False if no request can name a temporary key. */
  readonly isNeeded: boolean
  /** Returns the arguments with known real keys in place of temporary ones; the same arguments if there are none. */
  realArgs(args: readonly unknown[]): readonly unknown[]
  /** Replaces the known keys of a request before other parts read its arguments, and makes it wait for the others. */
  hold(request: Request): void
  request(request: Request, next: () => Promise<unknown>): Promise<unknown>
  read(request: Request, received: object): void
  settled(request: Request, error: Error | undefined): void
}

/** The interface of lists for the store. A Collection passes it to the table; bundles without one do not contain it. */
export interface ListEngine extends ListCode, ListMaker {
  /** True if there are predicate lists that may change with the rows of a write. */
  asksAbout(write: Write): boolean
  /**
   * Writes the lists of a change: whole lists, then membership changes, then predicate lists.
   *
   * @param changed - rows to check against predicate lists
   */
  write(write: Write, changed: readonly EntityRow[]): void
  /**
   * Records the call that requested a page, by its cursor. Returns how the result of a key whose list has several pages
   * joins the existing one: fields come from the newest response, but those that describe how the list continues come from
   * the last page, even if it lacks them. The response is already written.
   */
  joinPage<Request extends PageCall>(
    change: Change,
    entry: Pick<PagedEntry<Request>, 'pages'>,
    request: Request,
  ): JoinResults | undefined
  /**
   * True for the response, which is already written, of a further page of a list: its other pages are older, or all newer if it
   * is late.
   */
  isFurther(change: Change, late?: LatePage): boolean
  /** Returns the members of the pages that a response contained. */
  pageMembers(change: Change): Page
  /**
   * Adds the lists and membership changes of an optimistic response to the change that an empty response leaves, without
   * members that have no real key. Returns the rows that were moved.
   */
  settle(optimistic: Change, change: Change, isReal: (pk: string) => boolean, rowOf: Write['row']): readonly Row[]
  /** Returns the rows that the membership changes of a write move, and the lists that they change. Writes nothing. */
  affected(write: Write): readonly Row[]
  /** Returns the lists that the row of an addition may have entered, of which only the call's arguments are known. */
  mayEnter(schema: ListSchema, call: readonly unknown[], table: Table): readonly Row[]
  /**
   * Reads the pages in a response before it is written, and records their `nextPage` in the entry. Returns the next request
   * of a refresh. Undefined before `loadPages`.
   */
  pageStep?<Request extends object>(
    read: ReadOfPages<Request>,
    change: Change,
    entry: PagedEntry<Request>,
    store: PageStore,
  ): PageStep<Request> | undefined
  /** Loads the code that refreshes lists page by page; undefined if it is loaded. The promise never rejects. */
  loadPages(): Promise<void> | undefined
  /** Creates the part that replaces temporary keys. It is here because rows are created in lists. */
  temporaryKeys<Request extends NetworkRequest>(requests: ReadonlySet<Request>): KeyReplacer<Request>
}

import type { Following, PagedEntry, PageStep, PageStore, PlaceInRefresh, ReadOfPages } from '../commit/list-engine.js'
import { refKey } from '../lists/members.js'
import { isFirstPage, itemsIn } from '../lists/pages.js'
import type { LastPage } from '../rest/options.js'
import type { Member, PageMark, RowRecord, Schema } from '../schema/schema.js'
import type { Change, JoinedPages, ListWrite, PageRefresh, RefreshedList } from '../table/change.js'
import type { ListPage, Row, RowSource } from '../table/row.js'
import { isThere } from '../table/value.js'
import { stableKey } from '../util/stable-key.js'
import { askNext, dataOfPage, type Paginated, SeenPages, sizeOf } from './page.js'

/** An endpoint of a list, or of its pages. */
interface PagedEndpoint extends Paginated {
  readonly schema?: Schema
  readonly getPage?: object | undefined
  readonly refreshPages?: 'all' | 'first' | undefined
}

/**
 * Reads the pages in a read's response before it is written: the page that follows, and the page that a refresh requests
 * next. With `nextPage`, a refresh requests each page by the cursor in the previous fresh page, since stored cursors are
 * outdated, until there are as many pages as before. Otherwise it repeats the stored requests.
 */
export function pageStep<Request extends object>(
  read: ReadOfPages<Request>,
  change: Change,
  entry: PagedEntry<Request>,
  store: PageStore,
): PageStep<Request> | undefined {
  const [write] = change.lists
  if (write === undefined) return undefined
  const endpoint: PagedEndpoint = read.endpoint
  const pages = store.base(write.row)?.pages ?? []
  const { refresh } = read
  const isFirst = refresh === undefined && isFirstPage(write.page)
  const following = followingOf(read, change, write, store)
  if (following !== undefined) {
    entry.following ??= new Map()
    entry.following.set(following.cursor, following)
  }
  if (isFirst ? endpoint.refreshPages === 'first' : refresh?.start !== entry.refresh) {
    if (isFirst || !following || pages.some(({ cursor }) => cursor === following.cursor)) return undefined
    if (refresh === undefined) return read.cause.type === 'page' ? insteadOfPage(read, write, entry, store) : undefined
    // A later refresh requests all pages itself, by newer cursors.
    write.refresh = { isFollowed: true, after: refresh.after, finish: () => store.base(write.row) as JoinedPages }
    return undefined
  }
  const isFollowed = following !== undefined && following.error === undefined && endpoint.getPage !== undefined
  const left = isFirst
    ? pagesAfterFirst(read, change, { pages, isFollowed }, { entry, store })
    : (refresh?.further ?? [])
  const [stored, ...further] = left
  const index = (refresh?.index ?? 0) + 1
  // A page may have been requested since the refresh has begun.
  const isMore = isFirst ? left.length > 0 : index < pages.length
  const followed = isMore && following?.next ? requestOf(read, following.next) : undefined
  const next = isFollowed ? followed : stored
  const start = refresh?.start ?? read.start
  if (pages.length > 1) {
    const isEnd = following ? isFollowed && !following.next : repeatsAll(write, pages, start)
    const isWhole = next === undefined && isEnd
    const finish: PageRefresh['finish'] = (list, context) => afterRefresh(list, { start, isFollowed, isWhole }, context)
    write.refresh = { isFollowed, after: refresh?.after, finish: next === undefined ? finish : undefined }
  }
  if (next === undefined) return undefined
  const after = write.page?.cursor ?? '{}'
  return { next, refresh: { listArgs: read.args, ...refresh, start, index, after, further } }
}

/** Returns the result of the endpoint's `nextPage` for a page that arrived; undefined without that function. */
function followingOf<Request>(
  { endpoint, args, start, refresh }: ReadOfPages<Request>,
  change: Change,
  { row, page }: ListWrite,
  { base, views }: PageStore,
): Following | undefined {
  const { nextPage, schema }: PagedEndpoint = endpoint
  if (nextPage === undefined) return undefined
  const cursor = page?.cursor ?? '{}'
  const pages = base(row)?.pages ?? []
  const at = pages.findIndex((other) => other.cursor === cursor)
  try {
    const lists = new Map<Row, unknown>(change.lists.map((write) => [write.row, write]))
    const came: RowSource = {
      // The function sees rows as in the response, without the changes of mutations.
      valueOf: (of) => (lists.get(of) ?? asItCame(base(of), change.written(of))) as (typeof of)['value'],
    }
    const show = (of: Schema, value: unknown): unknown => views.show(of, args, value, undefined, came)
    const last: LastPage = {
      ...dataOfPage(row, show, show(schema, change.result)),
      params: (args[0] ?? {}) as LastPage['params'],
      index: refresh?.index ?? (at < 0 && cursor !== '{}' ? pages.length : Math.max(0, at)),
    }
    return { cursor, start, by: nextPage, next: askNext(endpoint, last) }
  } catch (error) {
    return { cursor, start, by: nextPage, error: error as Error }
  }
}

function asItCame(stored: unknown, came: unknown): unknown {
  return isThere(stored) && isThere(came) ? { ...(stored as RowRecord), ...(came as RowRecord) } : (came ?? stored)
}

/**
 * Reads a page that `fetchNext` requested. If the page before it has been read again since, with another cursor, returns the
 * request with that cursor, whose page replaces this one: it continues the refresh of the earlier pages. If the list now
 * ends with these, drops the page unless it was requested after them.
 */
function insteadOfPage<Request extends object>(
  read: ReadOfPages<Request>,
  write: ListWrite,
  entry: PagedEntry<Request>,
  { base, views }: PageStore,
): PageStep<Request> | undefined {
  const endpoint: PagedEndpoint = read.endpoint
  const { row, page } = write
  const pages = base(row)?.pages ?? []
  const index = pages.length
  const last = pages[index - 1]
  if (last === undefined) return undefined
  const { cursor: after, came } = last
  const [first, ...rest] = read.args
  const cursor: object = JSON.parse((page as PageMark).cursor)
  const ofList = Object.entries(first as object).filter(([name]) => !Object.hasOwn(cursor, name))
  const args = [Object.fromEntries(ofList), ...rest]
  let upcoming = entry.following?.get(after)
  // The last page may have come without a request of this controller: from another tab, for example.
  if (upcoming === undefined || upcoming.start < last.start) {
    const members = new Map([[row, came]])
    const show = (of: Schema, value: unknown): unknown => views.show(of, args, value, members)
    const [params] = withParams(args, JSON.parse(after)) as readonly [LastPage['params']]
    try {
      const data = dataOfPage(row, show, show(entry.schema, entry.row.value))
      upcoming = { ...last, by: undefined, next: askNext(endpoint, { ...data, params, index: index - 1 }) }
    } catch {
      // Whoever fetches the next page gets the error.
      return undefined
    }
  }
  const { next, error } = upcoming
  if (error !== undefined) return undefined
  const { start } = entry.response ?? last
  // A refresh that is under way requests the later pages itself.
  if (index > 1 && last.start < start) return undefined
  if (next === undefined) {
    const ended: Refresh = { start, isFollowed: true, isWhole: false }
    write.refresh = { isFollowed: true, after, finish: (list, context) => afterRefresh(list, ended, context) }
    return undefined
  }
  const isSame = stableKey(withParams(args, next)) === stableKey(read.args)
  const refresh: PlaceInRefresh<Request> = { start, index, after, listArgs: args, further: [] }
  return isSame ? undefined : { next: requestOf({ ...read, refresh }, next), refresh }
}

/** Returns the arguments of a list, with these fields added to the first one. */
function withParams([first, ...rest]: readonly unknown[], fields: object): readonly unknown[] {
  return [{ ...(first as object | undefined), ...fields }, ...rest]
}

/** Returns the requests of the pages after the first one; undefined for an unknown one. */
function pagesAfterFirst<Request extends object>(
  read: ReadOfPages<Request>,
  change: Change,
  { pages: before, isFollowed }: { readonly pages: readonly ListPage[]; readonly isFollowed: boolean },
  { entry: { pages }, store: { base } }: { readonly entry: PagedEntry<Request>; readonly store: PageStore },
): readonly (Request | undefined)[] {
  if (isFollowed) return before.filter((page) => !isFirstPage(page)).map(({ cursor }) => pages?.get(cursor))
  const cursors = new Set<string>()
  for (const { row, page } of change.lists)
    if (isFirstPage(page)) for (const { cursor } of base(row)?.pages ?? []) cursors.add(cursor)
  return [...cursors].flatMap((cursor) => pages?.get(cursor) ?? requestAt(read, cursor) ?? [])
}

/**
 * Returns the request of a page that came without one: from the device, another tab or a server-rendered page. Undefined if
 * its cursor is not that of `getPage`.
 */
function requestAt<Request>(read: ReadOfPages<Request>, cursor: string): Request | undefined {
  const { getPage, paginationField }: PagedEndpoint = read.endpoint
  const params = JSON.parse(cursor) as object
  const isItsOwn = getPage !== undefined && Object.keys(params).join() === paginationField
  return isItsOwn ? requestOf(read, params) : undefined
}

/** Returns the request of the page with these params. */
function requestOf<Request>({ endpoint, args, refresh }: ReadOfPages<Request>, params: object): Request {
  // The request of a page consists of its endpoint and arguments.
  return {
    endpoint: (endpoint as PagedEndpoint).getPage,
    args: withParams(refresh?.listArgs ?? args, params),
  } as Request
}

/** True if a page without `nextPage` is the end of the list, since it only repeats the others, which are as new. */
function repeatsAll({ page, members }: ListWrite, before: readonly ListPage[], start: number): boolean {
  const cursor = page?.cursor ?? '{}'
  const others = before.filter((other) => other.cursor !== cursor)
  return others.every((other) => other.start >= start) && new SeenPages().moveTo(others).repeats(members)
}

/** A refresh of all pages at its last response. */
interface Refresh {
  readonly start: number
  readonly isFollowed: boolean
  /** True if the pages contain all members of the server's list. */
  readonly isWhole: boolean
}

/**
 * Returns the pages and members that stay after a refresh of all pages. Drops pages that were not requested, if cursors have
 * changed, and members of no page whose fields name another list. If the last page is the end of the list, also drops older
 * members that no page contains.
 */
function afterRefresh(
  { members, pages }: JoinedPages,
  { start, isFollowed, isWhole }: Refresh,
  { isExtra, isLater, isForeign }: RefreshedList,
): JoinedPages {
  const left = isFollowed ? pages.filter((page) => page.start >= start) : pages
  const there = new Set(left.flatMap((page) => itemsIn(page).map(refKey)))
  const stays = (item: Member, ref: Member): boolean =>
    there.has(refKey(item)) || (isExtra(refKey(item)) && !isForeign(ref) && (!isWhole || isLater(ref, start)))
  const kept =
    members instanceof Map
      ? new Map([...members].filter(([key, ref]) => stays(key, ref)))
      : // Members other than a map are an array.
        (members as readonly Member[]).filter((ref) => stays(ref, ref))
  return { members: sizeOf(kept) === sizeOf(members) ? members : kept, pages: left }
}

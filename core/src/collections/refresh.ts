import type { Following, PagedEntry, PageStep, PageStore, ReadOfPages } from '../commit/list-engine.js'
import { refKey } from '../lists/members.js'
import { isFirstPage, itemsIn, itemsOf } from '../lists/pages.js'
import type { LastPage } from '../rest/options.js'
import type { Member, RowRecord, Schema } from '../schema/schema.js'
import type { Change, JoinedPages, ListWrite, PageRefresh, RefreshedList } from '../table/change.js'
import type { ListPage, Row, RowSource } from '../table/row.js'
import { isThere } from '../table/value.js'
import { askNext, type Paginated, SeenPages } from './page.js'

/** An endpoint of a list, or of its pages. */
interface PagedEndpoint extends Paginated {
  readonly schema?: Schema
  readonly getPage?: object | undefined
  readonly refreshPages?: 'all' | 'first' | undefined
}

/**
 * Reads the response of a read for the pages of its list, before it is written: the page that follows, and the one that a refresh of all
 * pages requests next. Where `nextPage` finds pages, each is asked for by what the fresh one before says, until as many as before are
 * there, since stored cursors are of another time; all others are asked for as they were.
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
  if (following !== undefined) entry.following.set(following.cursor, following)
  // A later refresh requests all pages itself.
  const isRefresh = isFirst ? endpoint.refreshPages !== 'first' : refresh?.start === entry.refresh
  if (!isRefresh) return undefined
  const isFollowed = following !== undefined && following.error === undefined && endpoint.getPage !== undefined
  const left = isFirst ? pagesAfterFirst(change, pages, isFollowed, entry, store) : (refresh?.further ?? [])
  const [stored, ...further] = left
  const next = isFollowed && left.length > 0 ? followed(read, following) : stored
  const start = refresh?.start ?? read.start
  if (pages.length > 1) {
    const isWhole = next === undefined && isEnd(endpoint, write, { before: pages, start, following })
    const finish: PageRefresh['finish'] = (list, context) => afterRefresh(list, { start, isFollowed, isWhole }, context)
    write.refresh = { start, isFollowed, finish: next === undefined ? finish : undefined }
  }
  if (next === undefined) return undefined
  const index = (refresh?.index ?? 0) + 1
  return { next, refresh: { start, index, listArgs: refresh?.listArgs ?? read.args, further } }
}

/** The answer of the endpoint's `nextPage` for the page as it came; undefined without that function. */
function followingOf<Request>(
  { endpoint, args, start, refresh }: ReadOfPages<Request>,
  change: Change,
  { row, page }: ListWrite,
  { base, views }: PageStore,
): Following | undefined {
  const { nextPage, schema }: PagedEndpoint = endpoint
  if (nextPage === undefined) return undefined
  const cursor = page === undefined || isFirstPage(page) ? '{}' : page.cursor
  const pages = base(row)?.pages ?? []
  const at = pages.findIndex((other) => other.cursor === cursor)
  try {
    const lists = new Map<Row, unknown>(change.lists.map((write) => [write.row, write]))
    const came: RowSource = {
      // Rows are shown as they came, without the changes of mutations.
      valueOf: (of) => (lists.get(of) ?? asItCame(base(of), change.written(of))) as (typeof of)['value'],
    }
    // A Collection is a schema.
    const items = views.show(row.home.list as Schema, args, row.pk, undefined, came)
    const last: LastPage = {
      response: views.show(schema, args, change.result, undefined, came),
      items: Array.isArray(items) ? items : Object.values(items ?? {}),
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

/** The requests of the pages after the first one, as they were made; undefined for one that is not known. */
function pagesAfterFirst<Request>(
  change: Change,
  before: readonly ListPage[],
  isFollowed: boolean,
  { pages }: PagedEntry<Request>,
  { base }: PageStore,
): readonly (Request | undefined)[] {
  if (isFollowed) return before.filter((page) => !isFirstPage(page)).map(({ cursor }) => pages.get(cursor))
  const cursors = new Set<string>()
  for (const { row, page } of change.lists)
    if (isFirstPage(page)) for (const { cursor } of base(row)?.pages ?? []) cursors.add(cursor)
  return [...cursors].flatMap((cursor) => pages.get(cursor) ?? [])
}

/** The request of the next page, as the fresh page before it names it. */
function followed<Request>(
  { endpoint, args, refresh }: ReadOfPages<Request>,
  { next }: Following,
): Request | undefined {
  if (next === undefined) return undefined
  const [first, ...rest] = refresh?.listArgs ?? args
  // A request of a page is its endpoint with arguments.
  return {
    endpoint: (endpoint as PagedEndpoint).getPage,
    args: [{ ...(first as object), ...next }, ...rest],
  } as Request
}

interface Refreshed {
  readonly before: readonly ListPage[]
  readonly start: number
  readonly following: Following | undefined
}

/** True if a refresh has come to the end of the list, so that the pages have all that the server has. */
function isEnd(
  endpoint: PagedEndpoint,
  { page, members }: ListWrite,
  { before, start, following }: Refreshed,
): boolean {
  if (endpoint.nextPage !== undefined) return following?.error === undefined && following?.next === undefined
  const cursor = page?.cursor ?? '{}'
  const others = before.filter((other) => other.cursor !== cursor)
  return others.every((other) => other.start >= start) && new SeenPages().moveTo(others).repeats({ came: members })
}

/** A refresh of all pages that has come to its last response. */
interface Refresh {
  readonly start: number
  readonly isFollowed: boolean
  /** True if the pages have all that the server has. */
  readonly isWhole: boolean
}

/**
 * Returns the pages and members that stay when all pages have come again: pages that were not requested end, if others took their places.
 * If the last page is the end of the list, members end too that no page has and that were there before.
 */
function afterRefresh(
  { members, pages }: JoinedPages,
  { start, isFollowed, isWhole }: Refresh,
  { isExtra, isLater }: RefreshedList,
): JoinedPages {
  const left = isFollowed ? pages.filter((page) => page.start >= start) : pages
  const there = new Set(left.flatMap((page) => itemsIn(page).map(refKey)))
  const stays = (item: Member, ref: Member): boolean =>
    there.has(refKey(item)) || (isExtra(refKey(item)) && (!isWhole || isLater(ref, start)))
  const kept =
    members instanceof Map
      ? new Map([...members].filter(([key, ref]) => stays(key, ref)))
      : // Members that are no map are an array.
        (members as readonly Member[]).filter((ref) => stays(ref, ref))
  const isSameLength = (kept instanceof Map ? kept.size : kept.length) === itemsOf(members).length
  return { members: isSameLength ? members : kept, pages: left }
}

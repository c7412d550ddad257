import type { LatePage, PageCall, PagedEntry } from '../commit/list-engine.js'
import type { JoinResults } from '../commit/write.js'
import { PAGE_FIELDS } from '../rest/accessors.js'
import type { Change } from '../table/change.js'
import type { ListPage, Page } from '../table/row.js'
import { isPlain, put } from '../util/plain.js'
import { FIRST, isEndPage, isFirstPage } from './pages.js'

/** Stores the request of a page. Returns a function that joins its result with the stored one after the page is written. */
export function joinPage<Request extends PageCall>(
  { lists }: Change,
  entry: Pick<PagedEntry<Request>, 'pages'>,
  request: Request,
): JoinResults | undefined {
  for (const { page } of lists) {
    if (page === undefined || isFirstPage(page)) continue
    entry.pages ??= new Map()
    entry.pages.set(page.cursor, request)
  }
  for (const { row, page, refresh } of lists) {
    const { value } = row
    // Drop the requests of pages that the list no longer has.
    if (refresh?.finish) {
      const there = new Set(value?.pages.map(({ cursor }) => cursor))
      for (const cursor of entry.pages?.keys() ?? []) if (!there.has(cursor)) entry.pages?.delete(cursor)
    }
    if (value === undefined || value.pages.length <= 1) continue
    // The endpoint of pages always knows the pagination field, even if that of the list does not.
    const [first] = entry.pages?.values() ?? []
    const fields = request.endpoint.pageFields ?? first?.endpoint.pageFields ?? PAGE_FIELDS
    const isLast = isEndPage(value, page)
    return (before, incoming, isNewer) => joinResults(before, incoming, { isNewer, isLast, fields })
  }
  return undefined
}

/**
 * True for the response of a page other than the first, once it has joined a list with others. With `late`: of any page, if
 * all others are newer, so that no refresh is under way.
 */
export function isFurther({ lists }: Change, late?: LatePage): boolean {
  return lists.some(({ row, page = FIRST }) => {
    const { pages = [] } = row.value ?? {}
    const isAsRead = (its: ListPage): boolean =>
      late === undefined || (its.cursor === page.cursor ? its.start === late.start : its.start >= late.newest)
    return (late !== undefined || !isFirstPage(page)) && pages.length > 1 && pages.every(isAsRead)
  })
}

/** Returns the members of the pages in a response. */
export function pageMembers({ lists }: Change): Page {
  return new Map(lists.flatMap(({ row, page, members }) => (page === undefined ? [] : [[row, members] as const])))
}

/** A response with a page, compared with the existing result. */
interface PageStanding {
  /** True if it is the newer of the two. */
  readonly isNewer: boolean
  /** True if no page follows the one in the response. */
  readonly isLast: boolean
  /** Fields that come from the last page. */
  readonly fields: readonly string[]
}

/**
 * Returns the result of a key whose list has pages: each field of the newest response, except the fields about the next
 * page, which are always those of the last page, even if it lacks them.
 *
 * @example
 * ```ts
 * const standing = { isNewer: true, isLast: false, fields: ['next'] }
 * joinResults({ list: 'x', total: 3 }, { list: 'x', total: 4, next: 'b' }, standing) // { list: 'x', total: 4 }
 * ```
 */
function joinResults(before: unknown, incoming: unknown, standing: PageStanding): unknown {
  const { isNewer, isLast, fields } = standing
  const newest = isNewer ? incoming : before
  const last = isLast ? incoming : before
  if (!isPlainRecord(newest)) return newest
  const joined: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(newest)) {
    if (fields.includes(field)) continue
    put(
      joined,
      field,
      isPlainRecord(value) ? joinResults(fieldOf(before, field), fieldOf(incoming, field), standing) : value,
    )
  }
  for (const [field, value] of Object.entries(isPlainRecord(last) ? last : {}))
    if (fields.includes(field)) put(joined, field, value)
  return joined
}

function fieldOf(value: unknown, field: string): unknown {
  return isPlainRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined
}

function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isPlain(value) && !Array.isArray(value)
}

import { type EndpointInterface, PAGE_FIELDS } from '../endpoint/options.js'
import { isFirstPage, isLastPage } from '../lists/pages.js'
import type { Change } from '../table/change.js'
import { baseOf, type ListValue } from '../table/row.js'
import { isPlain, put } from '../util/plain.js'
import type { Entry, PageRequest } from './entry.js'
import type { Paged } from './step.js'

/** How an answer that carried a page stands to the result that is there. */
export interface PageStanding extends Paged {
  /** True if it is the newer of the two. */
  readonly isNewer: boolean
}

/** Whether an answer, which is written already, carried a page of a list that has several. */
export function pagesOf(change: Change, entry: Entry, endpoint: EndpointInterface): Paged | undefined {
  for (const { row, page } of change.lists) {
    // What stands in a list's row is a list's value.
    const value = baseOf(row) as ListValue | undefined
    if (value?.pages === undefined || value.pages.length < 2) continue
    // The endpoint of pages knows the pagination field, also if the list's was made without.
    const [asked] = entry.pages.values()
    const fields = endpoint.pageFields ?? asked?.endpoint.pageFields ?? PAGE_FIELDS
    return { isLast: isLastPage(value, page), fields: new Set(fields) }
  }
  return undefined
}

/** Notes who asked for a page. */
export function notePages(change: Change, entry: Entry, request: PageRequest): void {
  for (const { page } of change.lists)
    if (page !== undefined && !isFirstPage(page)) entry.pages.set(page.cursor, request)
}

/** The requests that bring the further pages of lists whose first page an answer carried, in their order. */
export function furtherPages(change: Change, entry: Entry): readonly PageRequest[] {
  if (entry.pages.size === 0) return []
  const cursors = new Set<string>()
  for (const { row, page } of change.lists) {
    const value = baseOf(row) as ListValue | undefined
    if (isFirstPage(page)) for (const { cursor } of value?.pages ?? []) cursors.add(cursor)
  }
  return [...cursors].flatMap((cursor) => entry.pages.get(cursor) ?? [])
}

/**
 * The result of a key whose list has pages: each field is the newest answer's, but those that say how the list goes on are the last
 * page's, also if that lacks them.
 *
 * @example
 * ```ts
 * const standing = { isNewer: true, isLast: false, fields: new Set(['next']) }
 * joinPages({ list: 'x', total: 3 }, { list: 'x', total: 4, next: 'b' }, standing) // { list: 'x', total: 4 }
 * ```
 */
export function joinPages(before: unknown, incoming: unknown, standing: PageStanding): unknown {
  const { isNewer, isLast, fields } = standing
  const newest = isNewer ? incoming : before
  const last = isLast ? incoming : before
  if (!isRecord(newest)) return newest
  const joined: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(newest)) {
    if (fields.has(field)) continue
    put(joined, field, isRecord(value) ? joinPages(fieldOf(before, field), fieldOf(incoming, field), standing) : value)
  }
  for (const [field, value] of Object.entries(isRecord(last) ? last : {}))
    if (fields.has(field)) put(joined, field, value)
  return joined
}

function fieldOf(value: unknown, field: string): unknown {
  return isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isPlain(value) && !Array.isArray(value)
}

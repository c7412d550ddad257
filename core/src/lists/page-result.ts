import type { Change } from '../table/change.js'
import type { PageStanding } from '../table/list-engine.js'
import { baseOf } from '../table/row.js'
import { isPlain, put } from '../util/plain.js'
import { isEndPage, isFirstPage } from './pages.js'

/** Whether a response, which is written already, carried the last page of a list with several; undefined if none of such a list. */
export function isLastPage(change: Change): boolean | undefined {
  for (const { row, page } of change.lists) {
    const value = baseOf(row)
    if (value?.pages !== undefined && value.pages.length > 1) return isEndPage(value, page)
  }
  return undefined
}

/** Stores the request of a page. */
export function notePages<Request>(change: Change, pages: Map<string, Request>, request: Request): void {
  for (const { page } of change.lists) if (page !== undefined && !isFirstPage(page)) pages.set(page.cursor, request)
}

/** The requests that bring the further pages of lists whose first page a response carried, in their order. */
export function furtherPages<Request>(change: Change, pages: ReadonlyMap<string, Request>): readonly Request[] {
  if (pages.size === 0) return []
  const cursors = new Set<string>()
  for (const { row, page } of change.lists) {
    const value = baseOf(row)
    if (isFirstPage(page)) for (const { cursor } of value?.pages ?? []) cursors.add(cursor)
  }
  return [...cursors].flatMap((cursor) => pages.get(cursor) ?? [])
}

/**
 * The result of a key whose list has pages: each field is the newest response's, but those that say how the list goes on are the last
 * page's, also if that lacks them.
 *
 * @example
 * ```ts
 * const standing = { isNewer: true, isLast: false, fields: ['next'] }
 * joinResults({ list: 'x', total: 3 }, { list: 'x', total: 4, next: 'b' }, standing) // { list: 'x', total: 4 }
 * ```
 */
export function joinResults(before: unknown, incoming: unknown, standing: PageStanding): unknown {
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

import type { Change } from '../table/change.js'
import { baseOf, type ListValue } from '../table/row.js'
import { isPlain } from '../tools/plain.js'
import { put } from '../tools/put.js'
import { isLastPage } from './pages.js'

/** Fields beside a list that say how it ends: `hasNext`, `nextCursor`, `lastPage`, `more`. */
const ofTheEnd = /next|more|last_?page|is_?last|end_?cursor|^cursor$|^end$/i

/** What an answer says of a list that has several pages. */
export interface Paged {
  /** True if no page comes after the one that it carried. */
  readonly isLast: boolean
}

/** How an answer that carried a page stands to the result that is there. */
export interface PageStanding extends Paged {
  /** True if it is the newer of the two. */
  readonly isNewer: boolean
}

/** Whether an answer, which is written already, carried a page of a list that has several. */
export function pagesOf(change: Change): Paged | undefined {
  for (const { row, page } of change.lists) {
    // What stands in a list's row is a list's value.
    const value = baseOf(row) as ListValue | undefined
    if (value?.pages !== undefined && value.pages.length > 1) return { isLast: isLastPage(value, page) }
  }
  return undefined
}

/**
 * The result of a key whose list has pages: each field is the newest answer's, but those that say how the list ends are the last
 * page's.
 *
 * @example joinPages({ list: 'x', total: 3, hasNext: false }, { list: 'x', total: 4, hasNext: true }, { isNewer: true, isLast: false })
 * // { list: 'x', total: 4, hasNext: false }
 */
export function joinPages(before: unknown, incoming: unknown, standing: PageStanding): unknown {
  if (!isRecord(before) || !isRecord(incoming)) return standing.isNewer ? incoming : before
  const joined: Record<string, unknown> = { ...before }
  for (const [field, value] of Object.entries(incoming)) {
    const known = before[field]
    if (!Object.hasOwn(before, field)) put(joined, field, value)
    else if (isRecord(known) && isRecord(value)) put(joined, field, joinPages(known, value, standing))
    else put(joined, field, (ofTheEnd.test(field) ? standing.isLast : standing.isNewer) ? value : known)
  }
  return joined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isPlain(value) && !Array.isArray(value)
}

import type { ListPage } from '../../table/value.js'
import { OptionError } from '../../util/errors.js'
import { stableKey } from '../../util/stable-key.js'
import type { ListMembers, Member, PageMark, RowRecord } from '../schema.js'

// Cursors with exactly these names count from the start: their numbers are positions.

/** Those that count members, from 0. */
export const OFFSETS: ReadonlySet<string> = new Set(['offset', 'skip', 'start', '_start'])
/** Those that count pages, from 1. */
const NUMBERS: ReadonlySet<string> = new Set(['page', '_page', 'pageNumber'])

function isCounted(name: string): boolean {
  return OFFSETS.has(name) || NUMBERS.has(name)
}

/** What is known of an endpoint with pages. */
interface Paginated {
  readonly name?: string | undefined
  readonly paginationField?: string
  nextPage?(...args: never): unknown
}

/**
 * Returns the page of a list that a call requests, from the arguments that `removeCursor` removed.
 *
 * @example pageOf([{ userId: 1, page: 2 }], [{ userId: 1 }]) // { cursor: '{"page":2}', order: 2 }
 */
export function pageOf(
  args: readonly unknown[],
  rest: readonly unknown[],
  pageOrder?: (...args: readonly unknown[]) => number | undefined,
): PageMark {
  const taken: Record<string, unknown> = {}
  args.forEach((arg, i) => {
    if (!isParams(arg)) {
      if (i >= rest.length) taken[i] = arg
      return
    }
    const left = isParams(rest[i]) ? rest[i] : {}
    for (const name of Object.keys(arg)) {
      if (arg[name] !== undefined && left[name] === undefined) taken[name] = arg[name]
    }
  })
  const [name, ...more] = Object.keys(taken)
  if (pageOrder !== undefined) return { cursor: stableKey(taken), order: pageOrder(...args) }
  const order = name === undefined || more.length > 0 ? undefined : countedOrder(name, taken[name])
  // A number as text, as a router has it, is the same page.
  if (order !== undefined) taken[name as string] = order
  return { cursor: stableKey(taken), order }
}

function countedOrder(name: string, value: unknown): number | undefined {
  if (!isCounted(name)) return undefined
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
}

function isParams(value: unknown): value is RowRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

// --- what follows

/** True if a page came without members, or all of them were taken out of it. */
export function isEmptyPage({ members }: ListPage): boolean {
  for (const _ of members.values()) return false
  return true
}

/**
 * The pages with the later one of two first ones: without its number, as the list has it, and with it.
 *
 * @example onlyOnce({ paginationField: 'page' }, [listItself, pageOne, pageTwo]) // [the later of both, pageTwo]
 */
export function onlyOnce(endpoint: Paginated | undefined, pages: readonly ListPage[]): readonly ListPage[] {
  const { paginationField = '', nextPage } = endpoint ?? {}
  const [list, first] = pages
  // Where numbers begin is known of those that are counted here.
  if (nextPage !== undefined) return pages
  const start = OFFSETS.has(paginationField) ? 0 : 1
  if (list?.cursor !== '{}' || first?.order !== start) return pages
  const { cursor, order } = list
  return [first.start > list.start ? { ...first, cursor, order } : list, ...pages.slice(2)]
}

/**
 * Counts on from the last page: undefined if that is the end, as it is without `present`, the members that the server has.
 *
 * @example countOn({ paginationField: 'page' }, [first, second], { page: 2 }, new Set()) // { page: 3 }
 * @throws OptionError for a field that does not count
 */
export function countOn(
  { paginationField = '', name }: Paginated,
  pages: readonly ListPage[],
  cursor: Readonly<Record<string, unknown>>,
  present: ReadonlySet<unknown> | undefined,
): object | undefined {
  const known = new Set<unknown>()
  let count = 0
  let isNew = false
  for (const { members } of pages) {
    isNew = false
    for (const [key] of keyed(members)) {
      // The server counts without those that were deleted, or have left by `belongs`.
      if (present?.has(key)) count++
      isNew ||= !known.has(key)
      known.add(key)
    }
  }
  if (!isCounted(paginationField)) {
    throw new OptionError(
      'nextPage',
      `of ${name} is missing: '${paginationField}' does not tell which page comes next.${process.env.NODE_ENV === 'production' ? '' : ` Add to the endpoint:\n  nextPage: ({ response }) =>\n    response.next ? { ${paginationField}: response.next } : undefined,`}`,
    )
  }
  // The last page came empty, or has nothing that the ones before do not have.
  const last = pages.at(-1)
  if (present === undefined || (!isNew && last !== undefined && !isEmptyPage(last))) return undefined
  if (OFFSETS.has(paginationField)) return { [paginationField]: count }
  return { [paginationField]: Number(cursor[paginationField] ?? 1) + 1 }
}

/** The members of a list by what tells them apart: those of a map by their names in it. */
export function* keyed(members: ListMembers): Generator<readonly [key: unknown, ref: Member], void> {
  for (const [at, ref] of members.entries()) {
    yield [members instanceof Map ? at : typeof ref === 'object' ? stableKey([ref]) : ref, ref]
  }
}

import type { LastPage } from '../rest/options.js'
import type { ListMembers, Member, PageMark, Schema } from '../schema/schema.js'
import type { ListNode, ListPage } from '../table/row.js'
import { describeType } from '../util/describe.js'
import { CallbackError, OptionError } from '../util/errors.js'
import { isPlain, isRecord } from '../util/plain.js'
import { stableKey } from '../util/stable-key.js'

// The cursors with exactly these names are positions, counted from the start of the list.

/** Pagination fields that count members, from 0. */
export const OFFSETS: ReadonlySet<string> = new Set(['offset', 'skip', 'start', '_start'])
/** Pagination fields that count pages, from 1. */
export const NUMBERS: ReadonlySet<string> = new Set(['page', '_page', 'pageNumber'])

function isCounted(name: string): boolean {
  return OFFSETS.has(name) || NUMBERS.has(name)
}

/** The members of an endpoint with pages that pages need. */
export interface Paginated {
  readonly name?: string | undefined
  readonly paginationField?: string
  nextPage?(last: LastPage): unknown
}

/**
 * Returns the page of a list that a call requests, from the arguments that `removeCursor` removed.
 *
 * @example pageOf([{ userId: 1, page: 2 }], [{ userId: 1 }]) // { cursor: '{"page":2}', order: 1 }
 */
export function pageOf(
  args: readonly unknown[],
  rest: readonly unknown[],
  pageOrder?: (...args: readonly unknown[]) => number | undefined,
): PageMark {
  const taken: Record<string, unknown> = {}
  args.forEach((arg, i) => {
    if (!isRecord(arg)) {
      if (i >= rest.length) taken[i] = arg
      return
    }
    const left = isRecord(rest[i]) ? rest[i] : {}
    for (const name of Object.keys(arg)) {
      if (arg[name] !== undefined && left[name] === undefined) taken[name] = arg[name]
    }
  })
  const [name, ...more] = Object.keys(taken)
  if (pageOrder !== undefined) return { cursor: stableKey(taken), order: pageOrder(...args) }
  if (name === undefined || more.length > 0) return { cursor: stableKey(taken), order: undefined }
  const count = countOf(name, taken[name])
  // A number as text, as in a router's params, is the same page.
  if (count !== undefined) taken[name] = count
  // The first page has the order 0.
  return { cursor: stableKey(taken), order: count === undefined ? count : count - Number(NUMBERS.has(name)) }
}

function countOf(name: string, value: unknown): number | undefined {
  if (!isCounted(name)) return undefined
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
}

// --- what follows

/**
 * Returns the pages without the older of two first pages: one requested without a number, as the list itself, and one with
 * it.
 *
 * @example onlyOnce({ paginationField: 'page' }, [listItself, pageOne, pageTwo]) // [the later of both, pageTwo]
 */
export function onlyOnce(endpoint: Paginated | undefined, pages: readonly ListPage[]): readonly ListPage[] {
  const { paginationField = '', nextPage } = endpoint ?? {}
  const [list, first] = pages
  // The first number is known only for pagination fields that count.
  if (nextPage !== undefined) return pages
  if (list?.cursor !== '{}' || first === undefined || !isCounted(paginationField)) return pages
  const params: Readonly<Record<string, unknown>> = JSON.parse(first.cursor)
  if (Number(params[paginationField]) !== (OFFSETS.has(paginationField) ? 0 : 1)) return pages
  const { cursor, order } = list
  return [first.start >= list.start ? { ...first, cursor, order } : list, ...pages.slice(2)]
}

/**
 * Returns the params of the page after the last one, by its number, or by its offset and length.
 *
 * @param gone - how many members have left since the page was requested, so that the server's positions have moved up
 * @example countOn({ paginationField: 'page' }, secondPage, 0) // { page: 3 }
 */
export function countOn({ paginationField = '' }: Paginated, { cursor, came }: ListPage, gone: number): object {
  const params: Readonly<Record<string, unknown>> = JSON.parse(cursor)
  if (!OFFSETS.has(paginationField)) return { [paginationField]: Number(params[paginationField] ?? 1) + 1 }
  return { [paginationField]: Math.max(0, Number(params[paginationField] ?? 0) + sizeOf(came) - gone) }
}

/**
 * True if the last page is the end of the list, since it is empty or only repeats others. A page that repeats others is not
 * the end if created members have moved them there: the list is as long as what has been read, or longer.
 *
 * @param length - how many members the list has
 * @param next - returns the params of the page after the last one
 */
export function isEnd(
  { paginationField = '' }: Paginated,
  pages: readonly ListPage[],
  length: number,
  next: () => object,
): boolean {
  if (sizeOf((pages.at(-1) as ListPage).came) === 0) return true
  const read = OFFSETS.has(paginationField)
    ? (next() as Readonly<Record<string, number>>)[paginationField]
    : pages.reduce((sum, { members }) => sum + sizeOf(members), 0)
  return (read ?? 0) > length
}

/** Returns how many members there are. */
export function sizeOf(members: ListMembers): number {
  return members instanceof Map ? members.size : (members as readonly Member[]).length
}

/** @throws OptionError for a pagination field that does not count */
export function checkCounted({ paginationField = '', name }: Paginated): void {
  if (isCounted(paginationField)) return
  throw new OptionError(
    'nextPage',
    `of ${name} is missing: '${paginationField}' does not tell which page comes next.${process.env.NODE_ENV === 'production' ? '' : ` Add to the endpoint:\n  nextPage: ({ response }) =>\n    response.next ? { ${paginationField}: response.next } : undefined,\n`}`,
  )
}

/** Returns the data of a page for `nextPage`. `show` returns the value of a schema. */
export function dataOfPage(
  { home, pk }: ListNode,
  show: (schema: Schema, value: unknown) => unknown,
  response: unknown,
): Pick<LastPage, 'response' | 'items'> {
  // Each `ListSchema` is a Collection, which is a schema.
  const items = show(home.list as Schema, pk)
  return { response, items: Array.isArray(items) ? items : Object.values(items ?? {}) }
}

/**
 * Calls the endpoint's `nextPage`.
 *
 * @throws CallbackError if it throws, OptionError if it returns anything but params
 */
export function askNext({ name, nextPage }: Paginated, last: LastPage): object | undefined {
  let next: unknown
  try {
    next = nextPage?.(last)
  } catch (cause) {
    throw new CallbackError('nextPage', name ?? 'an endpoint', { cause })
  }
  if (next === undefined || next === null) return undefined
  if (isPlain(next) && !Array.isArray(next)) return next
  throw new OptionError(
    'nextPage',
    `of ${name} returned ${describeType(next)}: return the params of the next page as an object, or undefined at the end.`,
  )
}

/** The members and cursors of the first pages. It moves on with the list, so one more page costs only its own members. */
export class SeenPages {
  #pages: readonly ListPage[] = []
  readonly #members = new Set<unknown>()
  readonly #cursors = new Set<string>()

  /** Replaces the pages by these. */
  moveTo(pages: readonly ListPage[]): this {
    const isOther = ({ members, cursor }: ListPage, i: number): boolean =>
      members !== pages[i]?.members || cursor !== pages[i].cursor
    if (this.#pages.some(isOther)) {
      this.#pages = []
      this.#members.clear()
      this.#cursors.clear()
    }
    for (const page of pages.slice(this.#pages.length)) {
      for (const key of keysOf(page.members)) this.#members.add(key)
      this.#cursors.add(cursorText(JSON.parse(page.cursor)))
    }
    this.#pages = pages
    return this
  }

  /** True if a page arrived without members that are new to these pages. */
  repeats(members: ListMembers): boolean {
    for (const key of keysOf(members)) if (!this.#members.has(key)) return false
    return true
  }

  /** True if one of the pages was requested with these fields. */
  has(fields: object): boolean {
    return this.#cursors.has(cursorText(fields))
  }
}

/** Returns the text by which cursors are compared: a number equals its text, as in a router's params. */
function cursorText(fields: object): string {
  return JSON.stringify(
    Object.entries(fields)
      .map(([name, value]) => [name, String(value)])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
}

/** Yields the identities of members. */
function* keysOf(members: ListMembers): Generator<unknown, void> {
  for (const [key] of keyed(members)) yield key
}

/** Yields the members of a list with their identities, or the members of a map with their keys in it. */
export function* keyed(members: ListMembers): Generator<readonly [key: unknown, ref: Member], void> {
  for (const [at, ref] of members.entries()) {
    yield [members instanceof Map ? at : typeof ref === 'object' ? stableKey([ref]) : ref, ref]
  }
}

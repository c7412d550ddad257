import { askNext, checkCounted, countOn, keyed, OFFSETS, onlyOnce, SeenPages } from '../collections/page.js'
import type { EndpointInterface } from '../endpoint/options.js'
import type { LastPage } from '../rest/options.js'
import { type ListMembers, pkOfRef, type Schema } from '../schema/schema.js'
import { eachRow } from '../table/refs.js'
import type { ListNode, ListPage, ListValue, Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'
import { OptionError } from '../util/errors.js'
import { toError } from '../util/thrown.js'
import type { LiveObserver } from './live-observer.js'

/** A list endpoint as pages need it; a `RestEndpoint` with `paginationField` is one. */
interface PagedEndpoint extends EndpointInterface {
  readonly paginationField?: string
  readonly getPage?: EndpointInterface<(...args: readonly unknown[]) => Promise<unknown>>
  nextPage?(last: LastPage): unknown
}

/** The facts that follow from the stored pages. */
export interface Standing {
  readonly pages: number
  readonly hasNext: boolean | undefined
  /** Returns the params to request the next page with; called if there is one. */
  next?(): object
  readonly error?: Error | undefined
}

/** The facts of a list without data. */
export const NOT_LOADED: Standing = { pages: 0, hasNext: undefined }

/** Finds out from the stored pages of a list which page comes next. */
export class NextPage {
  readonly list: LiveObserver
  /** The endpoint with which the pages of the list were last requested. */
  endpoint: PagedEndpoint | undefined = undefined
  /** The pages before the last one. */
  readonly #before = new SeenPages()
  /** Start of the last page, and which members of pages the list did not have when that came. */
  #lastStart = 0
  #outBefore: ReadonlySet<unknown> = new Set()
  #standing: Standing = NOT_LOADED
  /** The values that the standing follows from. */
  #from: readonly unknown[] = []

  constructor(list: LiveObserver) {
    this.list = list
  }

  /** The facts that follow from the stored pages, worked out again when these have changed. */
  judge(): Standing {
    const row = this.#row()
    const value = row && this.#base(row)
    if (row === undefined || value === undefined) return NOT_LOADED
    const { endpoint } = this
    const { entry } = this.list.query ?? {}
    const from = [value.pages ?? value.members, endpoint, entry?.response]
    if (from.some((part, i) => part !== this.#from[i])) {
      this.#from = from
      this.#standing = this.#standingOf(row, value)
    }
    return this.#standing
  }

  /** The arguments of the list, with these fields in the first. */
  argsWith(fields: object): readonly unknown[] {
    const [first, ...rest] = this.list.query?.args ?? []
    return [{ ...(first as object | undefined), ...fields }, ...rest]
  }

  /** True if a page came, or the list, whose request was sent after this. */
  hasResponseAfter(at: number): boolean {
    const row = this.#row()
    const { pages = [] } = (row && this.#base(row)) ?? {}
    const { start = 0 } = this.list.query?.entry.response ?? {}
    return [{ start }, ...pages].some((page) => page.start > at)
  }

  #standingOf(row: ListNode, { members, pages }: ListValue): Standing {
    const { endpoint } = this
    const start = this.list.query?.entry.response?.start ?? 0
    const whole = { cursor: '{}', order: undefined, first: 0, start, members, came: members }
    const distinct = onlyOnce(endpoint, pages ?? [whole])
    const standing = { pages: distinct.length }
    try {
      if (endpoint?.getPage === undefined) noPages(endpoint)
      const last = distinct.at(-1) ?? whole
      const before = this.#before.moveTo(distinct.slice(0, -1))
      if (endpoint.nextPage === undefined) {
        checkCounted(endpoint)
        if (last.start !== this.#lastStart) {
          this.#lastStart = last.start
          this.#outBefore = distinct.length === 1 ? new Set() : membersOutside(row, members, distinct)
        }
        // The last page came empty, or with nothing that the ones before do not have.
        if (before.repeats(last)) return { ...standing, hasNext: false }
        return { ...standing, hasNext: true, next: () => countOn(endpoint, last, this.#goneSince(row, last, distinct)) }
      }
      const next = this.#ask(endpoint, row, last, distinct.length - 1)
      // A page that is loaded already is the end.
      const isLoaded = next === undefined || before.has(next) || new SeenPages().moveTo([last]).has(next)
      return isLoaded ? { ...standing, hasNext: false } : { ...standing, hasNext: true, next: () => next }
    } catch (thrown) {
      return { ...standing, hasNext: undefined, error: toError(thrown, endpoint?.name ?? '') }
    }
  }

  /** Asks the user's function for the page after the last one. */
  #ask(endpoint: PagedEndpoint, row: ListNode, last: ListPage, index: number): object | undefined {
    const cached = this.list.query?.entry.following.get(last.cursor)
    // It was asked when the page came, unless the page came without a request.
    if (cached?.start === last.start && cached.by === endpoint.nextPage) {
      if (cached.error !== undefined) throw cached.error
      return cached.next
    }
    const params = this.argsWith(JSON.parse(last.cursor))[0] as LastPage['params'] | undefined
    return askNext(endpoint, { ...this.#dataOf(row, last.came), params: params ?? {}, index })
  }

  /** For counted members: how many of those that the server had when the last page was requested are gone. */
  #goneSince(row: ListNode, last: ListPage, pages: readonly ListPage[]): number {
    const { rowOf, sequence } = this.list.host.runtime.store
    // If nothing was sent or written since, nobody can have left.
    if (sequence.now <= last.start || !OFFSETS.has(this.endpoint?.paginationField ?? '')) return 0
    const out = membersOutside(row, this.#base(row)?.members ?? [], pages)
    const gone = new Set([...out].filter((key) => !this.#outBefore.has(key)))
    for (const { came } of pages) {
      for (const [key, ref] of keyed(came)) {
        const entity = row.home.list?.entityOf(ref)
        const member = entity && rowOf(entity, pkOfRef(ref))
        const isDeleted = member !== undefined && this.#base(member) === TOMBSTONE
        if (isDeleted && !out.has(key) && (member.mutated?.done ?? 0) > last.start) gone.add(key)
      }
    }
    return gone.size
  }

  /** The data of one page: the list's, with other members. */
  #dataOf(row: ListNode, members: ListMembers): Pick<LastPage, 'response' | 'items'> {
    const { query, host, schema } = this.list
    const { views } = host.runtime.store
    const page = new Map([[row, members]])
    // A Collection is a schema.
    const show = (of: Schema, value: unknown): unknown => views.show(of, query?.args ?? [], value, page)
    const items = show(row.home.list as Schema, row.pk)
    return {
      response: show(schema, query?.entry.row.value),
      items: Array.isArray(items) ? items : Object.values(items ?? {}),
    }
  }

  /** The value of a row in server state. */
  #base<R extends Row>(row: R): R['value'] {
    return this.list.host.runtime.store.base(row)
  }

  /** The row of the list, in the key's own result. */
  #row(): ListNode | undefined {
    const { schema, query, host } = this.list
    if (query === undefined) return undefined
    const { rowOf, views } = host.runtime.store
    let found: ListNode | undefined
    const value = query.entry.row.value ?? views.lookupQuietly(schema, query.args)
    eachRow(schema, value, { rowOf }, (row) => {
      found ??= row.list
    })
    return found
  }
}

/** The members of pages that were taken out of their list, or left it by `belongs`. */
function membersOutside(row: ListNode, members: ListMembers, pages: readonly ListPage[]): ReadonlySet<unknown> {
  const out = new Set<unknown>()
  if (row.home.list?.belongs === undefined && pages.every(({ members, came }) => members === came)) return out
  for (const { came } of pages) for (const [key] of keyed(came)) out.add(key)
  for (const [key] of keyed(members)) out.delete(key)
  return out
}

function noPages(endpoint: PagedEndpoint | undefined): never {
  const hint = process.env.NODE_ENV === 'production' ? '' : " Set it to the param that selects a page, such as 'page'."
  throw new OptionError('paginationField', `of ${endpoint?.name} is missing, so it has no pages.${hint}`)
}

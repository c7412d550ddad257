import {
  askNext,
  checkCounted,
  countOn,
  dataOfPage,
  isEnd,
  keyed,
  OFFSETS,
  onlyOnce,
  SeenPages,
  sizeOf,
} from '../collections/page.js'
import type { EndpointInterface } from '../endpoint/options.js'
import type { LastPage } from '../rest/options.js'
import { type ListMembers, type Member, pkOfRef, type Schema } from '../schema/schema.js'
import { changedAt, type ListNode, type ListPage, type ListValue, type Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'
import { OptionError } from '../util/errors.js'
import { toError } from '../util/thrown.js'
import type { LiveObserver } from './live-observer.js'

/** A list endpoint with the members that pages need, such as a `RestEndpoint` with `paginationField`. */
interface PagedEndpoint extends EndpointInterface {
  readonly paginationField?: string
  readonly getPage?: EndpointInterface<(...args: readonly unknown[]) => Promise<unknown>>
  nextPage?(last: LastPage): unknown
}

/** The number of stored pages, and the page that follows them. */
export interface Standing {
  readonly pages: number
  readonly hasNext: boolean | undefined
  /** Returns the params of the next page; defined if there is one. */
  next?(): object
  /** The cursor of the last page, if its position determines the next one. */
  readonly after?: string
  readonly error?: Error | undefined
}

/** The standing of a list without data. */
export const NOT_LOADED: Standing = { pages: 0, hasNext: undefined }

/** Determines the next page of a list from its stored pages. */
export class NextPage {
  readonly list: LiveObserver
  /** The endpoint with which the pages of the list were last requested. */
  endpoint: PagedEndpoint | undefined
  /** The pages before the last one. */
  readonly #before = new SeenPages()
  /** The start of the last page, and the members of pages that were not in the list when that page arrived. */
  #lastStart = 0
  #outBefore: ReadonlySet<unknown> = new Set()
  #standing: Standing = NOT_LOADED
  /** The values from which the standing was computed. */
  #from: readonly unknown[] = []

  constructor(list: LiveObserver) {
    this.list = list
  }

  /** Returns the standing, which is computed again when the stored pages have changed. */
  judge(): Standing {
    const row = this.list.query?.list
    const value = row && this.#base(row)
    if (row === undefined || value === undefined) return NOT_LOADED
    const { endpoint } = this
    const { entry } = this.list.query ?? {}
    const from = [value.pages, endpoint, entry?.response]
    if (from.some((part, i) => part !== this.#from[i])) {
      this.#from = from
      this.#standing = this.#standingOf(row, value)
    }
    return this.#standing
  }

  /** Returns the arguments of the list, with these fields added to the first one. */
  argsWith(fields: object): readonly unknown[] {
    const [first, ...rest] = this.list.query?.args ?? []
    return [{ ...(first as object | undefined), ...fields }, ...rest]
  }

  /** True if the list or a page has a response whose request was sent after this. */
  hasResponseAfter(at: number): boolean {
    const row = this.list.query?.list
    const { pages = [] } = (row && this.#base(row)) ?? {}
    const { start = 0 } = this.list.query?.entry.response ?? {}
    return [{ start }, ...pages].some((page) => page.start > at)
  }

  #standingOf(row: ListNode, { members, pages }: ListValue): Standing {
    const { endpoint } = this
    const distinct = onlyOnce(endpoint, pages)
    const standing = { pages: distinct.length }
    try {
      if (endpoint?.getPage === undefined) noPages(endpoint)
      // Every list has a page.
      const last = distinct.at(-1) as ListPage
      const before = this.#before.moveTo(distinct.slice(0, -1))
      if (endpoint.nextPage === undefined) {
        checkCounted(endpoint)
        if (last.start !== this.#lastStart) {
          this.#lastStart = last.start
          this.#outBefore = this.#outAt(last, row, members, pages)
        }
        const next = (): object => countOn(endpoint, last, this.#goneSince(row, last, pages))
        if (before.repeats(last.came) && isEnd(endpoint, distinct, sizeOf(members), next))
          return { ...standing, hasNext: false }
        return { ...standing, hasNext: true, next, after: last.cursor }
      }
      const next = this.#ask(endpoint, row, last, distinct.length - 1)
      // If the next page is already loaded, the list ends here.
      const isLoaded = next === undefined || before.has(next) || new SeenPages().moveTo([last]).has(next)
      return isLoaded ? { ...standing, hasNext: false } : { ...standing, hasNext: true, next: () => next }
    } catch (thrown) {
      return { ...standing, hasNext: undefined, error: toError(thrown, endpoint?.name ?? '') }
    }
  }

  /** Calls the user's `nextPage` for the last page. */
  #ask(endpoint: PagedEndpoint, row: ListNode, last: ListPage, index: number): object | undefined {
    const cached = this.list.query?.entry.following?.get(last.cursor)
    // `nextPage` was called when the page arrived, unless the page arrived without a request.
    if (cached?.start === last.start && cached.by === endpoint.nextPage) {
      if (cached.error !== undefined) throw cached.error
      return cached.next
    }
    const params = this.argsWith(JSON.parse(last.cursor))[0] as LastPage['params'] | undefined
    return askNext(endpoint, { ...this.#dataOf(row, last.came), params: params ?? {}, index })
  }

  /** For offsets: returns how many members have left the list on the server since the last page was requested. */
  #goneSince(row: ListNode, last: ListPage, pages: readonly ListPage[]): number {
    const { sequence } = this.list.host.runtime.store
    const isOwn = Number.isInteger(last.start)
    // If nothing was sent or written since, no member can have left. A restored page came with changes made since.
    if ((isOwn && sequence.now <= last.start) || !OFFSETS.has(this.endpoint?.paginationField ?? '')) return 0
    const out = membersOutside(row, this.#base(row)?.members ?? [], pages)
    const gone = new Set([...out].filter((key) => !this.#outBefore.has(key)))
    for (const { came } of pages) {
      for (const [key, ref] of keyed(came)) {
        const member = this.#memberRow(row, ref)
        const isDeleted = member !== undefined && this.#base(member) === TOMBSTONE
        if (isDeleted && !out.has(key) && changedAt(member) > last.start) gone.add(key)
      }
    }
    return gone.size
  }

  /** Returns the members of pages that were not in the list when its last page was read. */
  #outAt({ start }: ListPage, row: ListNode, members: ListMembers, pages: readonly ListPage[]): ReadonlySet<unknown> {
    const isOwn = Number.isInteger(start)
    const out = isOwn && pages.length === 1 ? new Set() : membersOutside(row, members, pages)
    // The last page was restored, so some may have left since: a mutation has taken them out of their pages, or changed them.
    for (const { came, members: left } of isOwn ? [] : pages) {
      const stayed = new Set([...keyed(left)].map(([key]) => key))
      for (const [key, ref] of keyed(came))
        if (!stayed.has(key) || changedAt(this.#memberRow(row, ref)) > start) out.delete(key)
    }
    return out
  }

  #memberRow(row: ListNode, ref: Member): Row | undefined {
    const entity = row.home.list?.entityOf(ref)
    return entity && this.list.host.runtime.store.rowOf(entity, pkOfRef(ref))
  }

  /** Returns the data of one page: that of the list, with the page's members. */
  #dataOf(row: ListNode, members: ListMembers): Pick<LastPage, 'response' | 'items'> {
    const { query, host } = this.list
    const { views } = host.runtime.store
    const page = new Map([[row, members]])
    const show = (of: Schema, value: unknown): unknown => views.show(of, query?.args ?? [], value, page)
    return dataOfPage(row, show, show(query?.endpoint.schema, query?.entry.row.value))
  }

  /** Returns the value of a row in server state. */
  #base<R extends Row>(row: R): R['value'] {
    return this.list.host.runtime.store.base(row)
  }
}

/** Returns the members of pages that are no longer in the list: removed, or excluded by `belongs`. */
function membersOutside(row: ListNode, members: ListMembers, pages: readonly ListPage[]): Set<unknown> {
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

import type { ListMembers, Member, PageMark } from '../schema/schema.js'
import type { JoinedPages, PageRefresh, RefreshedList } from '../table/change.js'
import type { ListPage, ListValue } from '../table/row.js'
import { placeAmong } from '../util/ordered.js'
import { edit } from './edits.js'
import { refKey, sameRef } from './members.js'
import { type MemberKey, PageIndex } from './page-index.js'

/** The mark of a read without a cursor: the whole list, or its first page if there are others. */
export const FIRST: PageMark = Object.freeze({ cursor: '{}', order: -Infinity })

/** The facts that a page needs to join a list. */
export interface PageContext {
  readonly start: number
  /** Start of the newest read of the list, since an equal response does not update the `start` of a single page. */
  readonly newest: number
  /** Indexes of lists with pages, by their members; undefined for a layer, which must not change them. */
  readonly indexes: WeakMap<ListMembers, PageIndex> | undefined
  /** The refresh of all pages of the list, if there is one. */
  readonly refresh?: PageRefresh | undefined
  /** The cursor of the last page when this one was requested as the next page, by its position. */
  readonly after?: string | undefined
  readonly isLater: RefreshedList['isLater']
  readonly isForeign: RefreshedList['isForeign']
  /** True for a member that a mutation unknown to the read has put first. */
  isFirst(ref: Member): boolean
}

/** Returns a list's members and pages after a response with a page; undefined if a later response already had the page. */
export function readPage(
  before: ListValue | undefined,
  mark: PageMark | undefined,
  read: ListMembers,
  context: PageContext,
): JoinedPages | undefined {
  const { start, newest, indexes, refresh, after, isFirst, isLater, isForeign } = context
  const { cursor, order } = mark === undefined || isFirstPage(mark) ? FIRST : mark
  const known = knownPages(before, newest)
  const stored = after === undefined ? known : movedUp(known, after, { order, start })
  const same = stored.findIndex((other) => other.cursor === cursor)
  const behind = same < 0 && refresh?.isFollowed ? stored.findIndex((other) => other.cursor === refresh.after) + 1 : 0
  const at = behind > 0 && (stored[behind]?.start ?? Infinity) < start ? behind : same
  const old = stored[at]
  if (old !== undefined && old.start > start) return undefined
  const first = old?.first ?? stored[behind - 1]?.first ?? start
  const fresh: ListPage = { cursor, order, first, start, members: read, came: read }
  if (before === undefined || stored.length === (old === undefined ? 0 : 1)) return { members: read, pages: [fresh] }
  const isBefore = (i: number): boolean => byPlace(stored[i] as ListPage, fresh) <= 0
  const place = old === undefined ? behind || placeAmong(stored.length, isBefore) : at
  const counted = stored === known ? indexes?.get(before.members) : undefined
  const index = counted ?? new PageIndex(itemsOf(before.members), stored.map(itemsIn))
  const next = stored[place + Number(old !== undefined)]
  // The last page was read after mutations had taken members out of the others.
  const pages = next === undefined ? stored.map(settled) : [...stored]
  const previous = pages[place - 1]
  // The server may have had the members of no page before those of the last one.
  if (next === undefined && order !== undefined && previous !== undefined && index.extras.size > 0)
    pages[place - 1] = {
      ...previous,
      came: union(
        previous.came,
        only(before.members, (ref) => index.isExtra(refKey(ref))),
      ),
    }
  // The next position depends on all members that have left since the last page was read, this page's too.
  const last = stored.at(-1)
  const hasLeft = (ref: Member): boolean => !index.has(refKey(ref)) || isLater(ref, last?.start ?? 0)
  const isCounted = next !== undefined && (last?.order ?? 0) > 0
  const page = old !== undefined && isCounted ? { ...fresh, came: union(read, only(old.came, hasLeft)) } : fresh
  pages.splice(place, old === undefined ? 0 : 1, page)
  const members =
    old !== undefined && isUnchanged(old, page, index)
      ? before.members
      : new PageJoin(before, stored, { pages, page, place, old, isLayer: indexes === undefined }, index).join(isFirst)
  indexes?.delete(before.members)
  if (refresh?.finish)
    return refresh.finish({ members, pages }, { isExtra: (key) => index.isExtra(key), isLater, isForeign })
  indexes?.set(members, index)
  return { members, pages }
}

/** True for a read of the whole list, or of its first page. */
export function isFirstPage(mark: PageMark | undefined): boolean {
  return mark === undefined || mark.cursor === FIRST.cursor
}

/** True if this is the last page, so that its response has the fields of the last page. */
export function isEndPage(value: ListValue, mark: PageMark = FIRST): boolean {
  return value.pages.at(-1)?.cursor === mark.cursor
}

function knownPages(before: ListValue | undefined, newest: number): readonly ListPage[] {
  if (before === undefined) return []
  const { pages } = before
  return pages.length > 1 ? pages : pages.map((only) => ({ ...only, start: Math.max(only.start, newest) }))
}

/**
 * Returns the pages before a next page at a position. Members have left since the last page was read, so those of the pages
 * from that position on have moved up: they join the page before it.
 */
function movedUp(
  pages: readonly ListPage[],
  after: string,
  { order: at = Infinity, start }: Pick<ListPage, 'order' | 'start'>,
): readonly ListPage[] {
  const end = pages.findIndex(({ cursor }) => cursor === after) + 1
  const from = pages.findIndex(({ order = -Infinity }) => order >= at)
  const [into, ...moved] = pages.slice(Math.max(0, from - 1), end)
  // A page that was read later is where the server has it.
  if (from < 1 || into === undefined || moved.length === 0 || moved.some((page) => page.start > start)) return pages
  const joined = {
    ...into,
    members: moved.reduce((all, { members }) => union(all, members), into.members),
    came: moved.reduce((all, { came }) => union(all, came), into.came),
  }
  return [...pages.slice(0, from - 1), joined, ...pages.slice(end)]
}

/** Returns the members of both. */
function union(members: ListMembers, more: ListMembers): ListMembers {
  if (members instanceof Map) return new Map([...members, ...(more as typeof members)])
  return [...byKey([...members.values(), ...more.values()]).values()]
}

/** Returns a page without the members that mutations have taken out of it. */
function settled(page: ListPage): ListPage {
  return page.came === page.members ? page : { ...page, came: page.members }
}

/** Returns the members for which a test holds. */
function only(members: ListMembers, test: (ref: Member) => boolean): ListMembers {
  return members instanceof Map ? new Map([...members].filter(([, ref]) => test(ref))) : itemsOf(members).filter(test)
}

/** Compares pages by number if the cursors are numbers, or else by their first requests. */
function byPlace(a: ListPage, b: ListPage): number {
  if (a.order !== undefined && b.order !== undefined) return a.order < b.order ? -1 : Number(a.order > b.order)
  if (a.order === -Infinity || b.order === -Infinity) return a.order === -Infinity ? -1 : 1
  return a.first - b.first
}

/** True if a page arrives unchanged, and the list has its members in page order. */
function isUnchanged(old: ListPage, page: ListPage, index: PageIndex): boolean {
  const items = itemsIn(page)
  if (!index.isInOrder || !isSame(itemsIn(old), items)) return false
  // The items of a map are its keys.
  if (page.members instanceof Map && !isSame([...old.members.values()], [...page.members.values()])) return false
  return items.every((ref) => index.has(refKey(ref)))
}

/** A page that was read, its index among the pages, and the page that it replaces. */
interface Incoming {
  readonly pages: ListPage[]
  readonly page: ListPage
  readonly place: number
  readonly old: ListPage | undefined
  readonly isLayer: boolean
}

/** A range of stored pages, and the part of the list that contains their members. */
interface Window {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

/**
 * Joins one page with a list of several: members are in page order, each at the first position at which a page has it.
 * Members of no page stay behind their neighbours or at the ends. Only the part in which a member can come, go or move is
 * rebuilt.
 */
class PageJoin {
  readonly #before: ListValue
  /** The list's members, or the keys of a map. */
  readonly #there: readonly Member[]
  readonly #stored: readonly ListPage[]
  readonly #incoming: Incoming
  readonly #index: PageIndex
  /** The members of the page, by their keys. */
  readonly #read: ReadonlyMap<MemberKey, Member>
  /** The members of the replaced page, by their keys. */
  readonly #replaced: ReadonlyMap<MemberKey, Member>
  /** Members that are new in the page or not in the list. */
  readonly #arriving: ReadonlySet<MemberKey>
  /** Members that have left the page. */
  readonly #leaving: readonly MemberKey[]

  constructor(before: ListValue, stored: readonly ListPage[], incoming: Incoming, index: PageIndex) {
    this.#before = before
    this.#there = itemsOf(before.members)
    this.#stored = stored
    this.#incoming = incoming
    this.#index = index
    const { page, old } = incoming
    const read = byKey(itemsIn(page))
    const replaced = byKey(old === undefined ? [] : itemsIn(old))
    this.#read = read
    this.#replaced = replaced
    this.#arriving = new Set([...read.keys()].filter((key) => !replaced.has(key) || !index.has(key)))
    this.#leaving = [...replaced.keys()].filter((key) => !read.has(key))
  }

  /** Returns the list's members with the page. Changes the other pages if members moved between them. */
  join(isFirst: PageContext['isFirst']): ListMembers {
    const { page, place, old } = this.#incoming
    const isNewEnd = old === undefined && place === this.#stored.length
    const joined = isNewEnd ? this.#append() : this.#combine(isFirst)
    const { members } = this.#before
    if (!(members instanceof Map)) return joined === this.#there ? members : joined
    // The keys of a map are text, and each of these is in the page or in the list.
    const refOf = (key: string): Member => ((page.members as typeof members).get(key) ?? members.get(key)) as Member
    return new Map((joined as readonly string[]).map((key) => [key, refOf(key)]))
  }

  /** Joins a page behind all others: existing members keep their order, and pushed ones stay at the end. */
  #append(): readonly Member[] {
    const there = this.#there
    const index = this.#index
    let end = there.length
    while (end > 0 && index.isExtra(refKey(there[end - 1] as Member))) end--
    const trailing = byKey(there.slice(end))
    const fresh: Member[] = []
    for (const [key, ref] of this.#read) {
      const stays = index.has(key) && !trailing.has(key)
      if (!stays) fresh.push(ref)
      // The member's position differs from its position in page order.
      if (stays ? index.isExtra(key) : index.count(key) > 0) index.isInOrder = false
      index.add(key)
    }
    const removed = [...trailing.keys()].flatMap((key, i) => (this.#read.has(key) ? [end + i] : []))
    return edit(there, { removed, added: fresh.map((item) => ({ at: end, item })) }, this.#incoming.isLayer)
  }

  /** Joins a page among others. */
  #combine(isFirst: PageContext['isFirst']): readonly Member[] {
    const out = this.#pushOut()
    const whole: Window = { from: 0, to: this.#stored.length, start: 0, end: this.#there.length }
    const window = this.#window(out.length > 0) ?? whole
    // The whole list contains every member, so the result is defined.
    const joined = (this.#joinIn(window, isFirst) ?? this.#joinIn(whole, isFirst)) as readonly Member[]
    const index = this.#index
    for (const key of this.#leaving) index.leave(key)
    for (const key of this.#arriving) {
      if (this.#replaced.has(key)) index.leave(key)
      index.add(key)
    }
    for (const key of out) index.add(key)
    index.isInOrder = true
    return joined
  }

  /**
   * Moves members that have left the page to the start of the next page, where they may be now, until that page's next
   * response decides.
   */
  #pushOut(): readonly MemberKey[] {
    const { pages, place } = this.#incoming
    const next = pages[place + 1]
    if (next === undefined) return []
    const index = this.#index
    // Members without a row have no identity, so they cannot have moved.
    const out = this.#leaving.filter((key) => typeof key === 'string' && index.has(key) && index.count(key) === 1)
    if (out.length === 0) return out
    const there = this.#before.members
    const members =
      there instanceof Map
        ? new Map([...out.map((key) => [key, there.get(key)]), ...next.members] as [string, Member][])
        : [...out.map((key) => this.#replaced.get(key) as Member), ...next.members.values()]
    pages[place + 1] = { ...next, members }
    return out
  }

  /** Returns the part of the list in which a member can come, go or move; undefined for the whole list. */
  #window(pushesOut: boolean): Window | undefined {
    const index = this.#index
    const stored = this.#stored
    if (!index.isInOrder) return undefined
    const { place, old } = this.#incoming
    const after = old === undefined ? place : place + 1
    let from = place
    let to = pushesOut ? after + 1 : after
    const previous = byKey(itemsIn(stored[place - 1]))
    const next = byKey(itemsIn(stored[after]))
    for (const key of [...this.#arriving, ...this.#leaving]) {
      let others = index.count(key) - Number(this.#replaced.has(key))
      if (others > 0 && previous.has(key)) {
        others--
        from = place - 1
      }
      if (others > 0 && next.has(key)) {
        others--
        to = after + 1
      }
      if (others > 0) return undefined
    }
    // A page starts at its first member if no other page has that member.
    while (from > 0 && !this.#isFound(from)) from--
    while (to < stored.length && !this.#isFound(to)) to++
    const end = to === stored.length ? this.#there.length : this.#find(to)
    return { from, to, start: from === 0 ? 0 : this.#find(from), end }
  }

  #isFound(page: number): boolean {
    const [first] = itemsIn(this.#stored[page])
    return first !== undefined && this.#index.count(refKey(first)) === 1 && this.#index.has(refKey(first))
  }

  #find(page: number): number {
    const [first] = itemsIn(this.#stored[page]) as readonly [Member]
    return typeof first === 'string' ? this.#there.indexOf(first) : this.#there.findIndex((ref) => sameRef(ref, first))
  }

  /** Returns the list with a part of it rebuilt; undefined if members of other parts are affected. */
  #joinIn({ from, to, start, end }: Window, isFirst: PageContext['isFirst']): readonly Member[] | undefined {
    const there = this.#there
    const { pages } = this.#incoming
    const part = byKey(there.slice(start, end))
    for (const key of this.#arriving) if (this.#index.isExtra(key) && !part.has(key)) return undefined
    const ordered = this.#inOrder(pages.slice(from, to + pages.length - this.#stored.length), part)
    const { leading, behind, last } = this.#extras(part, ordered)
    const isLast = to === this.#stored.length
    // The extra members' neighbours are in another part, behind which they would move to the end of the list.
    if (isLast && last === undefined && from > 0) return undefined
    // Extra members without neighbours go to the end, except those that a mutation has put first.
    const isAlone = isLast && last === undefined
    const joined = isAlone ? leading.filter(isFirst) : [...leading]
    const trailing = isAlone ? leading.filter((ref) => !isFirst(ref)) : isLast ? behind.get(last as MemberKey) : []
    for (const [key, ref] of ordered) {
      joined.push(ref)
      if (!isLast || key !== last) for (const extra of behind.get(key) ?? []) joined.push(extra)
    }
    for (const extra of trailing ?? []) joined.push(extra)
    if (isSame(joined, [...part.values()])) return there
    return part.size === there.length ? joined : there.slice(0, start).concat(joined, there.slice(end))
  }

  /** Returns the members of pages in page order, without those that a mutation has removed from other pages. */
  #inOrder(pages: readonly ListPage[], part: ReadonlyMap<MemberKey, Member>): ReadonlyMap<MemberKey, Member> {
    const ordered = new Map<MemberKey, Member>()
    for (const page of pages) {
      for (const ref of itemsIn(page)) {
        const key = refKey(ref)
        if (this.#arriving.has(key) || part.has(key)) ordered.set(key, this.#read.get(key) ?? ref)
      }
    }
    return ordered
  }

  /** Returns the members of no page, such as pushed ones, by their position. */
  #extras(part: ReadonlyMap<MemberKey, Member>, ordered: ReadonlyMap<MemberKey, Member>): Extras {
    const leading: Member[] = []
    const behind = new Map<MemberKey, Member[]>()
    let open = leading
    let last: MemberKey | undefined
    for (const [key, ref] of part) {
      if (ordered.has(key)) {
        last = key
        open = []
        behind.set(key, open)
      } else if (this.#index.isExtra(key)) open.push(ref)
    }
    return { leading, behind, last }
  }
}

interface Extras {
  readonly leading: readonly Member[]
  /** The extra members behind each member of a page, by its key. */
  readonly behind: ReadonlyMap<MemberKey, readonly Member[]>
  /** The last member that is in a page. */
  readonly last: MemberKey | undefined
}

/** Returns the members of an array, or the keys of a map. */
export function itemsOf(members: ListMembers): readonly Member[] {
  // Members that are no map are an array.
  return members instanceof Map ? [...members.keys()] : (members as readonly Member[])
}

/** Returns the items of a page; none if there is no page. */
export function itemsIn(page: ListPage | undefined): readonly Member[] {
  return page === undefined ? [] : itemsOf(page.members)
}

function byKey(refs: readonly Member[]): ReadonlyMap<MemberKey, Member> {
  const entries = new Map<MemberKey, Member>()
  for (const ref of refs) entries.set(refKey(ref), ref)
  return entries
}

function isSame(a: readonly Member[], b: readonly Member[]): boolean {
  return a.length === b.length && a.every((ref, i) => sameRef(ref, b[i] as Member))
}

import type { Inline, ListMembers, Member, PageMark } from '../schema/schema.js'
import type { ListPage, ListValue } from '../table/row.js'
import { refKey } from './membership.js'

/** A read without a cursor: the whole list, or its first page once there are others. */
const FIRST: PageMark = Object.freeze({ cursor: '{}', order: -Infinity })

/**
 * What a list's members and pages become by a response that carried the page; undefined if a later one had it already. `newest` is
 * the start of the newest read of the list: of a single page that tells more than the page, which is left as it is by an equal one.
 */
export function readPage(
  before: ListValue | undefined,
  mark: PageMark | undefined,
  read: ListMembers,
  { start, newest }: { readonly start: number; readonly newest: number },
): Pick<ListValue, 'members' | 'pages'> | undefined {
  const noted = pagesOf(before)
  const known = noted.length === 1 ? noted.map((page) => ({ ...page, start: Math.max(page.start, newest) })) : noted
  const { cursor, order } = mark === undefined || isFirstPage(mark) ? FIRST : mark
  const old = known.find((other) => other.cursor === cursor)
  if (old !== undefined && old.start > start) return undefined
  const page: ListPage = { cursor, order, first: old?.first ?? start, start, members: read }
  const others = known.filter((other) => other !== old)
  if (before === undefined || others.length === 0) return { members: read, pages: [page] }
  const pages = [...others, page].sort(byPlace)
  if (old !== undefined) pushOut(before, old, pages, pages.indexOf(page))
  const isNewEnd = old === undefined && pages.at(-1) === page
  return { members: isNewEnd ? appendPage(before, others, page) : combine(before, known, pages, page), pages }
}

/**
 * Members that a page had and does not have any more may have gone to the next one: they are put at its start, until its own response
 * tells.
 */
function pushOut(before: ListValue, old: ListPage, pages: ListPage[], at: number): void {
  const next = pages[at + 1]
  if (next === undefined) return
  const there = membersByKey(before.members)
  const paged = keysIn(pages)
  // Members without a row have no identity: the page has its own.
  const out = [...membersByKey(old.members)].filter(
    ([key]) => typeof key === 'string' && there.has(key) && !paged.has(key),
  )
  if (out.length === 0) return
  const members = shaped(new Map([...out, ...membersByKey(next.members)]), before.members)
  pages[at + 1] = { ...next, members }
}

/** True for a read of the whole list, or of its first page. */
export function isFirstPage(mark: PageMark | undefined): boolean {
  return mark === undefined || mark.cursor === FIRST.cursor
}

/** True if no page comes after this one, so that its response has the fields of the last page. */
export function isEndPage(value: ListValue, mark: PageMark = FIRST): boolean {
  return (value.pages?.at(-1) ?? FIRST).cursor === mark.cursor
}

function pagesOf(before: ListValue | undefined): readonly ListPage[] {
  if (before === undefined) return []
  if (before.pages !== undefined) return before.pages
  return [{ ...FIRST, first: 0, start: 0, members: before.members }]
}

/** By number if the cursors are numbers, else in the order of their first requests. */
function byPlace(a: ListPage, b: ListPage): number {
  if (a.order !== undefined && b.order !== undefined) return a.order < b.order ? -1 : Number(a.order > b.order)
  if (a.order === -Infinity || b.order === -Infinity) return a.order === -Infinity ? -1 : 1
  return a.first - b.first
}

type Entries = Map<string | Inline, Member>

/** Members by their identity: a map's keys, or the references. */
function membersByKey(members: ListMembers): Entries {
  if (members instanceof Map) return members
  const entries: Entries = new Map()
  for (const ref of members.values()) entries.set(refKey(ref), ref)
  return entries
}

function keysIn(pages: readonly ListPage[]): Set<string | Inline> {
  const keys = new Set<string | Inline>()
  for (const { members } of pages) for (const key of membersByKey(members).keys()) keys.add(key)
  return keys
}

/** A page behind all others: the order of what is there stays, and what was pushed stays at the end. */
function appendPage(before: ListValue, others: readonly ListPage[], page: ListPage): ListMembers {
  const there = membersByKey(before.members)
  const incoming = membersByKey(page.members)
  const paged = keysIn(others)
  const keys = [...there.keys()]
  let end = keys.length
  while (end > 0 && !paged.has(keys[end - 1] ?? '')) end--
  const joined: Entries = new Map()
  const joinMember = (key: string | Inline): void =>
    void joined.set(key, incoming.get(key) ?? (there.get(key) as Member))
  for (const key of keys.slice(0, end)) joinMember(key)
  for (const key of incoming.keys()) joinMember(key)
  for (const key of keys.slice(end)) joinMember(key)
  return shaped(joined, before.members)
}

/** A page among others: pages in their order; what no page brought stays behind whom it stood, the ends at the ends. */
function combine(
  before: ListValue,
  known: readonly ListPage[],
  pages: readonly ListPage[],
  page: ListPage,
): ListMembers {
  const there = membersByKey(before.members)
  const incoming = membersByKey(page.members)
  const ordered: Entries = new Map()
  for (const { members } of pages) {
    for (const [key, ref] of membersByKey(members)) {
      // What a mutation took out of another page stays out.
      if (incoming.has(key) || there.has(key)) ordered.set(key, incoming.get(key) ?? there.get(key) ?? ref)
    }
  }
  const { leading, behind, trailing } = splitExtras(there, keysIn(known), ordered)
  const joined: Entries = new Map(leading)
  for (const [key, ref] of ordered) {
    joined.set(key, ref)
    for (const [extra, of] of behind.get(key) ?? []) joined.set(extra, of)
  }
  for (const [key, ref] of trailing) joined.set(key, ref)
  return shaped(joined, before.members)
}

interface Extras {
  readonly leading: readonly (readonly [string | Inline, Member])[]
  /** By the key of the member that they stood behind. */
  readonly behind: ReadonlyMap<string | Inline, readonly (readonly [string | Inline, Member])[]>
  readonly trailing: readonly (readonly [string | Inline, Member])[]
}

/** Members that no page brought, such as pushed ones, and where they stood. */
function splitExtras(there: Entries, paged: ReadonlySet<string | Inline>, ordered: Entries): Extras {
  const leading: [string | Inline, Member][] = []
  const behind = new Map<string | Inline, [string | Inline, Member][]>()
  let open: [string | Inline, Member][] = leading
  let last: string | Inline | undefined
  for (const [key, ref] of there) {
    if (ordered.has(key)) {
      last = key
      open = []
      behind.set(key, open)
    } else if (!paged.has(key)) open.push([key, ref])
  }
  const trailing = last === undefined ? [] : (behind.get(last) ?? [])
  if (last !== undefined) behind.delete(last)
  return { leading, behind, trailing }
}

function shaped(entries: Entries, like: ListMembers): ListMembers {
  // The keys of a map's members are text.
  return like instanceof Map ? (entries as Map<string, Member>) : [...entries.values()]
}

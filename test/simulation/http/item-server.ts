/** An item as the server holds it. */
export interface StoredItem {
  readonly id: number
  readonly title: string
  readonly note: string
  readonly group: string
  readonly version: number
}

export type Field = 'title' | 'note'

/** What lists are sorted by. */
export interface Titled {
  readonly title?: string
}

/** A request on its way. */
export interface HttpRequest {
  /** The client's own number for it: all its attempts have the same. */
  readonly id: number
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, string>>
  /** What the server answered, once it has got to it. */
  answer: Response | undefined
  isOver: boolean
  resolve(response: Response): void
  reject(error: unknown): void
}

/** What became of a change: who made it, and when. */
export interface Write {
  readonly id: number
  readonly version: number
  readonly field: Field | '@'
  readonly value: string
  readonly by: 'client' | 'others'
}

/** So many items are on a page. */
export const PAGE = 2

/** A server of items over HTTP: validators, conditional requests, pages, several by their ids. */
export class ItemServer {
  readonly items = new Map<number, StoredItem>()
  readonly writes: Write[] = []
  /** The order of its lists; that of creation if there is none. */
  readonly #compare: ((x: Titled, y: Titled) => number) | undefined
  readonly #hasCursors: boolean
  #lastId = 0
  #version = 0

  constructor(compare: ((x: Titled, y: Titled) => number) | undefined, hasCursors: boolean) {
    this.#compare = compare
    this.#hasCursors = hasCursors
  }

  get version(): number {
    return this.#version
  }

  /** Gets to a request, once. */
  apply(request: HttpRequest): Response {
    request.answer ??= this.#answer(request)
    return request.answer
  }

  /** The ids of a group, in order. */
  ids(group: string): readonly number[] {
    return this.#list(group).map(({ id }) => id)
  }

  /** The params of a list's first pages, as a client goes from one to the next: at most so many. */
  pages(group: string, most: number): readonly (string | undefined)[] {
    const pages: (string | undefined)[] = [undefined]
    while (pages.length < most) {
      const { next } = this.#pageAfter(group, pages.at(-1) ?? null)
      if (next === undefined) break
      pages.push(next)
    }
    return pages
  }

  /** A page of a list that is read by cursors: a cursor is what the last item of the page before is sorted by. */
  #pageAfter(
    group: string | null,
    cursor: string | null,
  ): { readonly items: readonly object[]; readonly next?: string } {
    const [id = 0, ...title] = cursor?.split(' ') ?? []
    const last = { id: Number(id), title: title.join(' ') }
    const isAfter = (item: StoredItem): boolean => {
      const order = this.#compare?.(item, last) ?? 0
      return order > 0 || (order === 0 && item.id > last.id)
    }
    const rest = this.#list(group).filter((item) => cursor === null || isAfter(item))
    const items = rest.slice(0, PAGE)
    const end = items.at(-1)
    const next = rest.length > PAGE && end !== undefined ? `${end.id} ${end.title}` : undefined
    return { items: items.map(summaryOf), ...(next === undefined ? undefined : { next }) }
  }

  #list(group: string | null): readonly StoredItem[] {
    const items = [...this.items.values()].filter((item) => item.group === group)
    return this.#compare === undefined ? items : items.toSorted(this.#compare)
  }

  create(group: string, title: string, by: Write['by']): StoredItem {
    const item = { id: ++this.#lastId, title, note: '', group, version: ++this.#version }
    this.items.set(item.id, item)
    this.writes.push({ id: item.id, version: item.version, field: '@', value: title, by })
    return item
  }

  change(id: number, fields: { readonly [Name in Field]?: string }, by: Write['by']): void {
    const item = this.items.get(id)
    if (item === undefined) return
    const version = ++this.#version
    this.items.set(id, { ...item, ...fields, version })
    for (const [field, value] of Object.entries(fields)) {
      this.writes.push({ id, version, field: field as Field, value, by })
    }
  }

  remove(id: number, by: Write['by']): void {
    if (!this.items.delete(id)) return
    this.writes.push({ id, version: ++this.#version, field: '@', value: '', by })
  }

  #answer({ method, url, headers, body }: HttpRequest): Response {
    const { pathname, searchParams } = new URL(url, 'http://server.test')
    const id = Number(pathname.split('/')[2] ?? 0)
    if (method === 'POST') return tagged(this.create(String(body.group), String(body.title), 'client'), 201)
    if (method === 'GET' && id === 0) {
      const ids = searchParams.get('id')?.split(',').map(Number)
      if (ids === undefined && this.#hasCursors)
        return conditional(headers, this.#pageAfter(searchParams.get('group'), searchParams.get('page')))
      const page = Number(searchParams.get('page') ?? 1)
      const shown = ids
        ? [...this.items.values()].filter((item) => ids.includes(item.id))
        : this.#list(searchParams.get('group'))
            .slice((page - 1) * PAGE, page * PAGE)
            .map(summaryOf)
      return conditional(headers, shown)
    }
    const item = this.items.get(id)
    if (item === undefined) return new Response('gone', { status: 404 })
    if (method === 'GET') return conditional(headers, item)
    const expected = headers.get('if-match')
    if (expected !== null && expected !== tagOf(item)) return new Response('changed', { status: 412 })
    if (method === 'DELETE') {
      this.remove(id, 'client')
      return new Response(null, { status: 204 })
    }
    this.change(id, body, 'client')
    return tagged(this.items.get(id) as StoredItem, 200)
  }
}

/** The version in a validator; undefined for a request without one. */
export function versionIn(headers: Headers): number | undefined {
  const tag = headers.get('if-match')
  return tag === null ? undefined : Number(tag.slice(2, -1))
}

function tagOf({ version }: StoredItem): string {
  return `"v${version}"`
}

function tagged(item: StoredItem, status: number): Response {
  return Response.json(item, { status, headers: { ETag: tagOf(item) } })
}

/** What lists show of an item. */
function summaryOf({ note: _, ...summary }: StoredItem): object {
  return summary
}

function conditional(headers: Headers, shown: object): Response {
  const etag = 'version' in shown ? tagOf(shown as StoredItem) : `"${encodeURIComponent(JSON.stringify(shown))}"`
  if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: { ETag: etag } })
  return Response.json(shown, { headers: { ETag: etag } })
}

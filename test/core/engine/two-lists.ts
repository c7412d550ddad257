import { Collection, type Entity, RestEndpoint } from '@roundtable/core'

interface Options<Row> {
  readonly Item: typeof Entity & (new () => Row)
  readonly rows: readonly Row[]
  readonly dataExpiryLength: number
  /** Answers a request with what a list reads from its params. */
  respond(url: unknown, init: RequestInit, read: (params: URLSearchParams) => unknown): Promise<Response>
}

/** The same rows as two lists with pages of two: one requested by number, and one in an object, by a cursor. */
export function twoLists<Row extends { id: string }>({ Item, rows, dataExpiryLength, respond }: Options<Row>) {
  const base = { searchParams: {} as { group?: string } | undefined, dataExpiryLength }
  const getItems = new RestEndpoint({
    ...base,
    path: '/items',
    name: 'getItems',
    schema: new Collection([Item]),
    paginationField: 'page',
    fetchResponse: (url, init) =>
      respond(url, init, (params) => rows.slice((Number(params.get('page') ?? 1) - 1) * 2).slice(0, 2)),
  })
  const getFeed = new RestEndpoint({
    ...base,
    path: '/feed',
    name: 'getFeed',
    schema: { items: new Collection([Item]), next: '' },
    paginationField: 'cursor',
    nextPage: ({ response }) => (response.next ? { cursor: response.next } : undefined),
    fetchResponse: (url, init) =>
      respond(url, init, (params) => {
        const from = Math.max(
          0,
          rows.findIndex(({ id }) => id === params.get('cursor')),
        )
        return { items: rows.slice(from, from + 2), next: rows[from + 2]?.id ?? '' }
      }),
  })
  return { getItems, getFeed: getFeed as unknown as typeof getItems }
}

/** Both, with the params of the second and the third page. */
export const listKinds = [
  ['numbers', 'getItems', { page: 2 }, { page: 3 }],
  ['cursors', 'getFeed', { cursor: 'c' } as never, { cursor: 'e' } as never],
] as const

/** Returns the items of either list's data. */
export function itemsOf<Row>(data: unknown): readonly Row[] {
  return (Array.isArray(data) ? data : ((data as { items?: Row[] } | undefined)?.items ?? [])) as readonly Row[]
}

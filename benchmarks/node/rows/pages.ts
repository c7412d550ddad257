import { Collection, Controller, RestEndpoint } from '@roundtable/core'
import { type InfiniteData, QueryClient, QueryObserver } from '@tanstack/query-core'
import { type FlatRow, flatRows } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { env, OURS, Row } from '../peers/ours.js'

/** Rows in each page. */
const LENGTH = 100

/** A list whose only page comes again: what an identical page of a longer list is measured by. */
export const ALONE = `${OURS}, the only page`

const getRows = new RestEndpoint({
  path: '/rows',
  searchParams: {} as { page?: number } | undefined,
  schema: new Collection([Row]),
  paginationField: 'page',
  dataExpiryLength: Infinity,
})

/** So many pages of a mounted list that arrive one after the other; the list is read after each. */
export function pagesArrive(count: number): Contender[] {
  return [
    { name: OURS, prepare: () => arrivals(count).run },
    {
      name: 'TanStack Query',
      prepare: () => {
        const pages = pagesOf(count)
        const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } })
        const queryKey = ['rows']
        new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => {})
        return () => {
          for (const [index, page] of pages.entries()) {
            client.setQueryData(queryKey, (data: InfiniteData<FlatRow[]> = { pages: [], pageParams: [] }) => ({
              pages: [...data.pages, page],
              pageParams: [...data.pageParams, index + 1],
            }))
            // Components show one list of all pages.
            client.getQueryData<InfiniteData<FlatRow[]>>(queryKey)?.pages.flat()
          }
        }
      },
    },
  ]
}

/** A page in the middle of so many comes again, with the same rows. */
export function pageAgain(count: number): Contender[] {
  return [again(OURS, count), again(ALONE, 1)]
}

function again(name: string, count: number): Contender {
  const { write, read, run } = arrivals(count)
  run()
  const page = Math.ceil(count / 2)
  const rows = pagesOf(count)[page - 1] as FlatRow[]
  return {
    name,
    prepare: () => {
      const received = structuredClone(rows)
      return () => {
        write(page, received)
        read()
      }
    },
  }
}

function arrivals(count: number) {
  const controller = new Controller({ env })
  const pages = pagesOf(count)
  const list = controller.watch(getRows)
  list.subscribe(() => {})
  const write = (page: number, rows: readonly FlatRow[]): void => {
    if (page === 1) controller.setResponse(getRows, rows)
    else controller.setResponse(getRows.getPage, { page }, rows)
  }
  const read = (): unknown => list.getSnapshot().data
  const run = (): void => {
    for (const [index, rows] of pages.entries()) {
      write(index + 1, rows)
      read()
    }
  }
  return { write, read, run }
}

function pagesOf(count: number): FlatRow[][] {
  const rows = flatRows(count * LENGTH)
  return Array.from({ length: count }, (_, i) => rows.slice(i * LENGTH, (i + 1) * LENGTH))
}

import { Controller } from '@roundtable/core'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { flatRows } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { endpoints, env, OURS, Row } from '../peers/ours.js'

/** Our contender that changes one row and marks everything, again and again. */
const AGAIN = `${OURS}, after a change of the mounted row`

/** Marks everything, by key or by entity, with a response stored for each of so many keys; one is mounted. */
export function markEverything(mark: 'invalidateAll' | 'expireAll' | 'expireBy', keys: number): Contender[] {
  const controller = new Controller({ env })
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } })
  const { one } = endpoints.flat
  const rows = flatRows(keys)
  const mounted = rows[0] as { readonly id: string }
  const every = { testKey: (key: string) => key.length > 0 }
  const stored = controller.watch(one, { id: mounted.id })
  stored.subscribe(() => {})
  new QueryObserver(client, { queryKey: ['row', mounted.id], enabled: false }).subscribe(() => {})
  const markAll = (): void => (mark === 'expireBy' ? controller.expireBy(Row) : controller[mark](every))
  for (const row of rows) controller.setResponse(one, { id: row.id }, row)
  let rank = 0
  // What is marked already costs less to mark again: everything is stored anew before each run.
  return [
    {
      name: OURS,
      most: 1,
      // Most of a run's time goes into loading again what the preparation has displaced from the processor's caches.
      isCold: true,
      prepare: () => {
        for (const row of rows) controller.setResponse(one, { id: row.id }, row)
        return markAll
      },
    },
    {
      name: AGAIN,
      times: 100,
      prepare: () => () => {
        controller.setResponse(one, mounted, { ...mounted, rank: rank++ })
        markAll()
      },
    },
    {
      name: 'TanStack Query',
      most: 1,
      prepare: () => {
        for (const row of rows) client.setQueryData(['row', row.id], row)
        return () => client.invalidateQueries({ refetchType: 'none' })
      },
    },
  ]
}

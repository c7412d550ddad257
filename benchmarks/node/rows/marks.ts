import { Controller } from '@roundtable/core'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { flatRows } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { endpoints, env, OURS, Row } from '../peers/ours.js'

/** Marks everything, by key or by entity, with a response stored for each of so many keys; one is mounted. */
export function markEverything(mark: 'invalidateAll' | 'expireAll' | 'expireBy', keys: number): Contender[] {
  const controller = new Controller({ env })
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } })
  const { one } = endpoints.flat
  const rows = flatRows(keys)
  const every = { testKey: (key: string) => key.length > 0 }
  const stored = controller.watch(one, { id: '1' })
  stored.subscribe(() => {})
  new QueryObserver(client, { queryKey: ['row', '1'], enabled: false }).subscribe(() => {})
  // What is marked already costs less to mark again: everything is stored anew before each run.
  return [
    {
      name: OURS,
      most: 1,
      prepare: () => {
        for (const row of rows) controller.setResponse(one, { id: row.id }, row)
        return () => (mark === 'expireBy' ? controller.expireBy(Row) : controller[mark](every))
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

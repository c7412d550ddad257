import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Actions, App } from '../page/app.js'
import { byRank } from '../page/issues.js'
import { type Client, config, invalidating, queries } from '../tanstack.js'
import { reactApp } from './app.js'

/** TanStack Query in React, with one way or the other to show what changed. */
export function queryApp(actionsOf: (client: Client) => Actions): App {
  return reactApp(
    {
      useIssues: () => useQuery(queries.list).data,
      useSortedIssues() {
        const { data } = useQuery(queries.list)
        // Sorted by `select`, it would be compared by position, and each row that moved would be another object.
        return useMemo(() => data && byRank(data), [data])
      },
      useIssuesOf: (state) => useQuery(queries.listOf(state)).data,
      useIssue: (id) => useQuery(queries.detail(useQueryClient(), id)).data,
      usePinned: () => useQuery(queries.pinned).data,
      useActions() {
        const client = useQueryClient()
        return useMemo(() => actionsOf(client), [client, actionsOf])
      },
    },
    () => {
      const client = new QueryClient(config)
      return {
        Provider: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
        end: () => client.clear(),
      }
    },
  )
}

/** TanStack Query in React, which asks again for what may have changed. */
export const app: App = queryApp(invalidating)

import { useMemo } from 'react'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'
import type { App } from '../page/app.js'
import { byRank, type IssueData } from '../page/issues.js'
import { get, thenRefetch } from '../requests.js'
import { reactApp } from './app.js'

const all = '/api/issues'

/** SWR in React, which asks again for what may have changed. */
export const app: App = reactApp(
  {
    useIssues: () => useSWR<IssueData[]>(all).data,
    useSortedIssues() {
      const { data } = useSWR<IssueData[]>(all)
      return useMemo(() => data && byRank(data), [data])
    },
    useIssuesOf: (state) => useSWR<IssueData[]>(`${all}?state=${state}`).data,
    // What the list knows of it is shown while it is asked for.
    useIssue(id) {
      const { cache } = useSWRConfig()
      const known: readonly IssueData[] | undefined = cache.get(all)?.data
      const fallbackData = known?.find((issue) => issue.id === id)
      return useSWR<IssueData>(`${all}/${id}`, fallbackData && { fallbackData }).data
    },
    usePinned: () => useSWR<IssueData[]>('/api/pinned').data,
    useActions() {
      const { mutate } = useSWRConfig()
      return useMemo(() => thenRefetch(() => mutate(() => true)), [mutate])
    },
  },
  () => {
    // For one minute what came is not asked for again: as Roundtable has it by itself.
    const value = { provider: () => new Map(), fetcher: get, dedupingInterval: 60_000 }
    return {
      Provider: ({ children }) => <SWRConfig value={value}>{children}</SWRConfig>,
      end() {},
    }
  },
)

import { PiniaColada, useQuery, useQueryCache } from '@pinia/colada'
import { createPinia } from 'pinia'
import type { App } from '../page/app.js'
import type { IssueData } from '../page/issues.js'
import { get, thenRefetch } from '../requests.js'
import { vueApp } from './app.js'

const list = { key: ['issues', 'list'], query: () => get<IssueData[]>('/api/issues') }

/** Pinia Colada, which asks again for what may have changed: its documentation's first advice. */
export const app: App = vueApp(
  {
    useIssues: () => useQuery(list).data,
    useIssue(id) {
      const cache = useQueryCache()
      return useQuery({
        key: ['issues', 'detail', id],
        query: () => get<IssueData>(`/api/issues/${id}`),
        // What the list knows of it is shown while it is asked for.
        placeholderData: () => cache.getQueryData<IssueData[]>(list.key)?.find((issue) => issue.id === id),
      }).data
    },
    usePinned: () => useQuery({ key: ['issues', 'pinned'], query: () => get<IssueData[]>('/api/pinned') }).data,
  },
  () => {
    const pinia = createPinia()
    return {
      actions: thenRefetch(() => useQueryCache(pinia).invalidateQueries({ key: ['issues'] })),
      install: (app) => void app.use(pinia).use(PiniaColada, { queryOptions: { staleTime: 60_000 } }),
      end: () => {
        const cache = useQueryCache(pinia)
        for (const entry of cache.getEntries()) cache.remove(entry)
      },
    }
  },
)

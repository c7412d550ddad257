import { QueryClient, useQuery, useQueryClient, VueQueryPlugin } from '@tanstack/vue-query'
import type { Actions, App } from '../page/app.js'
import { type Client, config, invalidating, queries } from '../tanstack.js'
import { vueApp } from './app.js'

/** TanStack Query in Vue, with one way or the other to show what changed. */
export function queryApp(actionsOf: (client: Client) => Actions): App {
  return vueApp(
    {
      useIssues: () => useQuery(queries.list).data,
      useIssue: (id) => useQuery(queries.detail(useQueryClient(), id)).data,
      usePinned: () => useQuery(queries.pinned).data,
    },
    () => {
      const queryClient = new QueryClient(config)
      return {
        actions: actionsOf(queryClient),
        install: (app) => app.use(VueQueryPlugin, { queryClient }),
        end: () => queryClient.clear(),
      }
    },
  )
}

/** TanStack Query in Vue, which asks again for what may have changed. */
export const app: App = queryApp(invalidating)

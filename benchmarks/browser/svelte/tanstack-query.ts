import { createQuery, QueryClient, setQueryClientContext, useQueryClient } from '@tanstack/svelte-query'
import type { Actions, App } from '../page/app.js'
import { type Client, config, invalidating, queries } from '../tanstack.js'
import { svelteApp } from './app.js'

/** TanStack Query in Svelte, with one way or the other to show what changed. */
export function queryApp(actionsOf: (client: Client) => Actions): App {
  return svelteApp(
    {
      useIssues: () => createQuery(() => queries.list),
      useIssue(id) {
        const client = useQueryClient()
        return createQuery(() => queries.detail(client, id))
      },
      usePinned: () => createQuery(() => queries.pinned),
    },
    () => {
      const client = new QueryClient(config)
      return {
        actions: actionsOf(client),
        provide: () => setQueryClientContext(client),
        end: () => client.clear(),
      }
    },
  )
}

/** TanStack Query in Svelte, which asks again for what may have changed. */
export const app: App = queryApp(invalidating)

'use client'
// In server components the condition `react-server` of package.json takes next-react-server.ts in the place of this file. Compilers
// know no such condition: both files have the same names and types.
import type { createServerData as Real } from './next/server-data.js'

export { DataProvider, type DataProviderProps } from './next/data-provider.js'
export type { Prefetch, PrefetchedProps, ServerData, ServerDataOptions } from './next/server-data.js'

/**
 * Returns the functions by which server components load data: one controller for each request, `prefetch`, and `Prefetched`.
 *
 * @throws Error outside of server components
 * @example
 * ```tsx
 * export const { prefetch, Prefetched } = createServerData()
 * ```
 */
export const createServerData: typeof Real = () => {
  throw new Error('createServerData is for server components. In client components use the hooks of @roundtable/react.')
}

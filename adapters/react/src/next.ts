'use client'
// In server components, the condition `react-server` of package.json selects next-react-server.ts instead of this file.
// Compilers ignore the condition, so both files export the same names and types.
import type { createServerData as Real } from './next/server-data.js'

export { DataProvider, type DataProviderProps } from './next/data-provider.js'
export type { Prefetch, PrefetchedProps, ServerData, ServerDataOptions } from './next/server-data.js'

/**
 * Returns the functions with which server components load data: `getController`, which has one controller for each request,
 * `prefetch`, and `Prefetched`.
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

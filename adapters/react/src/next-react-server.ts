// What server components find as @roundtable/react/next.
export { DataProvider, type DataProviderProps } from './next/data-provider.js'
export {
  createServerData,
  type Prefetch,
  type PrefetchedProps,
  type ServerData,
  type ServerDataOptions,
} from './next/server-data.js'

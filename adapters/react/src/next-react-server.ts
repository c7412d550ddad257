// The exports of @roundtable/react/next for server components.
export { DataProvider, type DataProviderProps } from './next/data-provider.js'
export {
  createServerData,
  type Prefetch,
  type PrefetchedProps,
  type ServerData,
  type ServerDataOptions,
} from './next/server-data.js'

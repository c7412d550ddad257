'use client'
export { AsyncBoundary, type AsyncBoundaryProps } from './async-boundary.js'
export { DataProvider, type DataProviderProps } from './data-provider.js'
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type ErrorBoundaryProps,
  type ErrorFallbackProps,
} from './error-boundary.js'
export type { ArgsOrNull, Read, ReadsData } from './reads.js'
export { useCache } from './use-cache.js'
export { useController } from './use-controller.js'
export { type DLE, useDLE } from './use-dle.js'
export { useFetch } from './use-fetch.js'
export { useLive } from './use-live.js'
export { useQuery } from './use-query.js'
export { useSubscription } from './use-subscription.js'
export { useSuspense } from './use-suspense.js'

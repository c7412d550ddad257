'use client'
// The sources import React as a namespace, since named imports that the React of server components lacks would fail there.
export { AsyncBoundary, type AsyncBoundaryProps } from './async-boundary.js'
export { DataProvider, type DataProviderProps } from './data-provider.js'
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type ErrorBoundaryProps,
  type ErrorFallbackProps,
  type ResetProps,
} from './error-boundary.js'
export type { Following, FoundData, OrNull, Read, ReadsData, Spread, SpreadData, Waiting } from './reads.js'
export { useCache } from './use-cache.js'
export { type Extensible, useCancelling } from './use-cancelling.js'
export { useController } from './use-controller.js'
export { useDebounce } from './use-debounce.js'
export { type DLE, useDLE } from './use-dle.js'
export { useError } from './use-error.js'
export { useFetch } from './use-fetch.js'
export { useFetching } from './use-fetching.js'
export { useLive } from './use-live.js'
export { useLoading } from './use-loading.js'
export { useMutating } from './use-mutating.js'
export { type Pages, usePages } from './use-pages.js'
export { useQuery } from './use-query.js'
export { useSubscription } from './use-subscription.js'
export { useSuspense } from './use-suspense.js'

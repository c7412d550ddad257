export { AsyncBoundary, type AsyncBoundaryProps } from './async-boundary.js'
export { setController } from './data-provider.js'
export {
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type ErrorBoundaryProps,
  type ErrorSnippetProps,
  type ResetProps,
} from './error-boundary.js'
export type {
  Current,
  Following,
  FoundData,
  Loaded,
  Reactive,
  ReactiveOrNull,
  Read,
  ReadsData,
  Spread,
  SpreadData,
  Waiting,
} from './reads.js'
export { useCache } from './use-cache.js'
export { type Extensible, useCancelling } from './use-cancelling.js'
export { useController } from './use-controller.js'
export { useDebounce } from './use-debounce.svelte.js'
export { type DLE, useDLE } from './use-dle.svelte.js'
export { useError } from './use-error.js'
export { useFetch } from './use-fetch.js'
export { useFetching } from './use-fetching.js'
export { useLive } from './use-live.js'
export { useLoading } from './use-loading.svelte.js'
export { useMutating } from './use-mutating.js'
export { type Pages, usePages } from './use-pages.js'
export { useQuery } from './use-query.js'
export { useSubscription } from './use-subscription.svelte.js'
export { useSuspense } from './use-suspense.svelte.js'

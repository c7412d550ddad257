'use client'
// The names that applications import from @data-client/react.
import type { ErrorWithStatus, ReadEndpoint } from '@roundtable/core'
import { useController as useCoreController, useLoading as useCoreLoading, useSuspense } from '@roundtable/react'
import * as React from 'react'
import type { Controller } from './controller.js'
import { NetworkManager } from './managers.js'

export {
  AsyncBoundary,
  ErrorBoundary,
  NetworkErrorBoundary,
  useCache,
  useCancelling,
  useDebounce,
  useDLE,
  useError,
  useFetch,
  useQuery,
  useSuspense,
} from '@roundtable/react'
export * from './core.js'
export { BackupLoading, DataProvider, DataProvider as CacheProvider, type ProviderProps } from './data-provider.js'
export { NetworkManager as IdlingNetworkManager }
/** React's `Suspense`. */
export const UniversalSuspense: typeof React.Suspense = React.Suspense

/** Returns the controller of the provider of this package. */
export function useController(): Controller {
  const controller = useCoreController()
  if ('dispatch' in controller) return controller as Controller
  throw new Error('The provider is not that of @roundtable/compat-data-client/react.')
}

/** Keeps the data of an endpoint up to date while the component is mounted, by polls or by middleware. */
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E> | readonly [null]): void {
  const controller = useController()
  const key = args[0] === null ? undefined : endpoint.key(...(args as Parameters<E>))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the call; its arguments may be new objects each time.
  React.useEffect(() => {
    if (key === undefined) return
    void controller.subscribe(endpoint, ...args)
    return () => void controller.unsubscribe(endpoint, ...args)
  }, [controller, key])
}

/** Combines `useSuspense` and `useSubscription`. */
export const useLive: typeof useSuspense = ((endpoint: ReadEndpoint, ...args: never[]) => {
  useSubscription(endpoint, ...args)
  return useSuspense(endpoint, ...args)
}) as never

/** Wraps an async function to track its calls. With `deps`, it calls the function of their last change. */
export function useLoading<Args extends readonly unknown[], Result>(
  fn: (...args: Args) => Promise<Result>,
  deps?: readonly unknown[],
): [fn: (...args: Args) => Promise<Result | undefined>, loading: boolean, error: ErrorWithStatus | undefined] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller passes the dependencies.
  const kept = React.useCallback(fn, deps ?? [fn])
  return useCoreLoading(kept)
}

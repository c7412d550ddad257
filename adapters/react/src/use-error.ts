import { type ErrorWithStatus, failure, type ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the last error of an endpoint; undefined if there is none, or if newer data or a soft policy hides it. It
 * never fetches.
 *
 * @remarks
 * With null instead of arguments it is undefined.
 *
 * @example
 * ```tsx
 * const error = useError(getTodo, { id: 5 })
 * return error ? <p role="alert">The todo could not be loaded.</p> : null
 * ```
 */
export function useError<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): ErrorWithStatus | undefined {
  const controller = useController()
  return useObserver(controller.observe(failure, endpoint, ...argsOf(args)))
}

import { type ErrorWithStatus, failure, type ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the last error of an endpoint; undefined if there is none, or if newer data or a soft policy hides it. It
 * never fetches.
 *
 * @remarks
 * Arguments are values, refs or getters. With null instead of arguments it is undefined.
 *
 * @example
 * ```ts
 * const error = useError(getTodo, () => ({ id: props.id }))
 * ```
 */
export function useError<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): ReadonlyRef<ErrorWithStatus | undefined> {
  const controller = useController()
  return useObserver(() => controller.observe(failure, endpoint, ...argsOf(args)))
}

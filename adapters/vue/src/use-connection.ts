import type { ReadEndpoint } from '@roundtable/core'
import { type ConnectionStatus, connection } from '@roundtable/core/live'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the connection status of an endpoint's live source. It does not connect: `useLive` and `useSubscription` do.
 *
 * @remarks
 * Arguments are values, refs or getters. With null instead of arguments the value is undefined. On a server, and for an
 * endpoint without a source, the status is `idle`.
 *
 * @example
 * ```ts
 * const connection = useConnection(getLiveTodos, () => ({ userId: props.id }))
 * const isOpen = computed(() => connection.value?.status === 'open')
 * ```
 */
export function useConnection<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): ReadonlyRef<ConnectionStatus | undefined> {
  const controller = useController()
  return useObserver(() => controller.observe(connection, endpoint, ...argsOf(args)))
}

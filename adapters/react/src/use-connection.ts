import type { ReadEndpoint } from '@roundtable/core'
import { type ConnectionStatus, connection } from '@roundtable/core/live'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the connection status of an endpoint's live source. It does not connect: `useLive` and `useSubscription` do.
 *
 * @remarks
 * With null instead of arguments it returns undefined. On a server, and for an endpoint without a source, the status is
 * `idle`.
 *
 * @example
 * ```tsx
 * const connection = useConnection(getLiveTodos, { userId: 1 })
 * return connection?.status === 'open' ? null : <p>Connecting…</p>
 * ```
 */
export function useConnection<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): ConnectionStatus | undefined {
  return useObserver(useController().observe(connection, endpoint, ...argsOf(args)))
}

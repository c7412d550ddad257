import { poll, type ReadEndpoint } from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'

/**
 * Polls an endpoint every `pollFrequency` ms while the component is mounted. With null instead of arguments it does not
 * poll.
 *
 * @example
 * ```tsx
 * useSubscription(getTicker, { product: 'BTC' })
 * const ticker = useCache(getTicker, { product: 'BTC' })
 * ```
 */
export function useSubscription<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): void {
  // This also throws, on each render, for endpoints that cannot be polled. The observer polls while it has subscribers.
  const polling = useController().observe(poll, endpoint, ...argsOf(args))
  React.useEffect(() => polling.subscribe(() => {}), [polling])
}

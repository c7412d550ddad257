import { poll, type ReadEndpoint } from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'

/**
 * Asks an endpoint again every `pollFrequency` ms while the component is mounted. With null in place of the arguments: never.
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
  const controller = useController()
  // Made at each render, also to say what cannot be polled; it begins when it is subscribed to.
  const polling = controller.observe(poll, endpoint, ...argsOf(args))
  const key = args[0] === null ? null : endpoint.key(...(argsOf(args) as never[]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the endpoint and its arguments, which may be made anew on each render.
  React.useEffect(() => polling.subscribe(() => {}), [controller, key, endpoint.pollFrequency])
}

import type { ReadEndpoint } from '@roundtable/core'
import { useEffect } from 'react'
import type { ArgsOrNull } from './reads.js'
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
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): void {
  const controller = useController()
  // Null was ruled out, which the compiler does not follow into a list of arguments.
  const key = args[0] === null ? null : endpoint.key(...(args as never))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the endpoint and its arguments, which may be made anew on each render.
  useEffect(() => controller.poll(endpoint, ...args).subscribe(() => {}), [controller, key, endpoint.pollFrequency])
}

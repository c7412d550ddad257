import { poll, type ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'

/**
 * Polls an endpoint every `pollFrequency` ms until the component or the effect root is destroyed. With null instead of
 * arguments it does not poll.
 *
 * @remarks
 * Arguments are values, or a thunk of them.
 *
 * @example
 * ```ts
 * useSubscription(getTicker, { product: 'BTC' })
 * const ticker = useCache(getTicker, { product: 'BTC' })
 * ```
 */
export function useSubscription<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): void {
  const controller = useController()
  $effect(() => controller.observe(poll, endpoint, ...argsOf(args)).subscribe(() => {}))
}

import type { ReadEndpoint } from '@roundtable/core'
import { untrack } from 'svelte'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'

/**
 * Asks an endpoint again every `pollFrequency` ms until the component, or the effect root, ends. With null in place of the arguments: never.
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
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: ReactiveOrNull<Parameters<E>>): void {
  const controller = useController()
  const key = $derived.by(() => {
    const now: readonly unknown[] = argsOf(args)
    return now[0] === null ? null : endpoint.key(...(now as never))
  })
  $effect(() => {
    // The key stands for the arguments, which may be made anew whenever the thunk is asked.
    void key
    return untrack(() => controller.poll(endpoint, ...argsOf(args))).subscribe(() => {})
  })
}

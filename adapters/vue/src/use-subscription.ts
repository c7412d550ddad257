import type { ReadEndpoint } from '@roundtable/core'
import { watch } from 'vue'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { isServerRender } from './use-observer.js'

/**
 * Asks an endpoint again every `pollFrequency` ms until the scope ends. With null in place of the arguments: never.
 *
 * @remarks
 * Arguments are values, refs or getters.
 *
 * @example
 * ```ts
 * useSubscription(getTicker, { product: 'BTC' })
 * const ticker = useCache(getTicker, { product: 'BTC' })
 * ```
 */
export function useSubscription<E extends ReadEndpoint>(endpoint: E, ...args: ReactiveOrNull<Parameters<E>>): void {
  const controller = useController()
  if (isServerRender()) return
  watch(
    (): string | null => {
      const now: readonly unknown[] = argsOf(args)
      return now[0] === null ? null : endpoint.key(...(now as never))
    },
    (_, __, onCleanup) => onCleanup(controller.poll(endpoint, ...argsOf(args)).subscribe(() => {})),
    { immediate: true, flush: 'sync' },
  )
}

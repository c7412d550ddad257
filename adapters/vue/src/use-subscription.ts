import { poll, type ReadEndpoint } from '@roundtable/core'
import { watch } from 'vue'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { isServerRender, useHidden } from './use-observer.js'

/**
 * Polls an endpoint every `pollFrequency` ms until the scope ends, but not while a `<KeepAlive>` hides the component. With null
 * instead of arguments it does not poll.
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
export function useSubscription<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): void {
  const controller = useController()
  if (isServerRender()) return
  const isHidden = useHidden()
  watch(
    (): string | null => {
      if (isHidden.value) return null
      const now: readonly unknown[] = argsOf(args)
      if (now[0] === null) return null
      // Says what cannot be polled; it begins when it is subscribed to.
      controller.observe(poll, endpoint, ...(now as never))
      return endpoint.key(...(now as never[]))
    },
    (key, _, onCleanup) => {
      // Vue gives nothing in the place of what threw.
      if (key) onCleanup(controller.observe(poll, endpoint, ...argsOf(args)).subscribe(() => {}))
    },
    { immediate: true, flush: 'sync' },
  )
}

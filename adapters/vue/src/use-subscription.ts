import { poll, type ReadEndpoint } from '@roundtable/core'
import { watch } from 'vue'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { isServerRender, useHidden } from './use-observer.js'

/**
 * Polls an endpoint every `pollFrequency` ms until the scope ends, but not while a `<KeepAlive>` hides the component.
 * With null instead of arguments it does not poll.
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
    // The same key and frequency have the same observer, which polls while it has subscribers.
    () => (isHidden.value ? undefined : controller.observe(poll, endpoint, ...argsOf(args))),
    (polling, _, onCleanup) => {
      // There is also none if the endpoint cannot be polled, which Vue has reported.
      if (polling) onCleanup(polling.subscribe(() => {}))
    },
    { immediate: true, flush: 'sync' },
  )
}

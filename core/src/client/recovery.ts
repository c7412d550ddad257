import type { Controller } from './controller.js'
import { hostOf } from './registry.js'

/**
 * For error boundaries: returns a function that calls `retry` when the store is emptied and, if `error` is that of a read,
 * when `revalidate` retries errors because the network is back. A reader whose error a boundary shows is not mounted, so
 * only the boundary can retry it.
 *
 * @remarks
 * Call it when the error is caught, and the returned function once the boundary is mounted. If the store was emptied in
 * between, `retry` is called at once. The returned function returns one that stops it.
 *
 * @example
 * ```ts
 * const error = new Error('shown by a boundary of your own')
 * const recovered = recovery(controller, error)
 * const stop = recovered(() => controller.dropError(error))
 * ```
 */
export function recovery(controller: Controller | undefined, error: unknown): (retry: () => void) => () => void {
  if (controller === undefined) return () => () => {}
  const { network, store } = hostOf(controller).runtime
  const { epoch } = network
  // Look for the error now, since its entry may be dropped before the network is back.
  const isOfRead = [...store.entries.values()].some((entry) => entry.error?.error === error)
  return (retry) => {
    const stopReset = controller.on('reset', retry)
    const stopAction = controller.on('action', ({ type }) => isOfRead && type === 'online' && retry())
    if (network.epoch !== epoch) retry()
    return () => {
      stopReset()
      stopAction()
    }
  }
}

import type { Controller } from './controller.js'
import { hostOf } from './registry.js'

/**
 * For error boundaries: if `error` is that of a read, calls `retry` when `revalidate` retries errors because the
 * network is back. A reader whose error a boundary shows is not mounted, so only the boundary can retry it.
 *
 * @returns a function that stops this
 * @example
 * ```ts
 * const error = new Error('shown by a boundary of your own')
 * const stop = onReconnect(controller, error, () => controller.dropError(error))
 * ```
 */
export function onReconnect(controller: Controller | undefined, error: unknown, retry: () => void): () => void {
  if (controller === undefined) return () => {}
  const { store } = hostOf(controller).runtime
  // Look for the error now, since its entry may be dropped before the network is back.
  for (const entry of store.entries.values()) {
    if (entry.error?.error === error) return controller.on('action', ({ type }) => type === 'online' && retry())
  }
  return () => {}
}

import type { ReadEndpoint } from '@roundtable/core'
import type { ReactiveOrNull } from './reads.js'

/**
 * Returns a copy of the endpoint that aborts a request when no component waits for it any more: after the arguments
 * change, and on unmount.
 *
 * @remarks
 * A request that another component waits for is not aborted. The arguments are optional; the parameter exists so that
 * all adapters have the same signature.
 *
 * @example
 * ```ts
 * const found = useDLE(useCancelling(search, () => [{ query }]), () => [{ query }])
 * ```
 */
export function useCancelling<E extends ReadEndpoint & Extensible, First = never>(
  endpoint: E,
  ..._args: ReactiveOrNull<Parameters<E>, First> | []
): E {
  // The copy has the same type. A value that is not an endpoint is returned unchanged, and its reader reports it.
  return typeof endpoint?.key === 'function' ? (endpoint.extend({ abortOnUnused: true }) as E) : endpoint
}

/** An endpoint with `extend`, which `useCancelling` needs. */
export interface Extensible {
  extend(options: { readonly abortOnUnused: true }): unknown
}

import type { ReadEndpoint } from '@roundtable/core'
import type { ReactiveOrNull } from './reads.js'

/**
 * The endpoint, with requests that are aborted when nobody waits for them any more: those for earlier arguments, and on unmount.
 *
 * @remarks
 * A request that another component waits for too goes on. The arguments are those of the read; here, unlike in React, nothing
 * has to be known of them.
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
  // With other options it is an endpoint of the same kind. What is none goes on as it is: whoever reads it says so.
  return typeof endpoint?.key === 'function' ? (endpoint.extend({ abortOnUnused: true }) as E) : endpoint
}

/** An endpoint that can be copied with other options. */
export interface Extensible {
  extend(options: { readonly abortOnUnused: true }): unknown
}

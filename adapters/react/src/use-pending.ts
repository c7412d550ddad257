import type { Queryable, SchemaArgs } from '@roundtable/core'
import { type PendingStatus, pendingOf } from '@roundtable/core/offline'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the status of a row's mutation in the outbox; undefined if there is none. Of several, a refused one has
 * precedence, then one in flight.
 *
 * @remarks
 * With null instead of arguments it returns undefined.
 *
 * @example
 * ```tsx
 * const status = usePending(Todo, { id: 5 })
 * return status === 'refused' ? <p>The server does not want it</p> : null
 * ```
 */
export function usePending<S extends Queryable, First = never>(
  schema: S,
  ...args: OrNull<SchemaArgs<S>, First>
): PendingStatus | undefined {
  return useObserver(useController().observe(pendingOf(schema, ...argsOf(args))))
}

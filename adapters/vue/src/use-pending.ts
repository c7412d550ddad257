import type { Queryable, SchemaArgs } from '@roundtable/core'
import { type PendingStatus, pendingOf } from '@roundtable/core/offline'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the status of a row's mutation in the outbox; undefined if there is none. Of several, a refused one has
 * precedence, then one in flight.
 *
 * @remarks
 * Arguments are values, refs or getters. With null instead of arguments the value is undefined.
 *
 * @example
 * ```ts
 * const status = usePending(Todo, () => ({ id: props.id }))
 * const isRefused = computed(() => status.value === 'refused')
 * ```
 */
export function usePending<S extends Queryable, First = never>(
  schema: S,
  ...args: ReactiveOrNull<SchemaArgs<S>, First>
): ReadonlyRef<PendingStatus | undefined> {
  const controller = useController()
  return useObserver(() => controller.observe(pendingOf(schema, ...argsOf(args))))
}

import type { DenormalizeNullable, Queryable, SchemaArgs } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * What the table holds for a schema and its arguments, however it came there; undefined if nothing.
 *
 * @remarks
 * Arguments are values, refs or getters. Nothing is fetched. With null in place of the arguments it is undefined.
 *
 * @example
 * ```ts
 * const todo = useQuery(Todo, () => ({ id: props.id }))
 * ```
 */
export function useQuery<S extends Queryable, First = never>(
  schema: S,
  ...args: ReactiveOrNull<SchemaArgs<S>, First>
): ReadonlyRef<DenormalizeNullable<S> | undefined> {
  const controller = useController()
  return useObserver(() => controller.select(schema, ...argsOf(args)))
}

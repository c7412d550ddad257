import type { DenormalizeNullable, Queryable, SchemaArgs } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the value of a schema for these arguments, read from the table, no matter which request stored its rows; undefined
 * if it is missing.
 *
 * @remarks
 * Arguments are values, refs or getters. It never fetches. With null instead of arguments the value is undefined.
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
  return useObserver(() => controller.view(schema, ...argsOf(args)))
}

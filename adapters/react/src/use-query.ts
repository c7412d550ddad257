import type { DenormalizeNullable, Queryable, SchemaArgs } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the value of a schema for these arguments, read from the table, no matter which request stored its rows; undefined
 * if it is missing.
 *
 * @remarks
 * It never fetches. With null instead of arguments it returns undefined.
 *
 * @example
 * ```tsx
 * const todo = useQuery(Todo, { id: 5 })
 * ```
 */
export function useQuery<S extends Queryable, First = never>(
  schema: S,
  ...args: OrNull<SchemaArgs<S>, First>
): DenormalizeNullable<S> | undefined {
  return useObserver(useController().view(schema, ...argsOf(args)))
}

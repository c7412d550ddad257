import type { DenormalizeNullable, Queryable, SchemaArgs } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * What the table holds for a schema and its arguments, however it came there; undefined if nothing.
 *
 * @remarks
 * Nothing is fetched. With null in place of the arguments it is undefined.
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
  return useObserver(useController().select(schema, ...argsOf(args)))
}

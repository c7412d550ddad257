import type { DenormalizeNullable, Queryable, SchemaArgs } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { Current, ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { currentOf, useObserver } from './use-observer.js'

/**
 * What the table holds for a schema and its arguments, however it came there; undefined if nothing.
 *
 * @remarks
 * Arguments are values, or a thunk of them. Nothing is fetched. With null in place of the arguments it is undefined.
 *
 * @example
 * ```ts
 * const todo = useQuery(Todo, () => [{ id }])
 * const title = $derived(todo.current?.title)
 * ```
 */
export function useQuery<S extends Queryable, First = never>(
  schema: S,
  ...args: ReactiveOrNull<SchemaArgs<S>, First>
): Current<DenormalizeNullable<S> | undefined> {
  const controller = useController()
  return currentOf(useObserver(() => controller.select(schema, ...argsOf(args))))
}

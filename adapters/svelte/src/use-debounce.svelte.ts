import type { Current } from './reads.js'
import { currentOf } from './use-observer.js'

/**
 * Returns the value after it has not changed for `ms` milliseconds, and whether a newer value is still waiting:
 * `[value, isPending]`.
 *
 * @remarks
 * The value is a thunk. Values are compared by identity.
 *
 * @param updatable a thunk: while it returns false, the value stays, and a newer value keeps waiting
 *
 * @example
 * ```ts
 * const [query, isPending] = useDebounce(() => text, 200)
 * const found = useDLE(search, () => [{ query: query.current }])
 * ```
 */
export function useDebounce<Value>(
  value: () => Value,
  ms: number,
  updatable: () => boolean = () => true,
): [value: Current<Value>, isPending: Current<boolean>] {
  let settled = $state.raw(value())
  $effect(() => {
    const next = value()
    if (!updatable()) return
    const timer = setTimeout(() => {
      settled = next
    }, ms)
    return () => clearTimeout(timer)
  })
  return [currentOf(() => settled), currentOf(() => settled !== value())]
}

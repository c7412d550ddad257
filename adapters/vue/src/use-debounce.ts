import { computed, type MaybeRefOrGetter, shallowRef, toValue, watch } from 'vue'
import type { ReadonlyRef } from './reads.js'

/**
 * Returns the value after it has not changed for `ms` milliseconds, and whether a newer value is still waiting:
 * `[value, isPending]`.
 *
 * @remarks
 * The value is a ref or a getter. Values are compared by identity.
 *
 * @param updatable while it is false, the value stays, and a newer value keeps waiting
 *
 * @example
 * ```ts
 * const [query, isPending] = useDebounce(text, 200)
 * const found = useDLE(search, () => ({ query: query.value }))
 * ```
 */
export function useDebounce<Value>(
  value: MaybeRefOrGetter<Value>,
  ms: number,
  updatable: MaybeRefOrGetter<boolean> = true,
): [value: ReadonlyRef<Value>, isPending: ReadonlyRef<boolean>] {
  const settled = shallowRef(toValue(value))
  watch([() => toValue(value), () => toValue(updatable)] as const, ([next, isUpdatable], _, onCleanup) => {
    if (!isUpdatable) return
    const timer = setTimeout(() => {
      settled.value = next
    }, ms)
    onCleanup(() => clearTimeout(timer))
  })
  return [settled, computed(() => settled.value !== toValue(value))]
}

import { createSubscriber } from 'svelte/reactivity'
import type { Current } from './reads.js'
import { currentOf } from './use-observer.js'

/**
 * A value that follows another once that has stood still for `ms` milliseconds, and whether it still lags behind: `[value, isPending]`.
 *
 * @remarks
 * The value is a thunk. Values are compared by identity.
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
): [value: Current<Value>, isPending: Current<boolean>] {
  let settled = value()
  let wanted = settled
  let timer: ReturnType<typeof setTimeout> | undefined
  let update = (): void => {}
  const track = createSubscriber((changed) => {
    update = changed
    return () => clearTimeout(timer)
  })
  /** Whoever looks is told when the value has stood still. */
  const look = (): boolean => {
    track()
    const next = value()
    if (next !== wanted) {
      wanted = next
      clearTimeout(timer)
      timer = setTimeout(() => {
        settled = next
        update()
      }, ms)
    }
    return settled !== next
  }
  return [currentOf(() => settled, look), currentOf(look)]
}

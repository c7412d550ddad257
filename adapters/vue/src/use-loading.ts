import { type ErrorWithStatus, toError } from '@roundtable/core'
import { computed, shallowRef } from 'vue'
import type { ReadonlyRef } from './reads.js'

/**
 * Wraps an async function to track its calls: `[fn, loading, error]`.
 *
 * @remarks `loading` is true while any call is pending. `error` is that of the last failed call; the next call clears
 * it. A thrown value that is not an Error becomes the `cause` of one. The returned function never rejects: a failed
 * call resolves with undefined.
 *
 * @example
 * ```ts
 * const [save, saving, error] = useLoading((title: string) => controller.fetch(updateTodo, { id }, { title }))
 * ```
 */
export function useLoading<Args extends readonly unknown[], Result>(
  fn: (...args: Args) => Promise<Result>,
): [
  fn: (...args: Args) => Promise<Result | undefined>,
  loading: ReadonlyRef<boolean>,
  error: ReadonlyRef<ErrorWithStatus | undefined>,
] {
  const underWay = shallowRef(0)
  const error = shallowRef<ErrorWithStatus>()
  const run = async (...args: Args): Promise<Result | undefined> => {
    underWay.value++
    error.value = undefined
    try {
      return await fn(...args)
    } catch (thrown) {
      error.value = toError(thrown, fn.name)
    } finally {
      underWay.value--
    }
  }
  return [run, computed(() => underWay.value > 0), error]
}

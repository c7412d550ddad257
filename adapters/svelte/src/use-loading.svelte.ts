import { type ErrorWithStatus, toError } from '@roundtable/core'
import type { Current } from './reads.js'
import { currentOf } from './use-observer.js'

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
 * const label = $derived(error.current ? 'Again' : saving.current ? 'Saving' : 'Save')
 * ```
 */
export function useLoading<Args extends readonly unknown[], Result>(
  fn: (...args: Args) => Promise<Result>,
): [
  fn: (...args: Args) => Promise<Result | undefined>,
  loading: Current<boolean>,
  error: Current<ErrorWithStatus | undefined>,
] {
  let underWay = $state(0)
  let error = $state.raw<ErrorWithStatus>()
  const run = async (...args: Args): Promise<Result | undefined> => {
    underWay++
    error = undefined
    try {
      return await fn(...args)
    } catch (thrown) {
      error = toError(thrown, fn.name)
    } finally {
      underWay--
    }
  }
  return [run, currentOf(() => underWay > 0), currentOf(() => error)]
}

import { type ErrorWithStatus, toError } from '@roundtable/core'
import * as React from 'react'

/**
 * Wraps an async function to track its calls: `[fn, loading, error]`.
 *
 * @remarks `loading` is true while any call is pending. `error` is that of the last failed call; the next call clears
 * it. A thrown value that is not an Error becomes the `cause` of one. The returned function never rejects: a failed
 * call resolves with undefined.
 *
 * @example
 * ```tsx
 * const [save, saving, error] = useLoading((title: string) => controller.fetch(updateTodo, { id }, { title }))
 * return <button disabled={saving} onClick={() => save('Sharpen the pencil')}>{error ? 'Again' : 'Save'}</button>
 * ```
 */
export function useLoading<Args extends readonly unknown[], Result>(
  fn: (...args: Args) => Promise<Result>,
): [fn: (...args: Args) => Promise<Result | undefined>, loading: boolean, error: ErrorWithStatus | undefined] {
  const [underWay, setUnderWay] = React.useState(0)
  const [error, setError] = React.useState<ErrorWithStatus>()
  const run = React.useCallback(
    async (...args: Args): Promise<Result | undefined> => {
      setUnderWay((count) => count + 1)
      setError(undefined)
      try {
        return await fn(...args)
      } catch (thrown) {
        setError(toError(thrown, fn.name))
      } finally {
        setUnderWay((count) => count - 1)
      }
    },
    [fn],
  )
  return [run, underWay > 0, error]
}

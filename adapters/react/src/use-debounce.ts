import * as React from 'react'

/**
 * A value that follows another once that has stood still for `ms` milliseconds, and whether it still lags behind: `[value, isPending]`.
 *
 * @remarks
 * Values are compared by identity. It follows in a transition: what `useSuspense` shows stays until the new data is there. `useDLE`
 * does not suspend, so it shows that it is loading.
 *
 * @example
 * ```tsx
 * const [query, isPending] = useDebounce(text, 200)
 * const found = useSuspense(search, { query })
 * ```
 */
export function useDebounce<Value>(value: Value, ms: number): [value: Value, isPending: boolean] {
  const [settled, setSettled] = React.useState(value)
  React.useEffect(() => {
    const timer = setTimeout(() => React.startTransition(() => setSettled(() => value)), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return [settled, settled !== value]
}

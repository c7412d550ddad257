import * as React from 'react'

/**
 * Returns the value after it has not changed for `ms` milliseconds, and whether a newer value is still waiting:
 * `[value, isPending]`.
 *
 * @remarks
 * Values are compared by identity. The update is a transition: `useSuspense` keeps its data on the screen until the new data
 * arrives; `useDLE`, which does not suspend, returns `loading`.
 *
 * @param updatable while it is false, the value stays, and a newer value keeps waiting
 *
 * @example
 * ```tsx
 * const [query, isPending] = useDebounce(text, 200)
 * const found = useSuspense(search, { query })
 * ```
 */
export function useDebounce<Value>(value: Value, ms: number, updatable = true): [value: Value, isPending: boolean] {
  const [settled, setSettled] = React.useState(value)
  React.useEffect(() => {
    if (!updatable) return
    const timer = setTimeout(() => React.startTransition(() => setSettled(() => value)), ms)
    return () => clearTimeout(timer)
  }, [value, ms, updatable])
  return [settled, settled !== value]
}

import type { ErrorFallbackProps } from '@roundtable/react'
import type { ReactNode } from 'react'

/** The fallback of a boundary. */
export function Failure({ error, resetErrorBoundary }: ErrorFallbackProps): ReactNode {
  return (
    <div role="alert">
      {error.name}
      <button type="button" onClick={resetErrorBoundary}>
        Try again
      </button>
    </div>
  )
}

'use client'
import * as React from 'react'
import { ErrorBoundary, type ErrorBoundaryProps } from './error-boundary.js'

/** What `AsyncBoundary` takes. */
export interface AsyncBoundaryProps {
  readonly children?: React.ReactNode
  /**
   * Shown while something inside is pending.
   *
   * @default nothing
   */
  readonly fallback?: React.ReactNode
  /**
   * Shows an error that was thrown inside.
   *
   * @default a `<pre role="alert">` with its message
   */
  readonly errorComponent?: ErrorBoundaryProps['fallbackComponent']
}

/**
 * `Suspense` and `ErrorBoundary` in one: the states of what is inside, loading and failed, each with something to show.
 *
 * @example
 * ```tsx
 * <AsyncBoundary fallback={<Spinner />}>
 *   <Todos />
 * </AsyncBoundary>
 * ```
 */
export function AsyncBoundary({ children, fallback, errorComponent }: AsyncBoundaryProps): React.ReactElement {
  const inner = React.createElement(ErrorBoundary, { fallbackComponent: errorComponent }, children)
  return React.createElement(React.Suspense, { fallback }, inner)
}

'use client'
import * as React from 'react'
import { ErrorBoundary, type ErrorBoundaryProps, type ResetProps } from './error-boundary.js'

/** The props of `AsyncBoundary`. */
export interface AsyncBoundaryProps extends ResetProps {
  readonly children?: React.ReactNode
  /**
   * Shown while a component inside is pending.
   *
   * @default nothing
   */
  readonly fallback?: React.ReactNode
  /**
   * The component that shows an error thrown inside.
   *
   * @default its message in a `<pre role="alert">`, and a button *Try again*
   */
  readonly errorComponent?: ErrorBoundaryProps['fallbackComponent']
}

/**
 * Combines `Suspense` and `ErrorBoundary`: shows a fallback while components inside load, and an error if one fails.
 *
 * @example
 * ```tsx
 * <AsyncBoundary fallback={<Spinner />}>
 *   <Todos />
 * </AsyncBoundary>
 * ```
 */
export function AsyncBoundary({
  children,
  fallback,
  errorComponent,
  ...resets
}: AsyncBoundaryProps): React.ReactElement {
  const inner = React.createElement(ErrorBoundary, { ...resets, fallbackComponent: errorComponent }, children)
  return React.createElement(React.Suspense, { fallback }, inner)
}

'use client'
import { createElement, type ReactElement, type ReactNode, Suspense } from 'react'
import { ErrorBoundary, type ErrorBoundaryProps } from './error-boundary.js'

/** What `AsyncBoundary` takes. */
export interface AsyncBoundaryProps {
  readonly children?: ReactNode
  /**
   * Shown while something inside is pending.
   *
   * @default nothing
   */
  readonly fallback?: ReactNode
  /**
   * Shows an error that was thrown inside.
   *
   * @default a `<pre role="alert">` with its message
   */
  readonly errorComponent?: ErrorBoundaryProps['fallbackComponent']
  /** Handed on to the component that shows the error. */
  readonly errorClassName?: string | undefined
  /** As of `ErrorBoundary`. */
  readonly listen?: ErrorBoundaryProps['listen']
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
export function AsyncBoundary(props: AsyncBoundaryProps): ReactElement {
  const { children, fallback, errorComponent: fallbackComponent, errorClassName: className, listen } = props
  const inner = createElement(ErrorBoundary, { fallbackComponent, className, listen }, children)
  return createElement(Suspense, { fallback }, inner)
}

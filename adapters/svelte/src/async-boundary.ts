import type { Component, Snippet } from 'svelte'
import Boundary from './async-boundary.svelte'
import type { ErrorBoundaryProps } from './error-boundary.js'

/** The props of `AsyncBoundary`. */
export interface AsyncBoundaryProps extends ErrorBoundaryProps {
  /**
   * Shown while a component inside awaits.
   *
   * @default nothing
   */
  readonly fallback?: Snippet | undefined
}

/**
 * Combines `<svelte:boundary>` and `ErrorBoundary`: shows a fallback while components inside await, and an error if one
 * fails.
 *
 * @example
 * ```svelte
 * <AsyncBoundary>
 *   <Todos />
 *   {#snippet fallback()}<Spinner />{/snippet}
 * </AsyncBoundary>
 * ```
 */
export const AsyncBoundary: Component<AsyncBoundaryProps> =
  // The TypeScript compiler cannot read .svelte files.
  Boundary as unknown as Component<AsyncBoundaryProps>

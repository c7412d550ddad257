import type { Component, Snippet } from 'svelte'
import Boundary from './async-boundary.svelte'
import type { ErrorBoundaryProps } from './error-boundary.js'

/** What `AsyncBoundary` takes. */
export interface AsyncBoundaryProps extends ErrorBoundaryProps {
  /**
   * Shown while something inside is awaited.
   *
   * @default nothing
   */
  readonly fallback?: Snippet | undefined
}

/**
 * The states of what is inside, awaited and failed, each with something to show: a `<svelte:boundary>` and an `ErrorBoundary` in one.
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
  // The compiler of plain TypeScript knows nothing of what is in a .svelte file.
  Boundary as unknown as Component<AsyncBoundaryProps>

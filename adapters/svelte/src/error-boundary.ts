import type { Component, Snippet } from 'svelte'
import Boundary from './error-boundary.svelte'

/** What the snippet that shows an error is given. */
export interface ErrorSnippetProps {
  readonly error: Error
  /** Shows the children again; what failed with this error is fetched once more. */
  readonly resetErrorBoundary: () => void
}

/** What `ErrorBoundary` takes. */
export interface ErrorBoundaryProps {
  /** What may fail. */
  readonly children?: Snippet | undefined
  /**
   * Shows the error.
   *
   * @default a `<pre role="alert">` with its message
   */
  readonly error?: Snippet<[ErrorSnippetProps]> | undefined
}

/**
 * Shows an error that was thrown inside, until it is reset: then each key that failed with it is fetched exactly once again.
 *
 * @remarks
 * As every `<svelte:boundary>` it catches on a server only where `render` is given a `transformError`, which says what of an error may be seen.
 *
 * @example
 * ```svelte
 * <ErrorBoundary>
 *   <Todos />
 *   {#snippet error({ error, resetErrorBoundary })}
 *     <button onclick={resetErrorBoundary}>{error.message}</button>
 *   {/snippet}
 * </ErrorBoundary>
 * ```
 */
export const ErrorBoundary: Component<ErrorBoundaryProps> =
  // The compiler of plain TypeScript knows nothing of what is in a .svelte file.
  Boundary as unknown as Component<ErrorBoundaryProps>

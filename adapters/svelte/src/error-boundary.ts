import type { ErrorWithStatus } from '@roundtable/core'
import type { Component, Snippet } from 'svelte'
import Boundary from './error-boundary.svelte'

/** The parameters of the snippet that shows an error. */
export interface ErrorSnippetProps {
  readonly error: ErrorWithStatus
  /** Renders the children again and resends each request that failed with this error once. */
  readonly resetErrorBoundary: () => void
}

/** The options of an `ErrorBoundary` for its reset, and its callbacks. */
export interface ResetProps {
  /**
   * Resets the boundary when one of these values changes, such as the id of the shown item.
   *
   * @default []
   */
  readonly resetKeys?: readonly unknown[] | undefined
  /**
   * Called on mount with a function that resets the boundary if it shows an error; returns a function that
   * unsubscribes, which is called before the next `listen`. A router's `subscribe` fits.
   */
  readonly listen?: ((reset: () => void) => () => void) | undefined
  /** Called with each error that is caught. */
  readonly onError?: ((error: ErrorWithStatus) => void) | undefined
  /** Called when the boundary is reset, for any reason. */
  readonly onReset?: (() => void) | undefined
}

/** The props of `ErrorBoundary`. */
export interface ErrorBoundaryProps extends ResetProps {
  /** The content, replaced by the error if it fails. */
  readonly children?: Snippet | undefined
  /**
   * Shows the error.
   *
   * @default its message in a `<pre role="alert">`, and a button *Try again*
   */
  readonly error?: Snippet<[ErrorSnippetProps]> | undefined
}

/**
 * Shows an error thrown inside until it is reset; the reset fetches each key that failed with this error exactly once.
 *
 * @remarks
 * It is reset by `resetErrorBoundary`, by changed `resetKeys`, through `listen`, when the store is emptied, and with
 * `revalidate` when the network is back, if the error is that of a read. Like every `<svelte:boundary>`, it catches errors on
 * a server only if `render` is called with `transformError`, which defines the parts of an error that users may see.
 *
 * @example
 * ```svelte
 * <ErrorBoundary>
 *   <Todos />
 *   {#snippet error({ resetErrorBoundary })}
 *     <button onclick={resetErrorBoundary}>Try again</button>
 *   {/snippet}
 * </ErrorBoundary>
 * ```
 */
export const ErrorBoundary: Component<ErrorBoundaryProps> =
  // The TypeScript compiler cannot read .svelte files.
  Boundary as unknown as Component<ErrorBoundaryProps>

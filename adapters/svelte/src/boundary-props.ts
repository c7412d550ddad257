import type { Snippet } from 'svelte'

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

/** What `AsyncBoundary` takes. */
export interface AsyncBoundaryProps extends ErrorBoundaryProps {
  /**
   * Shown while something inside is awaited.
   *
   * @default nothing
   */
  readonly fallback?: Snippet | undefined
}

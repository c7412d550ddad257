'use client'
import type { Controller } from '@roundtable/core'
// The namespace, not names: the React of server components has no components with state.
import * as React from 'react'
import { ControllerContext } from './controller-context.js'

/** What a component that shows an error is given. */
export interface ErrorFallbackProps {
  readonly error: Error
  /** Shows the children again; what failed with this error is fetched once more. */
  readonly resetErrorBoundary: () => void
  readonly className?: string | undefined
}

/** What `ErrorBoundary` takes. */
export interface ErrorBoundaryProps {
  readonly children?: React.ReactNode
  /**
   * Shows the error.
   *
   * @default a `<pre role="alert">` with its message
   */
  readonly fallbackComponent?: React.ComponentType<ErrorFallbackProps> | undefined
  /** Handed on to the component that shows the error. */
  readonly className?: string | undefined
  /** Is given the reset and calls it when something happens that may help, such as a navigation; returns a function that stops that. */
  readonly listen?: ((reset: () => void) => () => void) | undefined
}

interface ErrorBoundaryState {
  readonly error?: Error | undefined
}

const Component: typeof React.Component = React.Component ?? (class {} as unknown as typeof React.Component)

/**
 * Shows an error that was thrown inside, until it is reset: then each key that failed with it is fetched exactly once again.
 *
 * @example
 * ```tsx
 * <ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => <button onClick={resetErrorBoundary}>{error.message}</button>}>
 *   <Todos />
 * </ErrorBoundary>
 * ```
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static override contextType: React.Context<Controller | undefined> = ControllerContext
  static getDerivedStateFromError(error: Error): ErrorBoundaryState {
    return { error }
  }

  declare context: Controller | undefined
  override state: ErrorBoundaryState = {}
  #stop: (() => void) | undefined

  override componentDidMount(): void {
    this.#stop = this.props.listen?.(this.#reset)
  }

  override componentWillUnmount(): void {
    this.#stop?.()
  }

  override render(): React.ReactNode {
    const { children, className, fallbackComponent = Message } = this.props
    const { error } = this.state
    if (error === undefined) return children
    return React.createElement(fallbackComponent, { error, className, resetErrorBoundary: this.#reset })
  }

  readonly #reset = (): void => {
    const { error } = this.state
    if (error === undefined) return
    this.context?.dropError(error)
    this.setState({ error: undefined })
  }
}

function Message({ error, className }: ErrorFallbackProps): React.ReactElement {
  return React.createElement('pre', { role: 'alert', className }, error.message)
}

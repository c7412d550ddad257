'use client'
import type { Controller } from '@roundtable/core'
import * as React from 'react'
import { ControllerContext } from './controller-key.js'

/** The props of the component that shows an error. */
export interface ErrorFallbackProps {
  readonly error: Error
  /** Renders the children again and resends each request that failed with this error once. */
  readonly resetErrorBoundary: () => void
}

/** The props of `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  readonly children?: React.ReactNode
  /**
   * Shows the error.
   *
   * @default a `<pre role="alert">` with its message
   */
  readonly fallbackComponent?: React.ComponentType<ErrorFallbackProps> | undefined
}

interface ErrorBoundaryState {
  readonly error?: Error | undefined
}

// Without a class to extend, where server components import this, it could not even be defined.
const Component: typeof React.Component = React.Component ?? (class {} as unknown as typeof React.Component)

/**
 * Shows an error thrown inside until it is reset; the reset fetches each key that failed with this error exactly once.
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

  override state: ErrorBoundaryState = {}

  override render(): React.ReactNode {
    const { children, fallbackComponent = Message } = this.props
    const { error } = this.state
    return error
      ? React.createElement(fallbackComponent, { error, resetErrorBoundary: () => this.#reset(error) })
      : children
  }

  #reset(error: Error): void {
    // `contextType` is the reason for this type.
    const controller = this.context as Controller | undefined
    controller?.dropError(error)
    this.setState({ error: undefined })
  }
}

function Message({ error }: ErrorFallbackProps): React.ReactElement {
  return React.createElement('pre', { role: 'alert' }, error.message)
}

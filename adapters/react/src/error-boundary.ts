'use client'
import { type Controller, type ErrorWithStatus, recovery } from '@roundtable/core'
import * as React from 'react'
import { ControllerContext } from './controller-key.js'

/** The props of the component that shows an error. */
export interface ErrorFallbackProps {
  readonly error: ErrorWithStatus
  /** Renders the children again and resends each request that failed with this error once. */
  readonly resetErrorBoundary: () => void
}

/** The options of an `ErrorBoundary` for its reset, and its callbacks. */
export interface ResetProps {
  /**
   * Resets the boundary when one of these values changes, such as the id of the shown item. The reset happens during
   * render, so a change in a transition keeps the old screen.
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
  readonly children?: React.ReactNode
  /**
   * Shows the error.
   *
   * @default its message in a `<pre role="alert">`, and a button *Try again*
   */
  readonly fallbackComponent?: React.ComponentType<ErrorFallbackProps> | undefined
}

/** A caught error. Each catch creates a new object, even for the same error. */
interface Caught {
  readonly error: ErrorWithStatus
  /** Set by the first render that shows it, since the store may be emptied before that is committed. */
  recovered?: ReturnType<typeof recovery>
}

interface ErrorBoundaryState {
  readonly caught?: Caught | undefined
  /** The error that was caught before this render. */
  readonly previous?: Caught | undefined
  readonly keys?: readonly unknown[] | undefined
}

// The React of server components has no `Component`, and a class cannot extend undefined.
const Component: typeof React.Component = React.Component ?? (class {} as unknown as typeof React.Component)

/**
 * Shows an error thrown inside until it is reset; the reset fetches each key that failed with this error exactly once.
 *
 * @remarks
 * It is reset by `resetErrorBoundary`, by changed `resetKeys`, through `listen`, when the store is emptied, and with
 * `revalidate` when the network is back, if the error is that of a read.
 *
 * @example
 * ```tsx
 * <ErrorBoundary fallbackComponent={({ resetErrorBoundary }) => <button onClick={resetErrorBoundary}>Try again</button>}>
 *   <Todos />
 * </ErrorBoundary>
 * ```
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static override contextType: React.Context<Controller | undefined> = ControllerContext
  static getDerivedStateFromError(error: ErrorWithStatus): ErrorBoundaryState {
    return { caught: { error } }
  }

  static getDerivedStateFromProps(
    { resetKeys }: ErrorBoundaryProps,
    { caught, previous, keys }: ErrorBoundaryState,
  ): ErrorBoundaryState {
    // An error that was caught after the keys changed stays, since React renders again from the previous state.
    const left = caught === previous && !sameKeys(keys, resetKeys) ? undefined : caught
    return { caught: left, previous: left, keys: resetKeys }
  }

  override state: ErrorBoundaryState = {}
  #shown: ErrorBoundaryState = {}
  #stop: (() => void) | undefined
  #stopRetry: (() => void) | undefined

  get #controller(): Controller | undefined {
    // `contextType` declares the type of `context`.
    return this.context as Controller | undefined
  }

  override componentDidMount(): void {
    this.#listen()
    // React also calls this when it shows the boundary again after a child has suspended.
    this.#commit()
  }

  override componentDidUpdate({ listen }: ErrorBoundaryProps): void {
    if (listen !== this.props.listen) this.#listen()
    this.#commit()
  }

  override componentWillUnmount(): void {
    this.#stop?.()
    this.#stopRetry?.()
    this.#stopRetry = undefined
  }

  override componentDidCatch(error: ErrorWithStatus): void {
    this.props.onError?.(error)
  }

  override render(): React.ReactNode {
    const { children, fallbackComponent = Message } = this.props
    const { caught } = this.state
    if (!caught) return children
    const { error } = caught
    caught.recovered ??= recovery(this.#controller, error)
    return React.createElement(fallbackComponent, { error, resetErrorBoundary: () => this.#reset() })
  }

  #listen(): void {
    this.#stop?.()
    this.#stop = this.props.listen?.(() => this.#reset())
  }

  /** Called after a render was committed. Only now is a reset by changed keys reported. */
  #commit(): void {
    const { caught: before, keys } = this.#shown
    const { caught } = this.state
    this.#shown = this.state
    if (caught !== before || !this.#stopRetry) {
      this.#stopRetry?.()
      this.#stopRetry = caught?.recovered?.(() => this.#reset())
    }
    if (!before || sameKeys(keys, this.state.keys)) return
    // The new children failed with the old error, so they read the failed keys, which must be fetched again.
    if (caught?.error === before.error) this.#reset()
    else if (!caught) this.props.onReset?.()
  }

  #reset(): void {
    const { caught } = this.state
    if (!caught) return
    this.#controller?.dropError(caught.error)
    this.setState({ caught: undefined })
    this.props.onReset?.()
  }
}

function sameKeys(before: readonly unknown[] = [], now: readonly unknown[] = []): boolean {
  return before.length === now.length && before.every((key, index) => Object.is(key, now[index]))
}

function Message({ error, resetErrorBoundary }: ErrorFallbackProps): React.ReactElement {
  return React.createElement(
    React.Fragment,
    null,
    React.createElement('pre', { role: 'alert' }, error.message),
    React.createElement('button', { type: 'button', onClick: resetErrorBoundary }, 'Try again'),
  )
}

'use client'
import { Controller } from '@roundtable/core'
import * as React from 'react'
import { ControllerContext } from './controller-key.js'

/** The props of `DataProvider`. */
export interface DataProviderProps {
  /**
   * The controller for all components inside. Other frameworks on the page may use the same one.
   *
   * @default a new controller, which is disposed when the provider unmounts
   */
  readonly controller?: Controller | undefined
  readonly children?: React.ReactNode
}

/**
 * Provides a controller to all components inside.
 *
 * @remarks
 * Without `controller` it wraps its children in a `Suspense` boundary that renders nothing: put an `AsyncBoundary`
 * inside to show a fallback. In development it warns if it receives a new controller on each render.
 *
 * @example
 * ```tsx
 * createRoot(element).render(
 *   <DataProvider controller={new Controller()}>
 *     <App />
 *   </DataProvider>,
 * )
 * ```
 */
export function DataProvider({ controller, children }: DataProviderProps): React.ReactElement {
  useCheck(controller)
  return controller
    ? React.createElement(ControllerContext.Provider, { value: controller }, children)
    : React.createElement(OwnController, undefined, children)
}

/** Warns of controllers that are created during render: each starts empty, and fetches all data on the screen again. */
function useWarningOfMany(controller: Controller | undefined): void {
  const received = React.useRef<{ last: Controller | undefined; times: readonly number[] }>({
    last: undefined,
    times: [],
  })
  React.useEffect(() => {
    if (controller === received.current.last) return
    const now = Date.now()
    // A new session or a hot reload may replace the controller, but not three times in a second.
    const times = [...received.current.times.filter((time) => now - time < 1_000), now]
    received.current = { last: controller, times }
    if (times.length !== 3) return
    console.warn(
      'A DataProvider received three controllers within a second, and each fetches everything again. Create it once: ' +
        'outside of the component, or with useState(() => new Controller()).',
    )
  }, [controller])
}

const useCheck = process.env.NODE_ENV === 'production' ? (): void => {} : useWarningOfMany

/** Creates a controller and disposes it with the provider, unless StrictMode or hot reload mounts again at once. */
function OwnController({ children }: DataProviderProps): React.ReactElement {
  const [controller, setController] = React.useState(ownController)
  const mounts = React.useRef(0)
  React.useEffect(() => {
    const mount = ++mounts.current
    return () =>
      queueMicrotask(() => {
        if (mounts.current !== mount) return
        controller.dispose()
        // A tree that was only hidden gets a new controller when it is shown again.
        setController(ownController)
      })
  }, [controller])
  // React drops the state of a tree that suspends before its first commit. Without this boundary, each retry would create a
  // new controller and fetch again.
  const inner = React.createElement(React.Suspense, undefined, children)
  return React.createElement(ControllerContext.Provider, { value: controller }, inner)
}

function ownController(): Controller {
  return new Controller({ server: typeof window === 'undefined' })
}

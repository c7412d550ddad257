'use client'
import { Controller } from '@roundtable/core'
import * as React from 'react'
import { ControllerContext } from './controller-key.js'

/** What `DataProvider` takes. */
export interface DataProviderProps {
  /**
   * The controller that everything inside shares; it may be shared with other frameworks on the page.
   *
   * @default one of its own, which is disposed when the provider unmounts
   */
  readonly controller?: Controller | undefined
  readonly children?: React.ReactNode
}

/**
 * Provides a controller to everything inside.
 *
 * @remarks
 * Without `controller` it has a `Suspense` boundary of its own around its children, which shows nothing: put an `AsyncBoundary` inside
 * for what shall be shown while they wait. In development it warns if it is given a new controller on each render.
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
  useWarningOfMany(controller)
  return controller
    ? React.createElement(ControllerContext.Provider, { value: controller }, children)
    : React.createElement(OwnController, undefined, children)
}

/** Tells a developer of controllers that are made while rendering: each begins empty, and asks anew for all that is on the screen. */
function useWarningOfMany(controller: Controller | undefined): void {
  const given = React.useRef<{ last: Controller | undefined; times: readonly number[] }>({ last: undefined, times: [] })
  React.useEffect(() => {
    if (process.env.NODE_ENV === 'production' || controller === given.current.last) return
    const now = Date.now()
    // A session or a hot reload may bring another one, but none brings three in a second.
    const times = [...given.current.times.filter((time) => now - time < 1_000), now]
    given.current = { last: controller, times }
    if (times.length !== 3) return
    console.warn(
      'A DataProvider was given three controllers within a second, and each asks for everything anew. Make it once: ' +
        'outside of the component, or with useState(() => new Controller()).',
    )
  }, [controller])
}

/** Makes a controller that ends with the provider. StrictMode and hot reload mount again at once: that ends nothing. */
function OwnController({ children }: DataProviderProps): React.ReactElement {
  const [controller, setController] = React.useState(ownController)
  const mounts = React.useRef(0)
  React.useEffect(() => {
    const mount = ++mounts.current
    return () =>
      queueMicrotask(() => {
        if (mounts.current !== mount) return
        controller.dispose()
        // Where the tree was only hidden, it begins with another one when it is shown again.
        setController(ownController)
      })
  }, [controller])
  // React keeps nothing of a tree that suspends before its first commit: without a boundary in here each retry would make another
  // controller, which asks anew.
  const inner = React.createElement(React.Suspense, undefined, children)
  return React.createElement(ControllerContext.Provider, { value: controller }, inner)
}

function ownController(): Controller {
  return new Controller({ server: typeof window === 'undefined' })
}

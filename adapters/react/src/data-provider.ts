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
  return controller
    ? React.createElement(ControllerContext.Provider, { value: controller }, children)
    : React.createElement(OwnController, undefined, children)
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
  return React.createElement(DataProvider, { controller }, children)
}

function ownController(): Controller {
  return new Controller({ server: typeof window === 'undefined' })
}

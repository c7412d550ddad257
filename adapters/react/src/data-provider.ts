'use client'
import { Controller } from '@roundtable/core'
// The namespace, not names: the React of server components has no state and no effects.
import * as React from 'react'
import { ControllerContext } from './controller-context.js'

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
  return controller === undefined
    ? React.createElement(OwnController, undefined, children)
    : React.createElement(ControllerContext.Provider, { value: controller }, children)
}

/** Makes a controller and ends it with the provider. StrictMode and HMR unmount what they mount again at once: that ends nothing. */
function OwnController({ children }: { readonly children?: React.ReactNode }): React.ReactElement {
  const [life, setLife] = React.useState(begin)
  React.useEffect(() => {
    if (life.isOver) setLife(begin)
    life.isMounted = true
    return () => {
      life.isMounted = false
      queueMicrotask(() => {
        if (life.isMounted) return
        life.isOver = true
        life.controller.dispose()
      })
    }
  }, [life])
  return React.createElement(ControllerContext.Provider, { value: life.controller }, children)
}

interface Life {
  readonly controller: Controller
  isMounted: boolean
  isOver: boolean
}

function begin(): Life {
  return { controller: new Controller({ server: typeof window === 'undefined' }), isMounted: false, isOver: false }
}

'use client'
import type { Manager as CoreManager } from '@roundtable/core'
import { DataProvider as Provider } from '@roundtable/react'
import * as React from 'react'
import { Controller } from './controller.js'
import { type GCPolicy, getDefaultManagers, type Manager, NetworkManager } from './managers.js'
import { NotCarriedError } from './not-carried.js'
import { initialState as empty, type State } from './state.js'

/** The props of `DataProvider`. */
export interface ProviderProps {
  readonly children?: React.ReactNode
  /** Managers of data-client and of Roundtable, which live as long as the provider. */
  readonly managers?: readonly (Manager | CoreManager)[] | undefined
  readonly gcPolicy?: GCPolicy | undefined
  /** Only the `initialState` of this package: `hydrate` of `@roundtable/core/hydration` fills a controller. */
  readonly initialState?: State | undefined
  /** Only the `Controller` of this package. */
  readonly Controller?: typeof Controller | undefined
  /** Ignored: the devtools are a package. */
  readonly devButton?: unknown
}

/**
 * Provides a controller to all components inside. Its managers start and end with the provider.
 *
 * @throws NotCarriedError for another state or controller class
 * @example
 * ```tsx
 * createRoot(element).render(
 *   <DataProvider managers={[...getDefaultManagers(), new LogoutManager()]}>
 *     <App />
 *   </DataProvider>,
 * )
 * ```
 */
export function DataProvider({ children, ...props }: ProviderProps): React.ReactElement {
  const [controller] = React.useState(() => controllerOf(props))
  const mounts = React.useRef(0)
  React.useEffect(() => {
    const mount = ++mounts.current
    const stop = controller.connect()
    return () => {
      stop()
      // StrictMode and hot reload mount the provider again at once.
      queueMicrotask(() => mounts.current === mount && controller.dispose())
    }
  }, [controller])
  // React drops the state of a tree that suspends before its first commit.
  const inner = React.createElement(React.Suspense, { fallback: React.createElement(BackupLoading) }, children)
  return React.createElement(Provider, { controller }, inner)
}

/** The fallback of the provider's own `Suspense`. */
export function BackupLoading(): React.ReactElement {
  return React.createElement('div', undefined, 'Loading…')
}

function controllerOf({
  managers = getDefaultManagers(),
  gcPolicy,
  initialState,
  Controller: Class,
}: ProviderProps): Controller {
  if (initialState !== undefined && initialState !== empty)
    throw new NotCarriedError(
      'initialState of a provider',
      'hydrate(controller, payload) of @roundtable/core/hydration fills a controller.',
    )
  if (Class !== undefined && Class !== Controller)
    throw new NotCarriedError('Controller of a provider', 'pass an instance to the DataProvider of @roundtable/react.')
  const lifetimes = managers.find((manager) => manager instanceof NetworkManager)
  return new Controller({
    managers,
    dataExpiryLength: lifetimes?.dataExpiryLength,
    errorExpiryLength: lifetimes?.errorExpiryLength,
    retention: gcPolicy?.retention,
    server: typeof window === 'undefined',
  })
}

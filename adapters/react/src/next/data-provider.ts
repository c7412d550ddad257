'use client'
import { Controller } from '@roundtable/core'
import { dehydrateParts, receiveState, toStatement } from '@roundtable/core/hydration'
import { useServerInsertedHTML } from 'next/navigation.js'
import * as React from 'react'
import { DataProvider as Provider } from '../data-provider.js'

/** The props of `DataProvider`. */
export interface DataProviderProps {
  /**
   * Creates the controller: one for each page on the server, where `server` is true, and a single one in the browser.
   *
   * @default (options) => new Controller(options)
   */
  readonly createController?: ((options: { readonly server: boolean }) => Controller) | undefined
  /**
   * The nonce of the page's Content Security Policy, for the scripts that contain the data.
   *
   * @default undefined
   */
  readonly nonce?: string | undefined
  readonly children?: React.ReactNode
}

/**
 * Provides a controller to all components inside, on the server and in the browser. Data that client components fetch during
 * server rendering is streamed with the page, so the browser does not fetch it again.
 *
 * @remarks
 * A layout, which is a server component, can render it without props, or with a `nonce`. `createController` is a
 * function, which only client components can pass.
 *
 * @example
 * ```tsx
 * import { DataProvider } from '@roundtable/react/next'
 *
 * export default function Layout({ children }: { children: React.ReactNode }) {
 *   return (
 *     <html lang="en">
 *       <body>
 *         <DataProvider>{children}</DataProvider>
 *       </body>
 *     </html>
 *   )
 * }
 * ```
 */
export function DataProvider({
  createController = newController,
  nonce,
  children,
}: DataProviderProps): React.ReactElement {
  const [controller] = React.useState(() => {
    const made = createController({ server: typeof window === 'undefined' })
    receiveState(made, { isRendering: true })
    return made
  })
  React.useEffect(() => receiveState(controller), [controller])
  // The output of server components contains the data that they loaded. Bundlers drop this server code from the browser's
  // script.
  const next = React.useMemo(
    () => (typeof window === 'undefined' ? dehydrateParts(controller, { hydrated: false }) : undefined),
    [controller],
  )
  useServerInsertedHTML(() => {
    const part = next?.()
    if (typeof window !== 'undefined' || part === undefined) return undefined
    return React.createElement('script', { nonce, dangerouslySetInnerHTML: { __html: toStatement(part) } })
  })
  return React.createElement(Provider, { controller }, children)
}

function newController(options: { readonly server: boolean }): Controller {
  return new Controller(options)
}

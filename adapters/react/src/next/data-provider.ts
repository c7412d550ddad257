'use client'
import { Controller } from '@roundtable/core'
import { dehydrateParts, receiveState, toStatement } from '@roundtable/core/hydration'
import { useServerInsertedHTML } from 'next/navigation.js'
import * as React from 'react'
import { DataProvider as Provider } from '../data-provider.js'

/** The props of `DataProvider`. */
export interface DataProviderProps {
  /**
   * Makes the controller: on the server, where `server` is true, one for each page, and in the browser one.
   *
   * @default (options) => new Controller(options)
   */
  readonly createController?: ((options: { readonly server: boolean }) => Controller) | undefined
  /**
   * The nonce of the page's Content Security Policy, for the scripts that bring the data.
   *
   * @default undefined
   */
  readonly nonce?: string | undefined
  readonly children?: React.ReactNode
}

/**
 * Provides a controller to all components inside, on the server and in the browser. Data that client components fetch while the server
 * renders them is streamed with the page: the browser fetches nothing again.
 *
 * @remarks
 * A layout, which is a server component, can render it without props, or with a `nonce`. `createController` is a function, which
 * only client components can pass.
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
  // Data that server components have loaded comes with their own output. Bundlers leave code that only servers need out of the browser's
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

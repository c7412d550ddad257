import { Controller } from '@roundtable/core'
import { DataProvider } from '@roundtable/react'
import { type ReactNode, useContext, useState } from 'react'
import { Link, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router'
import { getStats } from './api'
import { NonceContext } from './nonce'

export function meta(): { title: string }[] {
  return [{ title: 'Issues' }]
}

export default function Root(): ReactNode {
  const nonce = useContext(NonceContext)
  const [controller] = useState(createController)
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        <DataProvider controller={controller}>
          <nav>
            <Link to="/">All issues</Link>
          </nav>
          <main>
            <Outlet />
          </main>
          <footer>Made with Roundtable</footer>
        </DataProvider>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

/** On the server one for each page, and in the browser one. */
function createController(): Controller {
  const server = typeof document === 'undefined'
  const controller = new Controller({ server })
  // For the console of a developer, and for tests.
  if (!server) Object.assign(window, { app: { controller, getStats } })
  return controller
}

'use client'
import { Controller, type Transport } from '@roundtable/core'
import { DataProvider } from '@roundtable/react/next'
import type { ReactNode } from 'react'
import { getStats } from './api'

/** Client components are rendered on the server too, where addresses need an origin. They know no cookies there. */
const toApi: Transport = (input, init) => fetch(new URL(String(input), process.env.API_URL), init)

function createController({ server }: { readonly server: boolean }): Controller {
  const controller = new Controller({ server, transport: server ? toApi : undefined })
  // For the console of a developer, and for tests.
  if (!server) Object.assign(window, { app: { controller, getStats } })
  return controller
}

export function Providers({ nonce, children }: { nonce?: string | undefined; children: ReactNode }): ReactNode {
  return (
    <DataProvider createController={createController} nonce={nonce}>
      {children}
    </DataProvider>
  )
}

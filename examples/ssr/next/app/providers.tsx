'use client'
import { Controller } from '@roundtable/core'
import { DataProvider } from '@roundtable/react/next'
import type { ReactNode } from 'react'
import { getStats } from './api'
import { toApi } from './to-api'

/** Client components are rendered on the server too, where addresses need an origin. They know no cookies there. */
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

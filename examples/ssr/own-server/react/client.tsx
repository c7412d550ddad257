import { Controller } from '@roundtable/core'
import { fromDocument, hydrate } from '@roundtable/core/hydration'
import { DataProvider } from '@roundtable/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { getStats } from '../issues.js'
import { App } from './app.js'

const controller = hydrate(new Controller(), fromDocument())
// For the console of a developer, and for tests.
Object.assign(window, { app: { controller, getStats } })

hydrateRoot(
  document.getElementById('app') as HTMLElement,
  <StrictMode>
    <DataProvider controller={controller}>
      <App />
    </DataProvider>
  </StrictMode>,
)

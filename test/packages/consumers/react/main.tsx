import { AsyncBoundary, DataProvider } from '@roundtable/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Todos } from './todos.js'

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <DataProvider>
      <AsyncBoundary fallback="loading">
        <Todos userId={1} />
      </AsyncBoundary>
    </DataProvider>
  </StrictMode>,
)

import { AsyncBoundary, DataProvider } from '@roundtable/react'
import { createRoot } from 'react-dom/client'
import { Books } from './books.js'

createRoot(document.getElementById('root') as HTMLElement).render(
  <DataProvider>
    <AsyncBoundary fallback="Loading …">
      <Books />
    </AsyncBoundary>
  </DataProvider>,
)

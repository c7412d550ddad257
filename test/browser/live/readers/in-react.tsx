import { AsyncBoundary, DataProvider, useLive } from '@roundtable/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { Show } from './main.js'
import { controller, getLiveTasks, titlesOf } from './tasks.js'

function Reader(): ReactNode {
  return <output>{titlesOf(useLive(getLiveTasks))}</output>
}

function Closable(): ReactNode {
  const [isOpen, setOpen] = useState(true)
  return (
    isOpen && (
      <p>
        <AsyncBoundary fallback={<output>loading</output>}>
          <Reader />
        </AsyncBoundary>
        <button type="button" onClick={() => setOpen(false)}>
          Close
        </button>
      </p>
    )
  )
}

export const show: Show = (element) => {
  createRoot(element).render(
    <StrictMode>
      <DataProvider controller={controller}>
        <Closable />
        <Closable />
      </DataProvider>
    </StrictMode>,
  )
}

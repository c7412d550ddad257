import type { Controller } from '@roundtable/core'
import { DataProvider } from '@roundtable/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Board } from './board.js'

/** Shows the board in an element. */
export function mountBoard(element: HTMLElement, controller: Controller): void {
  // An error that a boundary caught is shown on the page, with its reason.
  createRoot(element, { onCaughtError: () => {} }).render(
    <StrictMode>
      <DataProvider controller={controller}>
        <Board />
      </DataProvider>
    </StrictMode>,
  )
}

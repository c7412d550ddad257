import { tanstackPlugin } from '@roundtable/devtools'
import { DataProvider, useDLE } from '@roundtable/react'
import { TanStackDevtools } from '@tanstack/react-devtools'
import { type ReactElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { controller, finish, listed, TodoResource } from './app.js'

function Todos(): ReactElement {
  const { data } = useDLE(TodoResource.getList)
  return (
    <button type="button" onClick={finish}>
      {listed(data)}
    </button>
  )
}

createRoot(document.querySelector('main') as HTMLElement).render(
  <StrictMode>
    <DataProvider controller={controller}>
      <Todos />
    </DataProvider>
    <TanStackDevtools plugins={[tanstackPlugin(controller)]} config={{ defaultOpen: true }} />
  </StrictMode>,
)

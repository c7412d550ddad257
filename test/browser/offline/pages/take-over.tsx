import { Controller } from '@roundtable/core'
import { dehydrate } from '@roundtable/core/hydration'
import { DataProvider, useSuspense } from '@roundtable/react'
import { Hydrate } from '@roundtable/react/ssr'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import type { TaskList } from './main.js'

/** Renders a list as a server does that knows these rows, and takes over the page with a controller. */
export async function takeOver(controller: Controller, getList: TaskList, rows: readonly object[]) {
  function Titles() {
    return (
      <p>
        {useSuspense(getList)
          .map(({ title }) => title)
          .join(', ')}
      </p>
    )
  }
  const server = new Controller({ server: true })
  server.setResponse(getList, rows as never)
  const html = renderToString(
    <DataProvider controller={server}>
      <Titles />
    </DataProvider>,
  )
  const state = JSON.parse(JSON.stringify(dehydrate(server)))
  const element = document.createElement('main')
  element.innerHTML = html
  document.body.append(element)
  const shown = [element.textContent]
  new MutationObserver(() => shown.push(element.textContent)).observe(element, {
    characterData: true,
    childList: true,
    subtree: true,
  })
  const complaints: string[] = []
  hydrateRoot(
    element,
    <DataProvider controller={controller}>
      <Hydrate state={state}>
        <Titles />
      </Hydrate>
    </DataProvider>,
    { onRecoverableError: (error) => complaints.push(String(error)) },
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  return { shown, complaints }
}

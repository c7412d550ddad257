import { Controller } from '@roundtable/core'
import { dehydrate, toScript } from '@roundtable/core/hydration'
import { DataProvider } from '@roundtable/react'
import { renderToReadableStream } from 'react-dom/server'
import type { Render } from '../page.js'
import { App } from './app.js'

export const render: Render = async (transport) => {
  const controller = new Controller({ server: true, transport })
  const page = await renderToReadableStream(
    <DataProvider controller={controller}>
      <App />
    </DataProvider>,
  )
  await page.allReady
  return { body: await new Response(page).text(), state: toScript(dehydrate(controller)) }
}

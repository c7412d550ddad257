import { Controller } from '@roundtable/core'
import { streamState } from '@roundtable/core/hydration'
import { renderToReadableStream } from 'react-dom/server'
import type { Render } from '../page.js'
import { Page } from './app.js'

export const render: Render = async ({ transport, nonce, script, isWhole }) => {
  const controller = new Controller({ server: true, transport })
  const html = await renderToReadableStream(<Page controller={controller} />, { nonce, bootstrapModules: [script] })
  if (isWhole) await html.allReady
  return streamState(html, controller, { nonce })
}

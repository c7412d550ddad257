import { Controller } from '@roundtable/core'
import { dehydrate, toScript } from '@roundtable/core/hydration'
import { render as renderSvelte } from 'svelte/server'
import { pageOf, type Render } from '../page.js'
import App from './app.svelte'

export const render: Render = async ({ transport, script }) => {
  const controller = new Controller({ server: true, transport })
  const { body } = await renderSvelte(App, { props: { controller } })
  return pageOf(body, toScript(dehydrate(controller)), script)
}

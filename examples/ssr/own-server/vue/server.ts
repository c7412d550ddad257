import { Controller } from '@roundtable/core'
import { dehydrate, toScript } from '@roundtable/core/hydration'
import { createDataClient, serverErrors } from '@roundtable/vue'
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { pageOf, type Render } from '../page.js'
import App from './app.vue'

export const render: Render = async ({ transport, script }) => {
  const controller = new Controller({ server: true, transport })
  const body = await renderToString(createSSRApp(App).use(createDataClient({ controller })).use(serverErrors))
  return pageOf(body, toScript(dehydrate(controller)), script)
}

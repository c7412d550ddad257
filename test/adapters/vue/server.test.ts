// @vitest-environment node
import { renderToString } from 'vue/server-renderer'
import { serverContract, textOf } from '../server-contract.js'
import { appOf, vue } from './harness.js'

serverContract({
  name: vue.name,
  noise: vue.noise,
  render: async (controller, views) => textOf(await renderToString(appOf(controller, views).app)),
})

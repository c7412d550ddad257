// @vitest-environment node
import { Controller, Endpoint } from '@roundtable/core'
import { AsyncBoundary, createDataClient, type ErrorSlotProps, useSuspense } from '@roundtable/vue'
import { describe, expect, test } from 'vitest'
import { type App, createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { expectNoise } from '../expected-noise.js'
import { serverContract, textOf } from '../server-contract.js'
import { appOf, vue } from './harness.js'

/** The error of the page below. */
const refusal = new Error('no such page')

/** A page whose only part fails on a server, inside a boundary. */
function failingPage(): App {
  const getPage = new Endpoint(
    async (): Promise<string> => {
      throw refusal
    },
    { name: 'getPage' },
  )
  const Inner = {
    async setup() {
      const page = await useSuspense(getPage)
      return () => h('p', page.value)
    },
  }
  const error = ({ error }: ErrorSlotProps) => [h('p', `failed: ${error.message}`)]
  const app = createSSRApp(() => h('main', [h(AsyncBoundary, null, { default: () => [h(Inner)], error })]))
  return app.use(createDataClient({ controller: new Controller({ server: true }) }))
}

serverContract({
  name: vue.name,
  noise: vue.noise,
  render: async (controller, views) => textOf(await renderToString(appOf(controller, views).app)),
})

describe('an error inside a boundary on a server', () => {
  expectNoise([...vue.noise, /Unhandled error/, /missing template or render function/])

  test('goes to the app, which responds with its status or its own page', async () => {
    const reported: unknown[] = []
    const app = failingPage()
    app.config.errorHandler = (error) => reported.push(error)
    await renderToString(app)
    expect(reported).toEqual([refusal])
  })

  test('fails the page if nobody handles it', async () => {
    await expect(renderToString(failingPage())).rejects.toBe(refusal)
  })
})

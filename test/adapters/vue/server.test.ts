// @vitest-environment node
import { Controller, Endpoint } from '@roundtable/core'
import { AsyncBoundary, createDataClient, type ErrorSlotProps, serverErrors, useSuspense } from '@roundtable/vue'
import { describe, expect, test, vi } from 'vitest'
import { type App, type Component, createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { expectNoise } from '../expected-noise.js'
import { serverContract, textOf } from '../server-contract.js'
import { appOf, vue } from './harness.js'

/** The error of the page below. */
const refusal = new Error('no such page')

const getPage = new Endpoint(
  async (): Promise<string> => {
    throw refusal
  },
  { name: 'getPage' },
)

const Failing: Component = {
  async setup() {
    const page = await useSuspense(getPage)
    return () => h('p', page.value)
  },
}

/** A page of which a part fails on a server, inside a boundary. */
function failingPage(props: object = {}, Inner: Component = Failing): App {
  const error = ({ error }: ErrorSlotProps) => [h('p', `failed: ${error.message}`)]
  const slots = { default: () => [h('div', [h(Inner), h('i', 'beside')])], error }
  const app = createSSRApp(() => h('main', [h('h1', 'Title'), h(AsyncBoundary, props, slots)]))
  return app.use(createDataClient({ controller: new Controller({ server: true }) })).use(serverErrors)
}

serverContract({
  name: vue.name,
  noise: vue.noise,
  render: async (controller, views) => textOf(await renderToString(appOf(controller, views).app)),
})

describe('an error inside a boundary on a server', () => {
  expectNoise([...vue.noise, /Unhandled error/, /missing template or render function/])

  const html = async (props?: object, inner?: Component): Promise<string> =>
    (await renderToString(failingPage(props, inner))).replaceAll(/<!--.*?-->/g, '')

  test('is shown in its place without what its message tells of the server, and the rest of the page is rendered', async () => {
    const reported: unknown[] = []
    const app = failingPage({ onError: (error: Error) => reported.push(error) })
    app.config.errorHandler = (error) => reported.push(error)
    const text = (await renderToString(app)).replaceAll(/<!--.*?-->/g, '')
    expect(text).toBe(
      '<main><h1>Title</h1><div><p>failed: This part failed on the server.</p><i>beside</i></div></main>',
    )
    expect(reported).toEqual([refusal])
  })

  test('is written to the console if nobody listens', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    expect(await html()).toContain('failed: This part')
    expect(logged).toHaveBeenCalledExactlyOnceWith(refusal)
    logged.mockRestore()
  })

  test('is shown once for all that failed', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const text = await html({}, () => [h(Failing), h('b', 'between'), h(Failing)])
    expect(text).toContain('<p>failed: This part failed on the server.</p><b>between</b><i>beside</i>')
    expect(logged.mock.calls).toEqual([[refusal], [refusal]])
    logged.mockRestore()
  })

  test('fails the page if the app does not use serverErrors', async () => {
    const app = createSSRApp(() => h(AsyncBoundary, null, { default: () => [h(Failing)] }))
    app.use(createDataClient({ controller: new Controller({ server: true }) }))
    await expect(renderToString(app)).rejects.toBe(refusal)
  })

  test('goes to the app if it came while something rendered', async () => {
    const reported: unknown[] = []
    const app = failingPage({}, () => {
      throw refusal
    })
    app.config.errorHandler = (error) => reported.push(error)
    await renderToString(app)
    expect(reported).toEqual([refusal])
  })
})

// @vitest-environment node
import { Controller, type ControllerOptions, Endpoint, type PagesEndpoint, RestEndpoint } from '@roundtable/core'
import * as vueAdapter from '@roundtable/vue'
import { useController, useDLE, usePages } from '@roundtable/vue'
import { type NuxtEvent, type NuxtSettings, startNuxt } from '@roundtable/vue/nuxt-app'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Component, createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { AUTO_IMPORTS } from '../../../adapters/vue/src/nuxt-imports.js'

const userAt = (urlPrefix: string) =>
  new RestEndpoint({ urlPrefix, path: '/api/me', process: (user: { name: string }) => user })
const getUser = userAt('')
const getOther = userAt('https://api.test')

/** What was requested: of Nuxt's own server, or over the network. */
let sent: { readonly by: 'nuxt' | 'network'; readonly url: string; readonly headers: Record<string, string> }[] = []

beforeEach(() => {
  sent = []
  const answers = (by: 'nuxt' | 'network') => async (url: unknown, init: RequestInit) => {
    sent.push({ by, url: String(url), headers: Object.fromEntries(new Headers(init.headers)) })
    return Response.json({ name: 'Ann' })
  }
  vi.stubGlobal('$fetch', { native: answers('nuxt') })
  vi.stubGlobal('fetch', answers('network'))
})
afterEach(() => vi.unstubAllGlobals())

const event: NuxtEvent = {
  context: {},
  node: {
    req: { headers: { cookie: 'token=ann', authorization: 'Basic x', 'if-none-match': '"1"', host: 'page.test' } },
  },
}

/** Renders a page as a server of Nuxt does. */
async function render(
  page: Component,
  settings: NuxtSettings = {},
  {
    isPrerendered = false,
    controllerOf,
  }: { isPrerendered?: boolean; controllerOf?: (options: ControllerOptions) => Controller } = {},
) {
  const vueApp = createSSRApp(page)
  const payload: { data: Record<string, unknown> } = { data: {} }
  let rendered = (): void => {}
  const hook = (_: string, work: () => void): void => {
    rendered = work
  }
  const router = { beforeResolve: () => {} }
  startNuxt({ vueApp, payload, static: { data: {} }, hook }, settings, { controllerOf, event, isPrerendered, router })
  const html = await renderToString(vueApp)
  rendered()
  return { html, state: payload.data.roundtable as Record<string, unknown> }
}

const pageOf = (endpoint: typeof getUser): Component => ({
  setup() {
    const { data, loading } = useDLE(endpoint)
    return () => h('p', loading.value ? 'loading' : data.value?.name)
  },
})

describe('a server of Nuxt', () => {
  test('waits for useDLE, and puts the state into the payload', async () => {
    const { html, state } = await render(pageOf(getUser))
    expect(html).toBe('<p>Ann</p>')
    expect(JSON.stringify(state)).toContain('GET /api/me')
    expect(state).not.toHaveProperty('madeAt')
  })

  test('with lazy renders loading, and requests nothing', async () => {
    expect((await render(pageOf(getUser), { lazy: true })).html).toBe('<p>loading</p>')
    expect(sent).toEqual([])
  })

  test('waits for usePages, and shows an error that useDLE meets', async () => {
    const failing = new Endpoint(async (): Promise<string[]> => Promise.reject(new Error('no such list')), {
      name: 'failing',
    })
    const page = {
      setup() {
        const { error } = usePages(failing as unknown as PagesEndpoint)
        return () => h('p', error.value?.message)
      },
    }
    expect((await render(page)).html).toBe('<p>no such list</p>')
  })

  test('requests paths of itself, with the headers of the user that an API needs and no others', async () => {
    await render(pageOf(getUser))
    expect(sent).toMatchObject([{ by: 'nuxt', url: '/api/me' }])
    expect(sent[0]?.headers).toMatchObject({ cookie: 'token=ann', authorization: 'Basic x' })
    expect(Object.keys(sent[0]?.headers ?? {})).not.toContain('if-none-match')
    expect(Object.keys(sent[0]?.headers ?? {})).not.toContain('host')
  })

  test('tells another origin nothing of the user, unless it is named', async () => {
    await render(pageOf(getOther))
    expect(sent).toMatchObject([{ by: 'network', url: 'https://api.test/api/me' }])
    expect(sent[0]?.headers).not.toHaveProperty('cookie')
    await render(pageOf(getOther), { forwardTo: ['https://api.test'], forwardHeaders: ['Cookie'] })
    expect(sent[1]?.headers).toMatchObject({ cookie: 'token=ann' })
    expect(sent[1]?.headers).not.toHaveProperty('authorization')
  })

  test('has a controller for each request, which the application may make', async () => {
    const made: Controller[] = []
    const controllerOf = (options: ControllerOptions): Controller => {
      const controller = new Controller({ ...options, dataExpiryLength: 5_000 })
      made.push(controller)
      return controller
    }
    let used: Controller | undefined
    const page = {
      setup() {
        used = useController()
        return () => h('p')
      },
    }
    await render(page, {}, { controllerOf })
    expect(used).toBe(made[0])
    await render(page, {}, { controllerOf })
    expect(made).toHaveLength(2)
  })

  test('says when a page was made, if that is in advance', async () => {
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000)
    const { state } = await render(pageOf(getUser), {}, { isPrerendered: true })
    now.mockRestore()
    expect(state.madeAt).toBe(1_700_000_000_000)
  })
})

test('all hooks need no import, but those with a name that Nuxt uses', () => {
  const hooks = Object.keys(vueAdapter).filter(
    (name) => name.startsWith('use') && !['useError', 'useFetch'].includes(name),
  )
  expect([...AUTO_IMPORTS].sort()).toEqual(hooks.sort())
})

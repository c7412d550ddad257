import { Controller, Endpoint, NetworkError, RestEndpoint } from '@roundtable/core'
import type * as Adapter from '@roundtable/vue'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type * as Vue from 'vue'
import { breathe } from '../harness.js'

const builds = ['development', 'production'] as const
const files = {
  development: () => import('vue/dist/vue.runtime.esm-browser.js' as string),
  production: () => import('vue/dist/vue.runtime.esm-browser.prod.js' as string),
}

describe.each(builds)('errors that a boundary catches, with the %s build of Vue', (build) => {
  let vue: typeof Vue
  let adapter: typeof Adapter
  let app: Vue.App | undefined
  /** The errors that reached the app's handler. */
  let unhandled: unknown[]

  beforeEach(async () => {
    // A development build announces itself on the console.
    for (const method of ['warn', 'info', 'log'] as const) vi.spyOn(console, method).mockImplementation(() => {})
    vi.resetModules()
    vi.doMock('vue', files[build])
    vue = await import('vue')
    adapter = await import('@roundtable/vue')
    unhandled = []
  })

  afterEach(() => {
    app?.unmount()
    app = undefined
    vi.doUnmock('vue')
    vi.restoreAllMocks()
  })

  /** The page of a component inside a boundary. */
  async function open(inner: object): Promise<HTMLElement> {
    const root = document.createElement('main')
    app = vue.createApp(() =>
      vue.h(adapter.AsyncBoundary, null, {
        default: () => [vue.h(inner as Vue.Component)],
        error: ({ error, resetErrorBoundary }: Adapter.ErrorSlotProps) => [
          vue.h('button', { onClick: resetErrorBoundary }, `failed: ${error.message}`),
        ],
      }),
    )
    app.config.errorHandler = (error) => unhandled.push(error)
    app.use(adapter.createDataClient({ controller: new Controller() })).mount(root)
    await breathe()
    return root
  }

  const refusal = new Error('refused')
  const refuse = async (): Promise<never> => {
    throw refusal
  }

  test('this is that build', async () => {
    const infos: string[] = []
    const Failing = { setup: refuse }
    app = vue.createApp({
      setup() {
        vue.onErrorCaptured((_, __, info) => {
          infos.push(info)
          return false
        })
        return () => vue.h(vue.Suspense, null, { default: () => vue.h(Failing) })
      },
    })
    app.mount(document.createElement('main'))
    await breathe()
    expect(infos[0]).toMatch(build === 'production' ? /#runtime-0$/ : /^setup function$/)
  })

  test('a refused change leaves the page as it is; the app gets the error', async () => {
    vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }))
    const patch = new RestEndpoint({ path: '/todos/:id', method: 'PATCH', urlPrefix: 'http://api' })
    const root = await open({
      setup() {
        const controller = adapter.useController()
        const title = vue.ref('typed')
        return () => vue.h('p', { onClick: () => controller.fetch(patch, { id: 1 }, {}) }, title.value)
      },
    })
    root.querySelector('p')?.click()
    await breathe()
    vi.unstubAllGlobals()
    expect(root.textContent).toBe('typed')
    expect(unhandled).toEqual([expect.any(NetworkError)])
  })

  test('also from a handler that throws at once', async () => {
    const fail = (): never => {
      throw refusal
    }
    const root = await open(() => vue.h('p', { onClick: fail }, 'there'))
    root.querySelector('p')?.click()
    await breathe()
    expect(root.textContent).toBe('there')
    expect(unhandled).toEqual([refusal])
  })

  test("also from a handler of a component's event", async () => {
    const Child = {
      emits: ['save'],
      setup:
        (_: object, { emit }: Vue.SetupContext) =>
        () =>
          vue.h('p', { onClick: () => emit('save') }, 'there'),
    }
    const root = await open(() => vue.h(Child as Vue.Component, { onSave: refuse }))
    root.querySelector('p')?.click()
    await breathe()
    expect(root.textContent).toBe('there')
    expect(unhandled).toEqual([refusal])
  })

  test.each([
    ['a watcher that saves', (watched: Vue.Ref<number>) => vue.watch(watched, refuse)],
    [
      'an effect that saves',
      (watched: Vue.Ref<number>) => vue.watchEffect(() => (watched.value > 0 ? refuse() : undefined)),
    ],
    ['what is sent when the component was updated', () => vue.onUpdated(refuse)],
  ])('also from %s', async (_, follow) => {
    const root = await open({
      setup() {
        const count = vue.ref(0)
        follow(count)
        return () => vue.h('p', { onClick: () => count.value++ }, `there ${count.value}`)
      },
    })
    root.querySelector('p')?.click()
    await breathe()
    expect(root.textContent).toBe('there 1')
    expect(unhandled).toEqual([refusal])
  })

  test.each([
    ['mounted', () => vue.onMounted(refuse)],
    ['about to be mounted', () => vue.onBeforeMount(refuse)],
  ])('also from a request that is sent when the component is %s', async (_, hook) => {
    const root = await open({
      setup() {
        hook()
        return () => vue.h('p', 'there')
      },
    })
    expect(root.textContent).toBe('there')
    expect(unhandled).toEqual([refusal])
  })

  test('also from a request that is sent when a component leaves', async () => {
    const isOpen = vue.ref(true)
    const Leaving = {
      setup() {
        vue.onBeforeUnmount(refuse)
        vue.onUnmounted(refuse)
        return () => vue.h('i', 'draft')
      },
    }
    const root = await open(() => vue.h('p', ['there', isOpen.value ? vue.h(Leaving) : null]))
    isOpen.value = false
    await breathe()
    expect(root.textContent).toBe('there')
    expect(unhandled).toEqual([refusal, refusal])
  })

  const failing = {
    'a setup that throws': () => ({
      setup() {
        throw refusal
      },
    }),
    'a setup that rejects': () => ({ setup: refuse }),
    'a read that fails': () => {
      const failed = new Endpoint(refuse, { name: 'failed' })
      return {
        async setup() {
          const data = await adapter.useSuspense(failed)
          return () => vue.h('p', data.value)
        },
      }
    },
    'a render function that throws': () => () => {
      throw refusal
    },
    'a component that cannot be loaded': () => vue.defineAsyncComponent(refuse),
    'a getter that is watched': () => ({
      setup() {
        vue.watch(
          () => {
            throw refusal
          },
          () => {},
        )
        return () => vue.h('p', 'there')
      },
    }),
  }

  test.each(Object.entries(failing))('%s is caught', async (_, component) => {
    const root = await open(component())
    expect(root.textContent).toBe('failed: refused')
    expect(unhandled).toEqual([])
  })

  test('a later render that throws is caught', async () => {
    const isFailing = vue.ref(false)
    const root = await open(() => {
      if (isFailing.value) throw refusal
      return vue.h('p', 'there')
    })
    expect(root.textContent).toBe('there')
    isFailing.value = true
    await breathe()
    expect(root.textContent).toBe('failed: refused')
    isFailing.value = false
    root.querySelector('button')?.click()
    await breathe()
    expect(root.textContent).toBe('there')
    expect(unhandled).toEqual([])
  })
})

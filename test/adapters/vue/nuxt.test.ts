import { Controller, RestEndpoint } from '@roundtable/core'
import { type Dehydrated, dehydrate } from '@roundtable/core/hydration'
import { useController } from '@roundtable/vue'
import { startNuxt } from '@roundtable/vue/nuxt-app'
import { describe, expect, test, vi } from 'vitest'
import { type App, createApp } from 'vue'

const getUser = new RestEndpoint({ path: '/api/me', process: (user: { name: string }) => user })

/** The state of a server that knows a user. */
function stateOf(name: string): Dehydrated {
  const controller = new Controller({ server: true })
  controller.setResponse(getUser, { name })
  return dehydrate(controller)
}

/** An application of Nuxt in a browser, before it is mounted. */
function start(data: Record<string, unknown>) {
  const vueApp: App = createApp({})
  const nuxtApp = { vueApp, payload: { data }, static: { data: {} as Record<string, unknown> }, hook: () => {} }
  let resolve = (): void => {}
  const beforeResolve = (guard: () => void): void => {
    resolve = guard
  }
  startNuxt(nuxtApp, {}, { router: { beforeResolve } })
  const controller = vueApp.runWithContext(() => useController())
  return { controller, nuxtApp, navigate: () => resolve(), name: () => controller.getResponse(getUser).data?.name }
}

describe('Nuxt in a browser', () => {
  test('starts with what the server has sent, and keeps it once', () => {
    const data = { roundtable: stateOf('Ann'), other: 1 }
    const { name } = start(data)
    expect(name()).toBe('Ann')
    expect(data).toEqual({ other: 1 })
  })

  test('reads the state of a page that was made in advance when it is gone to', () => {
    const { nuxtApp, navigate, name } = start({})
    navigate()
    expect(name()).toBeUndefined()
    nuxtApp.static.data.roundtable = stateOf('Ann')
    navigate()
    expect(name()).toBe('Ann')
    expect(nuxtApp.static.data).toEqual({})
  })

  test('data of a page that was made in advance is as old as that page', () => {
    const now = 1_700_000_000_000
    vi.useFakeTimers({ now, toFake: ['Date', 'performance'] })
    const expiresIn = (madeAt?: number): number => {
      const { controller } = start({ roundtable: { ...stateOf('Ann'), madeAt } })
      return Math.max(0, (controller.getResponse(getUser).expiresAt - now) / 1_000)
    }
    expect(expiresIn()).toBe(60)
    expect(expiresIn(now - 40_000)).toBe(20)
    expect(expiresIn(now - 400_000)).toBe(0)
    expect(expiresIn(now + 400_000)).toBe(60)
    vi.useRealTimers()
  })
})

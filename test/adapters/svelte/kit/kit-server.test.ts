// @vitest-environment node
import { Controller } from '@roundtable/core'
import { createRequestController, pageController, stateOf, withState } from '@roundtable/svelte/kit'
import type { RequestEvent } from '@sveltejs/kit'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { setBuilding } from './app-environment.js'
import { setRequestEvent } from './app-server.js'
import { getTitle } from './titles.js'

afterEach(() => {
  setBuilding(false)
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** What is used of a request that SvelteKit answers. */
function requestEvent(given: Partial<RequestEvent> = {}): RequestEvent {
  const fetch = async (): Promise<Response> => Response.json('Ann')
  const event: Partial<RequestEvent> = { locals: {}, fetch, isDataRequest: false, ...given }
  // Nothing else of it is used.
  return event as RequestEvent
}

describe('a server of SvelteKit', () => {
  test('has a controller for each request, which requests by event.fetch', async () => {
    const event = requestEvent()
    const controller = createRequestController(event)
    expect((event.locals as { controller?: unknown }).controller).toBe(controller)
    expect(await controller.fetch(getTitle)).toBe('Ann')
    expect(createRequestController(requestEvent())).not.toBe(controller)
  })

  test('renders with the controller of the request', () => {
    const event = requestEvent()
    const controller = createRequestController(event)
    setRequestEvent(event)
    expect(pageController()).toBe(controller)
  })

  test('says what is missing if a request has no controller', () => {
    setRequestEvent(requestEvent())
    expect(() => pageController()).toThrow(/Call createRequestController\(event\) in handle of hooks\.server\.ts/)
  })

  test('sends the state at the end of the head, whatever it contains', () => {
    const controller = new Controller({ server: true })
    controller.setResponse(getTitle, "$& $' </head><script>")
    const page = withState('<head><title>T</title></head><body></body>', controller)
    expect(page).toMatch(
      /^<head><title>T<\/title><script type="application\/json" id="roundtable-state">\{.*\}<\/script><\/head><body>/,
    )
    expect(page).toContain("$\\u0026 $' \\u003c/head")
    expect(withState('part', controller)).toBe('part')
  })

  test('returns a state from load only where the HTML does not hold it', () => {
    const load = (isDataRequest: boolean) => {
      const event = requestEvent({ isDataRequest })
      createRequestController(event).setResponse(getTitle, 'Ann')
      return stateOf(event)
    }
    expect(load(false)).toBeUndefined()
    expect(JSON.stringify(load(true))).toContain('GET /api/title')
    expect(load(true)).not.toHaveProperty('madeAt')
    setBuilding(true)
    const now = vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000)
    expect(load(false)?.madeAt).toBe(1_700_000_000_000)
    now.mockRestore()
  })

  test.each(['at once', 'later'])(
    'does not meet the warning that Kit has while it renders in development, %s',
    async (when) => {
      const warned = vi.spyOn(console, 'warn').mockReturnValue()
      const requests = vi.fn(async () => Response.json('Ann'))
      vi.stubGlobal('fetch', requests)
      const controller = createRequestController(
        requestEvent({
          // What Kit's own does for other origins; for its own paths, what answers them may wait before it requests others.
          async fetch(url) {
            if (when === 'later') await new Promise((resolve) => setTimeout(resolve, 1))
            return globalThis.fetch(url)
          },
        }),
      )
      const eager = (): Promise<Response> => {
        console.warn('Avoid calling `fetch` eagerly during server-side rendering')
        return requests()
      }
      vi.stubGlobal('fetch', eager)
      expect(await controller.fetch(getTitle)).toBe('Ann')
      expect(requests).toHaveBeenCalledOnce()
      expect(warned).not.toHaveBeenCalled()
      warned.mockRestore()
    },
  )

  test("leaves a fetch alone that is not Kit's", async () => {
    const controller = createRequestController(requestEvent())
    const patched = vi.fn()
    vi.stubGlobal('fetch', patched)
    await controller.fetch(getTitle)
    expect(globalThis.fetch).toBe(patched)
  })
})

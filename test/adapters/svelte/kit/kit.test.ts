import { Controller } from '@roundtable/core'
import { dehydrate, toScript } from '@roundtable/core/hydration'
import type { SentState } from '@roundtable/svelte/kit'
import { flushSync, mount, unmount } from 'svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { breathe } from '../../harness.js'
import { navigate } from './app-navigation.js'
import Hydrated from './hydrated.svelte'
import Loaded from './loaded.svelte'
import { navigation } from './navigation.svelte.js'
import Page from './page.svelte'
import { getTitle } from './titles.js'

let pages: object[] = []

afterEach(async () => {
  for (const page of pages) await unmount(page)
  pages = []
  document.body.innerHTML = ''
  document.head.innerHTML = ''
  vi.unstubAllGlobals()
})

const requests = (): unknown[][] => {
  const fetch = vi.fn(async () => Response.json('from the browser'))
  vi.stubGlobal('fetch', fetch)
  return fetch.mock.calls
}

function stateOf(title: string): SentState {
  const controller = new Controller({ server: true })
  controller.setResponse(getTitle, title)
  return dehydrate(controller)
}

/** Mounts the layout of a page that holds this. */
async function open(script: string): Promise<void> {
  document.head.innerHTML = script
  pages.push(mount(Page, { target: document.body }))
  flushSync()
  await breathe()
}

describe('SvelteKit in a browser', () => {
  test('starts with the state that the page holds, without a request', async () => {
    const sent = requests()
    await open(toScript(stateOf('from the server')))
    expect(document.body.textContent).toBe('from the server')
    expect(sent).toEqual([])
  })

  test('data of a page that was made in advance is as old as that page', async () => {
    const sent = requests()
    await open(toScript({ ...stateOf('from the server'), madeAt: Date.now() - 61_000 } as SentState))
    await expect.poll(() => document.body.textContent).toBe('from the browser')
    expect(sent).toHaveLength(1)
  })

  test('a state that cannot be read is reported, and the page requests', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    requests()
    await open('<script type="application/json" id="roundtable-state">{"v":</script>')
    await expect.poll(() => document.body.textContent).toBe('from the browser')
    expect(`${reported.mock.calls[0]?.[0]}`).toContain('HydrationError')
    reported.mockRestore()
  })

  test('what a load function returns is there at the first render, and follows a navigation', async () => {
    const sent = requests()
    const shown = navigation(stateOf('first page'))
    const seen: (string | undefined)[] = []
    const controller = new Controller()
    pages.push(mount(Hydrated, { target: document.body, props: { controller, shown, seen } }))
    flushSync()
    await breathe()
    expect(document.body.textContent).toBe('first page')
    shown.state = stateOf('second page')
    flushSync()
    await breathe()
    expect(document.body.textContent).toBe('second page')
    expect(seen).toEqual(['first page', 'second page'])
    expect(sent).toEqual([])
  })

  test('what a load function returns replaces what the browser had before the previous navigation, and not what came since', async () => {
    requests()
    document.head.innerHTML = toScript(stateOf('first page'))
    const shown = navigation(undefined)
    pages.push(mount(Loaded, { target: document.body, props: { shown } }))
    flushSync()
    const { controller } = window as unknown as { controller: Controller }
    const goTo = (state: SentState | undefined): void =>
      navigate(() => {
        shown.state = state
        flushSync()
      })
    const title = (): string | null => document.body.textContent
    controller.setResponse(getTitle, 'of the first page')
    // The load function may have been called before that, when the pointer came to the link.
    goTo(stateOf('maybe older'))
    expect(title()).toBe('of the first page')
    goTo(stateOf('newer'))
    expect(title()).toBe('newer')
    controller.setResponse(getTitle, 'of the second page')
    goTo(stateOf('maybe older'))
    expect(title()).toBe('of the second page')
    goTo(undefined)
    goTo(stateOf('newest'))
    expect(title()).toBe('newest')
  })
})

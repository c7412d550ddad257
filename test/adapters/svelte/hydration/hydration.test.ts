import { hydrate as addState } from '@roundtable/core/hydration'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { type Component, flushSync, hydrate, unmount } from 'svelte'
import { createServer, defaultServerConditions, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { settle } from '../../../core/engine/clock.js'
import { openBoard } from '../../../core/engine/todo-board.js'
import { breathe } from '../../harness.js'
import { type Board, Todo } from './board.js'
import Page from './page.svelte'
import type { renderPage } from './server.js'

const row = (id: string, title: string) => ({ id, title, userId: '1', votes: 0 })

let vite: ViteDevServer
let server: { readonly renderPage: typeof renderPage }
let told: unknown[] = []
let page: object | undefined

beforeAll(async () => {
  vite = await createServer({
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    plugins: [svelte({ configFile: false, compilerOptions: { experimental: { async: true } } })],
    ssr: {
      noExternal: [/@roundtable/, /^svelte/],
      resolve: { conditions: ['@roundtable/source', ...defaultServerConditions] },
    },
  })
  server = (await vite.ssrLoadModule(`${import.meta.dirname}/server.ts`)) as typeof server
})
afterAll(() => vite.close())
beforeEach(() => {
  told = []
  for (const how of ['error', 'warn'] as const)
    vi.spyOn(console, how).mockImplementation((...all) => void told.push(all))
})
afterEach(async () => {
  if (page !== undefined) await unmount(page)
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

/** Renders on the server, sends page and state, and takes over in the browser; `between` happens before that. */
async function takeOver(reader: string, between?: (board: Board) => void) {
  const { body, state } = await server.renderPage(reader)
  const board = openBoard()
  addState(board.controller, state)
  between?.(board)
  const element = document.createElement('div')
  document.body.append(element)
  element.innerHTML = body
  const [first] = element.querySelectorAll('li')
  const rendered = element.textContent
  // The props of a .svelte file are checked by Svelte's own compiler.
  page = hydrate(Page as unknown as Component<object>, { target: element, props: { board, reader } })
  flushSync()
  await breathe()
  await settle()
  return { ...board, rendered, text: () => element.textContent, isKept: () => element.contains(first ?? null) }
}

describe.each([['useSuspense'], ['the other readers']])('Svelte takes over a page with %s', (reader) => {
  test('without a request and without a change', async () => {
    const { rendered, text, server: api, clock, isKept } = await takeOver(reader)
    expect(rendered).toContain('onetwo')
    expect(text()).toBe(rendered)
    await clock.advance(50_000)
    expect(api.requests).toHaveLength(0)
    expect(isKept()).toBe(true)
    expect(told).toEqual([])
  })

  test('a value that changed meanwhile is no mismatch, and is shown after it', async () => {
    const { text, isKept } = await takeOver(reader, ({ controller }) =>
      controller.set(Todo, { id: '1' }, { title: 'newer', votes: 3 }),
    )
    expect(text()).toContain('newertwo')
    expect(isKept()).toBe(true)
    expect(told).toEqual([])
  })

  test('a list that is longer by now is no mismatch either', async () => {
    const { text, isKept } = await takeOver(reader, ({ controller, getTodos }) =>
      controller.setResponse(getTodos, {}, [row('1', 'one'), row('2', 'two'), row('3', 'three')]),
    )
    expect(text()).toContain('onetwothree')
    expect(isKept()).toBe(true)
    expect(told).toEqual([])
  })

  test('a key that was invalidated meanwhile is no mismatch, and is fetched', async () => {
    const { text, server: api } = await takeOver(reader, ({ controller, getTodos }) =>
      controller.invalidate(getTodos, {}),
    )
    await api.one('getTodos').answer([row('1', 'again')])
    await breathe()
    expect(text()).toContain('again')
    expect(told).toEqual([])
  })
})

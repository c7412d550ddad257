import { type Dehydrated, dehydrate, hydrate } from '@roundtable/core/hydration'
import { AsyncBoundary, createDataClient, useCache, useDLE, useQuery, useSuspense } from '@roundtable/vue'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type App, type Component, createSSRApp, defineComponent, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { settle } from '../../core/engine/clock.js'
import { openBoard, Todo } from '../../core/engine/todo-board.js'

type Board = ReturnType<typeof openBoard>

const row = (id: string, title: string) => ({ id, title, userId: '1', votes: 0 })

/** A page with a reader that suspends, or with readers of all other kinds. */
const pages: readonly (readonly [name: string, page: (board: Board) => Component])[] = [
  [
    'useSuspense',
    ({ getTodos }) =>
      defineComponent({
        async setup() {
          const todos = await useSuspense(getTodos, {})
          return () => h('p', todos.value.map(({ title }) => title).join(' '))
        },
      }),
  ],
  [
    'the other readers',
    ({ getTodos }) =>
      defineComponent(() => {
        const { data } = useDLE(getTodos, {})
        const cached = useCache(getTodos, {})
        const one = useQuery(Todo, { id: '1' })
        return () => h('p', `${data.value?.[0]?.title} ${cached.value?.[1]?.title} ${one.value?.votes}`)
      }),
  ],
]

const appOf = (board: Board, page: (board: Board) => Component): App => {
  const inner = page(board)
  return createSSRApp(() => h('main', [h(AsyncBoundary, null, { default: () => [h(inner)] })])).use(
    createDataClient({ controller: board.controller }),
  )
}

let told: unknown[] = []
let app: App | undefined

beforeEach(() => {
  told = []
  for (const how of ['error', 'warn'] as const)
    vi.spyOn(console, how).mockImplementation((...message) => {
      if (!/<Suspense> is an experimental feature/.test(`${message[0]}`)) told.push(message)
    })
})
afterEach(() => {
  app?.unmount()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

/** Renders on the server, sends page and state, and takes over in the browser; `between` happens before that. */
async function takeOver(page: (board: Board) => Component, between?: (board: Board) => void) {
  const server = openBoard({ server: true })
  server.controller.setResponse(server.getTodos, {}, [row('1', 'one'), row('2', 'two')])
  const html = await renderToString(appOf(server, page))
  const state: Dehydrated = JSON.parse(JSON.stringify(dehydrate(server.controller)))
  const board = openBoard()
  hydrate(board.controller, state)
  between?.(board)
  const element = document.createElement('div')
  document.body.append(element)
  element.innerHTML = html
  const [paragraph] = element.querySelectorAll('p')
  app = appOf(board, page)
  app.mount(element)
  await settle()
  return { ...board, html, text: () => element.textContent, isKept: () => element.contains(paragraph ?? null) }
}

describe.each(pages)('Vue takes over a page that a server has rendered with %s', (_, page) => {
  test('without a request and without a change', async () => {
    const { html, text, server, clock, isKept } = await takeOver(page)
    const [rendered] = />([^<]+)<\/p>/.exec(html)?.slice(1) ?? []
    expect(text()).toBe(rendered)
    await clock.advance(50_000)
    expect(server.requests).toHaveLength(0)
    expect(isKept()).toBe(true)
    expect(told).toEqual([])
  })

  test('a value that changed meanwhile is no mismatch, and is shown after it', async () => {
    const { text, isKept } = await takeOver(page, ({ controller }) =>
      controller.set(Todo, { id: '1' }, { title: 'newer', votes: 3 }),
    )
    expect(text()).toMatch(/^newer two/)
    expect(isKept()).toBe(true)
    expect(told).toEqual([])
  })

  test('a key that was invalidated meanwhile is no mismatch, and is fetched', async () => {
    const { text, server, isKept } = await takeOver(page, ({ controller, getTodos }) =>
      controller.invalidate(getTodos, {}),
    )
    await server.one('getTodos').answer([row('1', 'again'), row('2', 'two')])
    expect(text()).toMatch(/^again/)
    expect(isKept()).toBe(true)
    expect(told).toEqual([])
  })
})

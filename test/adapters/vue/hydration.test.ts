import { type Dehydrated, type DehydrateOptions, dehydrate, hydrate } from '@roundtable/core/hydration'
import {
  AsyncBoundary,
  createDataClient,
  type ErrorSlotProps,
  serverErrors,
  useCache,
  useDLE,
  useQuery,
  useSuspense,
} from '@roundtable/vue'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type App, type Component, createSSRApp, defineComponent, h, type VNode } from 'vue'
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
  return createSSRApp(() => h('main', [h(AsyncBoundary, null, { default: () => [h(inner)] })]))
    .use(createDataClient({ controller: board.controller }))
    .use(serverErrors)
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

describe('Vue takes over a page of which a part has failed on the server', () => {
  /** A boundary whose inside fails, in one that has other content. */
  const page =
    ({ getTodos }: Board) =>
    (): VNode[] => {
      const Todos = defineComponent({
        async setup() {
          const todos = await useSuspense(getTodos, {})
          return () => h('p', todos.value.map(({ title }) => title).join(' '))
        },
      })
      return [h('b', 'around'), h(AsyncBoundary, null, { default: () => h(Todos), error })]
    }
  const error = ({ error }: ErrorSlotProps): VNode => h('p', `failed: ${error.message}`)

  async function takeOverFailed(options?: DehydrateOptions) {
    const server = openBoard({ server: true })
    const rendered = renderToString(appOf(server, page))
    await server.server.one('getTodos').fail(new Error('secret'))
    const html = await rendered
    const board = openBoard()
    hydrate(board.controller, JSON.parse(JSON.stringify(dehydrate(server.controller, options))))
    const element = document.createElement('div')
    document.body.append(element)
    element.innerHTML = html
    const around = element.querySelector('b')
    app = appOf(board, page)
    app.mount(element)
    await settle()
    return { ...board, html, text: () => element.textContent, isKept: () => element.contains(around) }
  }

  test('shows the error as the server did, and keeps what is around the boundary', async () => {
    const { html, text, server, isKept } = await takeOverFailed()
    expect(html).toContain('failed: This part failed on the server.')
    expect(html).not.toContain('secret')
    expect(text()).toBe('aroundfailed: A request failed on the server.')
    expect(isKept()).toBe(true)
    expect(server.requests).toEqual([])
    // What the server writes to its console.
    expect(told).toEqual([[expect.objectContaining({ message: 'secret' })]])
  })

  test('tries again if the server did not send the error', async () => {
    const { text, server, isKept } = await takeOverFailed({ errors: 'omit' })
    expect(text()).toBe('around')
    await server.one('getTodos').answer([row('1', 'one')])
    expect(text()).toBe('aroundone')
    expect(isKept()).toBe(true)
    expect(told).toEqual([[expect.objectContaining({ message: 'secret' })]])
  })
})

import type { Controller } from '@roundtable/core'
import { type Dehydrated, dehydrate, hydrate } from '@roundtable/core/hydration'
import { settle } from '@roundtable/core/testing'
import { DataProvider, useCache, useDLE, useQuery, useSuspense } from '@roundtable/react'
import { Hydrate } from '@roundtable/react/ssr'
import { act } from '@testing-library/react'
import { type ReactNode, StrictMode, Suspense, startTransition, useState } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openBoard, Todo } from '../../core/engine/todo-board.js'

type Board = ReturnType<typeof openBoard>

const row = (id: string, title: string) => ({ id, title, userId: '1', votes: 0 })

function sent(controller: Controller): Dehydrated {
  return JSON.parse(JSON.stringify(dehydrate(controller)))
}

/** A server that has two todos, in a list. */
function stateOf(...titles: readonly string[]): Dehydrated {
  const { controller, getTodos } = openBoard({ server: true })
  controller.setResponse(
    getTodos,
    {},
    titles.map((title, i) => row(`${i + 1}`, title)),
  )
  return sent(controller)
}

let errors: unknown[] = []
let root: Root | undefined

beforeEach(() => {
  errors = []
  vi.spyOn(console, 'error').mockImplementation((...told) => void errors.push(told))
})
afterEach(async () => {
  await act(async () => root?.unmount())
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

/** Renders on the server, sends page and state, and takes over in the browser; `between` happens before that. */
async function takeOver(
  page: (board: Board) => ReactNode,
  { between, wrap = (node) => node }: { between?: (board: Board) => void; wrap?: (node: ReactNode) => ReactNode } = {},
) {
  const server = openBoard({ server: true })
  server.controller.setResponse(server.getTodos, {}, [row('1', 'one'), row('2', 'two')])
  const ui = (board: Board) => wrap(<DataProvider controller={board.controller}>{page(board)}</DataProvider>)
  const html = renderToString(ui(server))
  const board = openBoard()
  hydrate(board.controller, sent(server.controller))
  between?.(board)
  const element = document.createElement('div')
  document.body.append(element)
  element.innerHTML = html
  const rendered: string[] = []
  const observer = new MutationObserver(() => rendered.push(element.textContent ?? ''))
  observer.observe(element, { childList: true, characterData: true, subtree: true })
  await act(async () => {
    root = hydrateRoot(element, ui(board), { onRecoverableError: (error) => void errors.push(error) })
    await settle()
  })
  return { ...board, html, text: () => element.textContent, element }
}

function Titles({ board: { getTodos } }: { board: Board }) {
  return (
    <p>
      {useSuspense(getTodos, {})
        .map(({ title }) => title)
        .join(' ')}
    </p>
  )
}

const inSuspense = (board: Board) => (
  <Suspense fallback="…">
    <Titles board={board} />
  </Suspense>
)

describe.each([
  ['React', (node: ReactNode) => node],
  ['React in StrictMode', (node: ReactNode) => <StrictMode>{node}</StrictMode>],
])('%s takes over a page that a server has rendered', (_, wrap) => {
  test('without a request and without a change', async () => {
    const { html, text, server, clock } = await takeOver(inSuspense, { wrap })
    expect(html).toContain('one two')
    expect(text()).toBe('one two')
    await act(() => clock.advance(50_000))
    expect(server.requests).toHaveLength(0)
    expect(errors).toEqual([])
  })

  test('a value that changed meanwhile is no hydration error, and is shown after it', async () => {
    const { text } = await takeOver(inSuspense, {
      wrap,
      between: ({ controller }) => controller.set(Todo, { id: '1' }, { title: 'newer' }),
    })
    expect(text()).toBe('newer two')
    expect(errors).toEqual([])
  })

  test('a key that was invalidated meanwhile is no hydration error, and is fetched', async () => {
    const { text, server } = await takeOver(inSuspense, {
      wrap,
      between: ({ controller, getTodos }) => controller.invalidate(getTodos, {}),
    })
    await act(() => server.one('getTodos').answer([row('1', 'again')]))
    expect(text()).toBe('again')
    expect(errors).toEqual([])
  })

  test('so with every reader', async () => {
    function All({ board: { getTodos } }: { board: Board }) {
      const { data } = useDLE(getTodos, {})
      const cached = useCache(getTodos, {})
      const one = useQuery(Todo, { id: '1' })
      return <p>{`${data?.[0]?.title} ${cached?.[0]?.title} ${one?.title}`}</p>
    }
    const { html, text } = await takeOver((board) => <All board={board} />, {
      wrap,
      between: ({ controller }) => controller.set(Todo, { id: '1' }, { title: 'newer' }),
    })
    expect(html).toContain('one one one')
    expect(text()).toBe('newer newer newer')
    expect(errors).toEqual([])
  })

  test('without a state the page stays until its data has come', async () => {
    const server = openBoard({ server: true })
    server.controller.setResponse(server.getTodos, {}, [row('1', 'one')])
    const board = openBoard()
    const ui = (of: Board) => wrap(<DataProvider controller={of.controller}>{inSuspense(of)}</DataProvider>)
    const element = document.createElement('div')
    element.innerHTML = renderToString(ui(server))
    await act(async () => {
      root = hydrateRoot(element, ui(board), { onRecoverableError: (error) => void errors.push(error) })
      await settle()
    })
    expect(element.textContent).toBe('one')
    await act(() => board.server.one('getTodos').answer([row('1', 'one')]))
    expect(element.textContent).toBe('one')
    expect(errors).toEqual([])
  })
})

describe('<Hydrate> of a route', () => {
  /** An application whose routes are rendered by their states. */
  async function open() {
    const board = openBoard()
    let go: (state: Dehydrated | undefined) => void = () => {}
    function App() {
      const [state, setState] = useState<Dehydrated>()
      go = (next) => startTransition(() => setState(next))
      return (
        <>
          <nav>
            <Side />
          </nav>
          <Hydrate state={state}>{state && inSuspense(board)}</Hydrate>
        </>
      )
    }
    function Side() {
      return `${useQuery(Todo, { id: '1' })?.title}: `
    }
    const element = document.createElement('div')
    const { createRoot } = await import('react-dom/client')
    await act(async () => {
      root = createRoot(element)
      root.render(
        <StrictMode>
          <DataProvider controller={board.controller}>
            <App />
          </DataProvider>
        </StrictMode>,
      )
    })
    return { ...board, element, go: (state: Dehydrated | undefined) => act(async () => go(state)) }
  }

  test('finds its data at the first render, and sends nothing', async () => {
    const { element, go, server } = await open()
    await go(stateOf('one', 'two'))
    expect(element.textContent).toBe('one: one two')
    expect(server.requests).toHaveLength(0)
    expect(errors).toEqual([])
  })

  test('on a server too', () => {
    const board = openBoard({ server: true })
    const html = renderToString(
      <DataProvider controller={board.controller}>
        <Hydrate state={stateOf('one', 'two')}>{inSuspense(board)}</Hydrate>
      </DataProvider>,
    )
    expect(html).toContain('one two')
    expect(board.server.requests).toHaveLength(0)
  })

  test('S7: what is on the screen changes in an effect, not while another route renders', async () => {
    const { element, go, controller, server } = await open()
    await go(stateOf('one'))
    await go(stateOf('other', 'two'))
    expect(element.textContent).toBe('other: other two')
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'other' })
    expect(server.requests).toHaveLength(0)
    expect(errors).toEqual([])
  })

  test('a second visit with stale data of the first asks for nothing: the new state comes before readers judge', async () => {
    const { element, go, clock, server } = await open()
    await go(stateOf('one'))
    await go(undefined)
    await act(() => clock.advance(70_000))
    await go(stateOf('second'))
    expect(element.textContent).toBe('second: second')
    expect(server.requests).toHaveLength(0)
  })
})

import { Controller, Endpoint } from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import {
  AsyncBoundary,
  DataProvider,
  useCancelling,
  useController,
  useDebounce,
  useDLE,
  useFetch,
  useLive,
  useSuspense,
} from '@roundtable/react'
import { MockResolver } from '@roundtable/react/testing'
import { act, cleanup, render } from '@testing-library/react'
import * as React from 'react'
import { type ReactNode, StrictMode, Suspense, startTransition, useState, useTransition } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openBoard, Todo, type TodoData } from '../../core/engine/todo-board.js'
import { expectNoise } from '../expected-noise.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })

afterEach(cleanup)

async function acted(work: () => unknown): Promise<void> {
  await act(async () => {
    await work()
    await settle()
  })
}

async function open(page: ReactNode, controller: Controller) {
  let opened: ReturnType<typeof render> | undefined
  await acted(() => {
    opened = render(<DataProvider controller={controller}>{page}</DataProvider>)
  })
  const { container, unmount } = opened as ReturnType<typeof render>
  return { text: () => textOf(container), end: () => acted(unmount) }
}

/** The visible text: elements that React hides stay in the document. */
function textOf(node: Node): string {
  if (node instanceof HTMLElement && node.style.display === 'none') return ''
  return node.hasChildNodes() ? [...node.childNodes].map(textOf).join('') : (node.textContent ?? '')
}

type Board = ReturnType<typeof openBoard>

/** Counts the current listeners of a key. */
function listeners({ controller, getTodo }: Board, id: string) {
  const query = controller.watch(getTodo, { id })
  const counts = { now: 0, began: 0 }
  const subscribe = query.subscribe.bind(query)
  vi.spyOn(query, 'subscribe').mockImplementation((onChange) => {
    counts.now++
    counts.began++
    const stop = subscribe(onChange)
    return () => {
      counts.now--
      stop()
    }
  })
  return counts
}

describe('React', () => {
  expectNoise([/The above error occurred/])

  test('C4: in StrictMode effects run twice: one request, one poll, balanced counts', async () => {
    const board = openBoard({ retention: false })
    const { controller, getTodo, server, clock } = board
    const ticker = getTodo.extend({ pollFrequency: 1_000 })
    const counts = listeners(board, '1')
    const Reader = () => useLive(ticker, { id: '1' }).title
    const page = await open(
      <StrictMode>
        <Suspense fallback="loading">
          <Reader />
        </Suspense>
      </StrictMode>,
      controller,
    )
    await acted(() => server.one('getTodo').answer(row()))
    await acted(() => clock.advance(0))
    expect(page.text()).toBe('t1')
    expect(counts).toEqual({ now: 1, began: 2 })
    for (let at = 1; at <= 3; at++) {
      await acted(() => clock.advance(1_000))
      await acted(() => server.one('getTodo', at).answer(row()))
    }
    expect(server.requests).toHaveLength(4)
    await page.end()
    expect(counts.now).toBe(0)
    await clock.advance(60_000)
    expect(clock.pending).toBe(0)
    expect(server.requests).toHaveLength(4)
  })

  test('a transition to other arguments keeps the old screen until the new one is ready', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    let go = (_id: string): void => {}
    function Reader() {
      const [id, setId] = useState('1')
      const [isPending, start] = useTransition()
      go = (next) => start(() => setId(next))
      return `${useSuspense(getTodo, { id }).title}${isPending ? ' …' : ''}`
    }
    const page = await open(<AsyncBoundary fallback="loading">{<Reader />}</AsyncBoundary>, controller)
    await acted(() => go('2'))
    expect(page.text()).toBe('t1 …')
    // The screen stays up to date meanwhile.
    await acted(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(page.text()).toBe('edited …')
    await acted(() => server.one('getTodo').answer(row('2')))
    expect(page.text()).toBe('t2')
    expect(server.requests).toHaveLength(1)
  })

  test.each([{ invalidIfStale: false }, { invalidIfStale: true }])(
    'useCancelling neither fetches the word that a transition leaves, nor shows the fallback for it: %o',
    async (options) => {
      const { controller, getTodo, server, clock } = openBoard()
      const search = getTodo.extend(options)
      controller.setResponse(search, { id: '1' }, row('1'))
      let go = (): void => {}
      function Reader() {
        const [id, setId] = useState('1')
        go = () => startTransition(() => setId('2'))
        return useSuspense(useCancelling(search, { id }), { id }).title
      }
      const page = await open(<AsyncBoundary fallback="loading">{<Reader />}</AsyncBoundary>, controller)
      await acted(() => clock.advance(10 * 60_000))
      const before = server.requests.length
      await acted(go)
      expect(page.text()).toBe('t1')
      expect(server.requests.slice(before).map(({ args }) => args)).toEqual([[{ id: '2' }]])
      await acted(() => server.one('getTodo', before).answer(row('2')))
      expect(page.text()).toBe('t2')
    },
  )

  test('the promise of useFetch is settled at once where nothing is fetched', async () => {
    const { controller, getTodo } = openBoard()
    let promise: Promise<unknown> | undefined
    function Reader() {
      promise = useFetch(getTodo, null)
      return ''
    }
    await open(<Reader />, controller)
    expect(promise).toMatchObject({ status: 'fulfilled', value: undefined })
    await expect(promise).resolves.toBeUndefined()
  })

  test('a transition to an error shows the boundary', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    let go = (): void => {}
    function Reader() {
      const [id, setId] = useState('1')
      go = () => startTransition(() => setId('2'))
      return useSuspense(getTodo, { id }).title
    }
    const page = await open(<AsyncBoundary>{<Reader />}</AsyncBoundary>, controller)
    await acted(go)
    expect(page.text()).toBe('t1')
    await acted(() => server.one('getTodo').fail())
    expect(page.text()).toBe('getTodo failedTry again')
  })

  test('a write in a transition, while another one waits, reaches the whole screen at once (C2)', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    let go = (_id: string): void => {}
    function Reader() {
      const [id, setId] = useState('1')
      go = (next) => startTransition(() => setId(next))
      return useSuspense(getTodo, { id }).title
    }
    const Fixed = () => ` ${useSuspense(getTodo, { id: '1' }).title}`
    const page = await open(
      <Suspense fallback="loading">
        <Reader />
        <Fixed />
      </Suspense>,
      controller,
    )
    await acted(() => go('2'))
    await acted(() => startTransition(() => controller.set(Todo, { id: '1' }, { title: 'edited' })))
    expect(page.text()).toBe('edited edited')
    await acted(() => server.one('getTodo').answer(row('2')))
    expect(page.text()).toBe('t2 edited')
  })

  test('useDebounce changes its value in a transition: the last result stays meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { controller, getTodo, server } = openBoard()
      controller.setResponse(getTodo, { id: '1' }, row('1'))
      let type = (_id: string): void => {}
      function Reader() {
        const [typed, setTyped] = useState('1')
        type = setTyped
        const [id, isPending] = useDebounce(typed, 200)
        return `${typed}: ${useSuspense(getTodo, { id }).title}${isPending ? ' …' : ''}`
      }
      const page = await open(<Suspense fallback="loading">{<Reader />}</Suspense>, controller)
      await acted(() => type('2'))
      expect(page.text()).toBe('2: t1 …')
      expect(server.requests).toHaveLength(0)
      await acted(() => vi.advanceTimersByTime(200))
      expect(page.text()).toBe('2: t1 …')
      await acted(() => server.one('getTodo').answer(row('2')))
      expect(page.text()).toBe('2: t2')
    } finally {
      vi.useRealTimers()
    }
  })

  // Before React 19.2 there is none.
  const Activity: typeof React.Activity | undefined = 'Activity' in React ? React.Activity : undefined

  test('C6: hidden by Activity a reader does not listen or poll; when it is shown again it is up to date at once', async () => {
    const board = openBoard()
    const { controller, getTodo, server, clock } = board
    if (Activity === undefined) return expect(React.version).toMatch(/^18\./)
    const ticker = getTodo.extend({ pollFrequency: 1_000 })
    const counts = listeners(board, '1')
    let show = (_isShown: boolean): void => {}
    const Reader = () => useLive(ticker, { id: '1' }).title
    const Tab = () => {
      const [isShown, setShown] = useState(true)
      show = setShown
      return (
        <Activity mode={isShown ? 'visible' : 'hidden'}>
          <Suspense fallback="loading">
            <div>
              <Reader />
            </div>
          </Suspense>
        </Activity>
      )
    }
    const page = await open(<Tab />, controller)
    await acted(() => server.one('getTodo').answer(row()))
    await acted(() => clock.advance(0))
    expect([page.text(), counts.now]).toEqual(['t1', 1])
    await acted(() => show(false))
    expect([page.text(), counts.now]).toEqual(['', 0])
    await acted(() => clock.advance(10_000))
    expect(server.requests).toHaveLength(1)
    await acted(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    await acted(() => show(true))
    expect([page.text(), counts.now]).toEqual(['edited', 1])
    await acted(() => clock.advance(0))
    await acted(() => clock.advance(1_000))
    expect(server.requests.length).toBeGreaterThan(1)
    return page.end()
  })

  describe.each(['useSuspense', 'useDLE'])('C6: hidden by Activity for longer than data is retained, %s', (hook) => {
    /** A page that hides and shows a reader of a todo. */
    async function openTab(board: Board) {
      const { controller, getTodo } = board
      let show = (_isShown: boolean): void => {}
      const Suspending = () => useSuspense(getTodo, { id: '1' }).title
      const Loading = () => {
        const { data, loading } = useDLE(getTodo, { id: '1' })
        return loading ? 'loading' : data?.title
      }
      // The same element each time: React shows it again without rendering it.
      const reader = (
        <Suspense fallback="loading">
          <div>{hook === 'useSuspense' ? <Suspending /> : <Loading />}</div>
        </Suspense>
      )
      const Tab = () => {
        const [isShown, setShown] = useState(true)
        show = setShown
        return Activity && <Activity mode={isShown ? 'visible' : 'hidden'}>{reader}</Activity>
      }
      const page = await open(<Tab />, controller)
      return { ...page, show: (isShown: boolean) => acted(() => show(isShown)) }
    }

    test.each(['ready', 'pending'])('while it was %s, fetches and shows the data', async (status) => {
      if (Activity === undefined) return expect(React.version).toMatch(/^18\./)
      const board = openBoard()
      const { controller, server, clock } = board
      const page = await openTab(board)
      if (status === 'pending') await page.show(false)
      await acted(() => server.one('getTodo').answer(row()))
      await acted(() => clock.advance(0))
      if (status === 'ready') {
        expect(page.text()).toBe('t1')
        await page.show(false)
      }
      await acted(() => clock.advance(900_000))
      expect(controller.get(Todo, { id: '1' })).toBeUndefined()
      await page.show(true)
      await acted(() => clock.advance(0))
      expect(page.text()).toBe('loading')
      await acted(() => server.one('getTodo', -1).answer(row('1', 'fresh')))
      await acted(() => clock.advance(0))
      expect(page.text()).toBe('fresh')
      await acted(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
      expect(page.text()).toBe('edited')
      expect(server.requests).toHaveLength(2)
      return page.end()
    })
  })

  test('without a controller a provider makes one, in StrictMode too, and disposes it when it leaves', async () => {
    const greet = new Endpoint(async () => 'hello', { name: 'greet' })
    const made: Controller[] = []
    function Reader() {
      const controller = useController()
      made.push(controller)
      const { loading } = useDLE(greet, null)
      return String(loading)
    }
    let page: ReturnType<typeof render> | undefined
    await acted(() => {
      page = render(
        <StrictMode>
          <DataProvider>
            <Reader />
          </DataProvider>
        </StrictMode>,
      )
    })
    expect(page?.container.textContent).toBe('false')
    const used = made.at(-1) as Controller
    expect(await used.fetch(greet)).toBe('hello')
    await acted(() => page?.unmount())
    await expect(used.fetch(greet)).rejects.toMatchObject({ name: 'DisposedError' })
  })

  describe('a provider without a controller, and a read that suspends with no boundary between them', () => {
    const modes = { StrictMode: StrictMode, 'no StrictMode': React.Fragment }
    const above: Record<string, (page: ReactNode) => ReactNode> = {
      'no boundary above': (page) => page,
      'a Suspense above': (page) => <Suspense fallback="loading">{page}</Suspense>,
      'an AsyncBoundary above': (page) => <AsyncBoundary fallback="loading">{page}</AsyncBoundary>,
    }
    const inside = {
      'the read itself': React.Fragment,
      // As the decorator for stories that docs/guides/testing.md shows.
      'a MockResolver': ({ children }: { readonly children: ReactNode }) => (
        <MockResolver fixtures={[]}>{children}</MockResolver>
      ),
    }
    for (const [mode, Mode] of Object.entries(modes))
      for (const [name, within] of Object.entries(above))
        for (const [what, Inside] of Object.entries(inside))
          test(`fetches once and shows the response: ${mode}, ${name}, ${what} inside`, async () => {
            let requested = 0
            let response = (_title: string): void => {}
            const getTitle = new Endpoint(
              () => {
                requested++
                return new Promise<string>((resolve) => {
                  response = resolve
                })
              },
              { name: 'getTitle' },
            )
            const Reader = () => useSuspense(getTitle)
            let page: ReturnType<typeof render> | undefined
            await acted(() => {
              page = render(
                <Mode>
                  {within(
                    <DataProvider>
                      <Inside>
                        <Reader />
                      </Inside>
                    </DataProvider>,
                  )}
                </Mode>,
              )
            })
            expect(requested).toBe(1)
            await acted(() => response('t1'))
            await acted(() => {})
            expect(page && textOf(page.container)).toBe('t1')
            expect(requested).toBe(1)
          })
  })

  describe('parallel reads whose number changes', () => {
    function openReads(board: Board) {
      let setIds = (_ids: readonly string[]): void => {}
      function Reader() {
        const [ids, set] = useState<readonly string[]>(['1', '2'])
        setIds = set
        const reads = ids.map((id) => [board.getTodo, { id }] as const)
        return useSuspense(...reads)
          .map((todo) => todo.title)
          .join(' + ')
      }
      const Failure = ({ error }: { readonly error: Error }) => error.message
      const page = open(
        <AsyncBoundary errorComponent={Failure}>
          <Reader />
        </AsyncBoundary>,
        board.controller,
      )
      return { page, change: (ids: readonly string[]) => acted(() => setIds(ids)) }
    }

    test.each([[['1', '2', '3']], [['1']], [[]]])('is reported, with what to do: 2, then %j', async (next) => {
      const board = openBoard()
      for (const id of ['1', '2', '3']) board.controller.setResponse(board.getTodo, { id }, row(id))
      const { page, change } = openReads(board)
      expect((await page).text()).toBe('t1 + t2')
      await change(next)
      expect((await page).text()).toContain(
        `useSuspense was given 2 reads, and now ${next.length}: their number may not change.`,
      )
    })

    test('before the first ones have arrived, all new ones are waited for', async () => {
      const board = openBoard()
      let ids: readonly string[] = ['1', '2']
      let rerender = (): void => {}
      const Reader = () =>
        useSuspense(...ids.map((id) => [board.getTodo, { id }] as const))
          .map((todo) => todo.title)
          .join(' + ')
      function Page() {
        const [count, setCount] = useState(0)
        rerender = () => setCount(count + 1)
        return (
          <Suspense fallback="loading">
            <Reader />
          </Suspense>
        )
      }
      const page = await open(<Page />, board.controller)
      ids = ['1', '2', '3']
      await acted(rerender)
      for (const request of board.server.requests)
        await acted(() => request.answer(row((request.args[0] as { id: string }).id)))
      expect(page.text()).toBe('t1 + t2 + t3')
      expect(board.server.requests).toHaveLength(3)
    })
  })

  test('unreadable input is the same error on each render: an effect that depends on it runs once', async () => {
    const { controller, getTodo } = openBoard()
    const reported = new Set<Error | undefined>()
    let effects = 0
    let rerender = (): void => {}
    function Reader() {
      const [count, setCount] = useState(0)
      rerender = () => setCount(count + 1)
      const { error } = useDLE(getTodo, { id: Symbol('no text') as never })
      React.useEffect(() => {
        effects++
        reported.add(error)
      }, [error])
      return `${count}: ${error?.name}`
    }
    const page = await open(<Reader />, controller)
    for (let time = 0; time < 3; time++) await acted(rerender)
    expect(page.text()).toBe('3: KeyArgError')
    expect([effects, reported.size]).toEqual([1, 1])
  })

  describe('a controller that is created while rendering', () => {
    let rerender = (): void => {}
    async function renders(times: number, controllerOf: () => Controller): Promise<readonly unknown[][]> {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
      function App() {
        const [count, setCount] = useState(0)
        rerender = () => setCount(count + 1)
        return <DataProvider controller={controllerOf()}>{count}</DataProvider>
      }
      await acted(() => {
        render(
          <StrictMode>
            <App />
          </StrictMode>,
        )
      })
      for (let time = 1; time < times; time++) await acted(rerender)
      return warn.mock.calls
    }

    test('is reported once, with what to do', async () => {
      const calls = await renders(5, () => new Controller())
      expect(calls).toEqual([
        [expect.stringMatching(/three controllers within a second.*useState\(\(\) => new Controller/)],
      ])
    })

    test('one that is memoized gets no warning, nor one that is replaced now and then', async () => {
      const memoized = new Controller()
      expect(await renders(5, () => memoized)).toEqual([])
      cleanup()
      let now = 0
      vi.spyOn(Date, 'now').mockImplementation(() => (now += 600))
      expect(await renders(5, () => new Controller())).toEqual([])
    })
  })

  test('without a provider useController says what to do', () => {
    const Reader = () => String(useController())
    expect(() => render(<Reader />)).toThrow('No controller. Put the app in a <DataProvider>.')
  })
})

import {
  Collection,
  type Controller,
  initial,
  keepPrevious,
  type LiveQuery,
  OptionError,
  type ReadEndpoint,
  RestEndpoint,
  retry,
  select,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { ending, openBoard, Todo, type TodoData } from '../core/engine/todo-board.js'
import type { Open } from './contract.js'
import { type View, view } from './harness.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })

/**
 * Everything that is known at once, what else is in flight, and the markers. A reader `known` shows `…` while it
 * refreshes.
 */
export function known(open: Open): void {
  describe('refreshing', () => refreshing(open))
  describe('failureCount and failureReason', () => failing(open))
  describe('refetch', () => refetch(open))
  describe('keepPrevious', () => keeping(open))
  describe('select', () => selecting(open))
  describe('initial', () => beginning(open))
  describe('useFetching, useMutating and useError', () => flights(open))
  describe('usePages', () => paging(open))
  describe('usePages with a marker', () => markedPaging(open))
}

function refreshing(open: Open): void {
  test('is true while stale data is fetched, and not while there is nothing to show', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    await clock.advance(60_001)
    const screen = await open(controller, view('known', getTodo, { id: '1' }), view('known', getTodo, { id: '2' }))
    expect(screen.texts()).toEqual(['t1 …', 'loading'])
    await screen.act(() => server.one('getTodo', 0).answer(row('1', 'new')))
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    expect(screen.texts()).toEqual(['new', 't2'])
  })

  test('a poll that returns the same data renders only who reads it, when it starts and when it ends', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const hooks = ['known', 'dle', 'suspense', 'cache', 'dle'] as const
    const screen = await open(controller, ...hooks.map((hook) => view(hook, getTodo, { id: '1' })))
    const before = hooks.map((_, index) => screen.renders(index))
    await screen.act(() => ending(controller.fetch(getTodo, { id: '1' })))
    expect(screen.texts()).toEqual(['t1 …', 't1', 't1', 't1', 't1'])
    expect(screen.renders(0)).toBe((before[0] ?? 0) + 1)
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(screen.texts()).toEqual(['t1', 't1', 't1', 't1', 't1'])
    expect(hooks.map((_, index) => screen.renders(index) - (before[index] ?? 0))).toEqual([2, 0, 0, 0, 0])
  })

  test('a refetch that fails shows data and error; the next one shows both until its response', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view('known', getTodo, { id: '1' }))
    await screen.press(0)
    await screen.act(() => server.one('getTodo', 0).fail())
    expect(screen.texts()).toEqual(['failed: getTodo failed (t1)'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['failed: getTodo failed (t1) …'])
    await screen.act(() => server.one('getTodo', 1).answer(row('1', 'new')))
    expect(screen.texts()).toEqual(['new'])
  })

  test('null and a call that cannot be made are never refreshing', async () => {
    const { controller, getTodo, patch, server } = openBoard()
    // Types exclude the second.
    const screen = await open(controller, view('known', getTodo, null), view('known', patch, { id: '1' }))
    for (const index of [0, 1]) await screen.press(index)
    expect(screen.texts()).toEqual(['nothing', expect.stringMatching(/^failed: Option 'sideEffect'.*[^…]$/s)])
    expect(server.requests).toHaveLength(0)
  })
}

function failing(open: Open): void {
  const busy = (): Error => Object.assign(new Error('busy'), { status: 503 })
  const openFailing = () => openBoard({ retry: retry({ statuses: [503], delay: () => 100 }) })

  test('tell of the attempts that have failed while there is nothing to show', async () => {
    const { controller, getTodo, server, clock } = openFailing()
    const screen = await open(controller, view('known', getTodo, { id: '1' }))
    for (const [attempt, text] of ['loading 1 × busy', 'loading 2 × busy', 'failed: busy'].entries()) {
      await screen.act(() => server.one('getTodo', attempt).fail(busy()))
      expect(screen.texts()).toEqual([text])
      await screen.act(() => clock.advance(100))
    }
    expect(server.requests).toHaveLength(3)
  })

  test('render only who reads them, and are 0 and undefined once the request has settled', async () => {
    const { controller, getTodo, server, clock } = openFailing()
    controller.setResponse(getTodo, { id: '1' }, row())
    const hooks = ['known', 'dle', 'suspense'] as const
    const screen = await open(controller, ...hooks.map((hook) => view(hook, getTodo, { id: '1' })))
    await screen.press(0)
    const before = hooks.map((_, index) => screen.renders(index))
    await screen.act(() => server.one('getTodo', 0).fail(busy()))
    expect(screen.texts()).toEqual(['t1 … 1 × busy', 't1', 't1'])
    expect(hooks.map((_, index) => screen.renders(index) - (before[index] ?? 0))).toEqual([1, 0, 0])
    await screen.act(() => clock.advance(100))
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['t1', 't1', 't1'])
    expect(hooks.map((_, index) => screen.renders(index) - (before[index] ?? 0))).toEqual([2, 0, 0])
  })

  test('tell whoever waits beside a component that has suspended, and share its request', async () => {
    const { controller, getTodo, server, clock } = openFailing()
    const screen = await open(controller, view('suspense', getTodo, { id: '1' }), view('known', getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo', 0).fail(busy()))
    expect(screen.texts()[1]).toBe('loading 1 × busy')
    await screen.act(() => clock.advance(100))
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['t1', 't1'])
    expect(server.requests).toHaveLength(2)
  })

  test('are told through markers and of lists with pages too', async () => {
    const { controller, getTodo, getTodos, server, clock } = openFailing()
    const title = keepPrevious(
      initial(
        select(getTodo, (todo) => todo.title),
        'soon',
      ),
    )
    const screen = await open(controller, view('known', title, { id: '1' }), view('pages', getTodos, { userId: '1' }))
    await screen.act(() => server.one('getTodo', 0).fail(busy()))
    await screen.act(() => server.one('getTodos', 0).fail(busy()))
    expect(screen.texts()).toEqual(['soon … 1 × busy', 'loading 1 × busy'])
    await screen.act(() => clock.advance(100))
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['t1', 'loading 1 × busy'])
  })
}

function refetch(open: Open): void {
  test('sends one request however often it is called', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view('known', getTodo, { id: '1' }))
    for (let time = 0; time < 3; time++) await screen.press(0)
    expect(server.requests).toHaveLength(1)
    await screen.act(() => server.one('getTodo').answer(row('1', 'new')))
    expect(screen.texts()).toEqual(['new'])
  })

  test('does not join a request that started before a mutation settled', async () => {
    const { controller, getTodo, patch, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view('known', getTodo, { id: '1' }))
    await screen.press(0)
    await screen.act(() => ending(controller.fetch(patch, { id: '1' }, { title: 'mine' })))
    await screen.act(() => server.one('patch').answer(row('1', 'mine')))
    await screen.press(0)
    expect(server.requests.map(({ name }) => name)).toEqual(['getTodo', 'patch', 'getTodo'])
    await screen.act(() => server.one('getTodo', 1).answer(row('1', 'mine')))
    await screen.act(() => server.one('getTodo', 0).answer(row('1', 'old')))
    expect(screen.texts()).toEqual(['mine'])
  })

  test('C7: of an error alone shows loading, and fetches exactly once', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('known', getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo', 0).fail(new Error('first')))
    await screen.press(0)
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo', 1).fail(new Error('second')))
    expect(screen.texts()).toEqual(['failed: second'])
    await screen.act(() => {})
    expect(server.requests).toHaveLength(2)
  })

  test('never rejects, whatever ends it', async () => {
    const { controller, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    const failed = query.refetch()
    await server.one('getTodo', 0).fail()
    await expect(failed).resolves.toBeUndefined()
    const reset = query.getSnapshot().refetch()
    controller.resetEntireStore()
    await expect(reset).resolves.toBeUndefined()
    const aborted = controller.watch(getTodo.extend({ signal: AbortSignal.abort() }), { id: '1' }).refetch()
    await expect(aborted).resolves.toBeUndefined()
    controller.dispose()
    await expect(query.refetch()).resolves.toBeUndefined()
    await expect(controller.watch(getTodo, null).refetch()).resolves.toBeUndefined()
  })
}

function keeping(open: Open): void {
  test('shows the data of the previous arguments until that of the new ones has arrived', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('known', keepPrevious(getTodo), { id: '1' }))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    await screen.change(0, [{ id: '2' }])
    expect(screen.texts()).toEqual(['t1 …'])
    await screen.change(0, [{ id: '3' }])
    expect(screen.texts()).toEqual(['t1 …'])
    await screen.act(() => server.one('getTodo', 2).answer(row('3')))
    expect(screen.texts()).toEqual(['t3'])
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    expect(screen.texts()).toEqual(['t3'])
    await screen.change(0, [{ id: '1' }])
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(3)
  })

  test('each reader has its own previous data, and null has none', async () => {
    const { controller, getTodo, server } = openBoard()
    const kept = keepPrevious(getTodo)
    expect(keepPrevious(getTodo)).toBe(kept)
    for (const id of ['1', '2']) controller.setResponse(getTodo, { id }, row(id))
    const screen = await open(controller, view('known', kept, { id: '1' }), view('known', kept, { id: '2' }))
    await screen.change(0, [{ id: '3' }])
    await screen.change(1, [{ id: '3' }])
    expect(screen.texts()).toEqual(['t1 …', 't2 …'])
    await screen.change(1, [null])
    expect(screen.texts()).toEqual(['t1 …', 'nothing'])
    await screen.change(1, [{ id: '3' }])
    expect(screen.texts()).toEqual(['t1 …', 'loading'])
    expect(server.requests).toHaveLength(1)
  })

  test('the error of new arguments is shown, without the previous data', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view('known', keepPrevious(getTodo), { id: '1' }))
    await screen.change(0, [{ id: '2' }])
    await screen.act(() => server.one('getTodo').fail())
    expect(screen.texts()).toEqual(['failed: getTodo failed'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['loading'])
  })

  test('previous data that was reset is not shown any more', async () => {
    const { controller, getTodo } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view('known', keepPrevious(getTodo), { id: '1' }))
    await screen.change(0, [{ id: '2' }])
    expect(screen.texts()).toEqual(['t1 …'])
    await screen.act(() => controller.resetEntireStore())
    await screen.change(0, [{ id: '3' }])
    expect(screen.texts()).toEqual(['loading'])
  })

  test('composes with select', async () => {
    const { controller, getTodo, server } = openBoard()
    const anew = () => keepPrevious(select(getTodo, ({ title }) => `"${title}"`))
    const screen = await open(controller, { hook: 'known', of: anew, args: [{ id: '1' }] })
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    await screen.change(0, [{ id: '2' }])
    expect(screen.texts()).toEqual(['"t1" …'])
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    expect(screen.texts()).toEqual(['"t2"'])
  })

  test.each([
    ['select', (endpoint: ReadEndpoint) => select(endpoint, (todo) => `"${(todo as Todo).title}"`), '"t1"', '"t2"'],
    ['initial', (endpoint: ReadEndpoint) => initial(endpoint, 'soon'), 't1', 't2'],
  ])('composes with %s around it', async (_, around, first, second) => {
    const { controller, getTodo, server } = openBoard()
    // The data has the type that the markers declare.
    const of = () => around(keepPrevious(getTodo) as unknown as ReadEndpoint)
    const screen = await open(controller, { hook: 'known', of, args: [{ id: '1' }] })
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    for (let time = 0; time < 2; time++) {
      await screen.change(0, [{ id: '2' }])
      expect(screen.texts()).toEqual([`${first} …`])
    }
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    expect(screen.texts()).toEqual([second])
    expect(server.requests).toHaveLength(2)
  })

  test.each([
    ['keepPrevious', keepPrevious as (endpoint: ReadEndpoint) => unknown],
    ['select', (endpoint: ReadEndpoint) => select(endpoint, () => 1)],
    ['initial', (endpoint: ReadEndpoint) => initial(endpoint, undefined)],
  ])('%s refuses a mutation and what is no endpoint', (_, mark) => {
    const { patch, controller, getTodo } = openBoard()
    // Types exclude all of these.
    const wrong = (given: unknown) => () => mark(given as ReadEndpoint)
    expect(wrong(patch)).toThrow(OptionError)
    expect(wrong(patch)).toThrow(/'sideEffect' of patch is true: a mutation cannot be read/)
    for (const given of [undefined, null, 5, {}]) expect(wrong(given)).toThrow(/An endpoint is expected/)
    const marked = mark(getTodo) as typeof getTodo
    expect(() => controller.peek(marked, { id: '1' })).toThrow(/pass the endpoint itself/)
    return expect(controller.fetch(marked, { id: '1' })).rejects.toThrow(/pass the endpoint itself/)
  })
}

function selecting(open: Open): void {
  test('shows the result, and renders only if that differs', async () => {
    const { controller, getTodos } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2')])
    const count = select(getTodos, (todos) => `${todos.length}`)
    expect(count).not.toBe(select(getTodos, (todos) => `${todos.length}`))
    const hooks = ['dle', 'suspense', 'known'] as const
    const screen = await open(controller, ...hooks.map((hook) => view(hook, count, { userId: '1' })))
    expect(screen.texts()).toEqual(['2', '2', '2'])
    const before = hooks.map((_, index) => screen.renders(index))
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(hooks.map((_, index) => screen.renders(index))).toEqual(before)
    await screen.act(() => controller.setResponse(getTodos, { userId: '1' }, [row('1')]))
    expect(screen.texts()).toEqual(['1', '1', '1'])
    expect(hooks.map((_, index) => screen.renders(index))).toEqual(before.map((times) => times + 1))
  })

  test('an equal list keeps its identity, also from a function that is made on every render', async () => {
    const { controller, getTodos, server, clock } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2')])
    await clock.advance(60_001)
    const shown = new Set<unknown>()
    const anew = () =>
      select(getTodos, (todos) => {
        const titles = todos.map(({ title }) => title)
        shown.add(titles)
        return titles
      })
    const screen = await open(controller, { hook: 'dle', of: anew, args: [{ userId: '1' }] })
    await screen.act(() => server.one('getTodos').answer([row('1'), row('2')]))
    const before = screen.renders(0)
    await screen.act(() => controller.set(Todo, { id: '1' }, { votes: 5 }))
    expect(screen.texts()).toEqual(['t1,t2'])
    expect(screen.renders(0)).toBe(before)
    // A reader that resubscribed on each render would check and fetch the stale data each time.
    expect(server.requests).toHaveLength(1)
    expect(shown.size).toBeGreaterThan(1)
  })

  test('what the function throws is the error, until it throws no more', async () => {
    const { controller, getTodo } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const strict = select(getTodo, ({ title }) => {
      if (title === 't1') throw new Error('no title')
      return title
    })
    const screen = await open(controller, view('dle', strict, { id: '1' }))
    expect(screen.texts()[0]).toMatch(/^failed: .*select.*getTodo/)
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(screen.texts()).toEqual(['edited'])
  })

  test('other arguments are selected from anew, and an error is shown beside the result', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(
      controller,
      view(
        'dle',
        select(getTodo, ({ title }) => title),
        { id: '1' },
      ),
    )
    await screen.act(() => server.one('getTodo', 0).answer(row()))
    await screen.act(() => controller.expireAll(getTodo))
    await screen.act(() => server.one('getTodo', 1).fail())
    expect(screen.texts()).toEqual(['failed: getTodo failed (t1)'])
    await screen.change(0, [{ id: '2' }])
    await screen.act(() => server.one('getTodo', 2).answer(row('2')))
    expect(screen.texts()).toEqual(['t2'])
  })
}

function beginning(open: Open): void {
  test('shows the value with refreshing until there is data, writes nothing, and does not suspend', async () => {
    const { controller, getPlain, server } = openBoard()
    const begun = initial(getPlain, 'soon')
    const hooks = ['known', 'dle', 'suspense'] as const
    const screen = await open(controller, ...hooks.map((hook) => view(hook, begun, { id: '1' })))
    expect(screen.texts()).toEqual(['soon …', 'soon', 'soon'])
    expect(controller.getResponse(getPlain, { id: '1' }).data).toBeUndefined()
    await screen.act(() => server.one('getPlain').answer('now'))
    expect(screen.texts()).toEqual(['now', 'now', 'now'])
    expect(server.requests).toHaveLength(1)
  })

  test('stays beside an error; null has none; undefined is no value', async () => {
    const { controller, getPlain, server } = openBoard()
    const screen = await open(
      controller,
      view('known', initial(getPlain, 'soon'), { id: '1' }),
      view('known', initial(getPlain, 'soon'), null),
      view('known', initial(getPlain, undefined), { id: '1' }),
    )
    expect(screen.texts()).toEqual(['soon …', 'nothing', 'loading'])
    await screen.act(() => server.one('getPlain').fail())
    expect(screen.texts()).toEqual(['failed: getPlain failed (soon)', 'nothing', 'failed: getPlain failed'])
  })

  test('composes with select', async () => {
    const { controller, getPlain, server } = openBoard()
    const both = select(initial(getPlain, 'soon'), (text) => `<${text}>`)
    const screen = await open(controller, view('known', both, { id: '1' }))
    expect(screen.texts()).toEqual(['<soon> …'])
    await screen.act(() => server.one('getPlain').answer('now'))
    expect(screen.texts()).toEqual(['<now>'])
  })
}

function flights(open: Open): void {
  test('useFetching tells of one key, and without an endpoint of any read', async () => {
    const { controller, getTodo, patch, server } = openBoard()
    const screen = await open(controller, view('fetching', getTodo, { id: '1' }), view('fetching', undefined))
    expect(screen.texts()).toEqual(['idle', 'idle'])
    await screen.act(() => ending(controller.fetch(getTodo, { id: '2' })))
    expect(screen.texts()).toEqual(['idle', 'busy'])
    await screen.act(() => ending(controller.fetch(getTodo, { id: '1' })))
    await screen.act(() => server.one('getTodo', 0).answer(row('2')))
    expect(screen.texts()).toEqual(['busy', 'busy'])
    await screen.act(() => server.one('getTodo', 1).fail())
    await screen.act(() => ending(controller.fetch(patch, { id: '1' }, {})))
    expect(screen.texts()).toEqual(['idle', 'idle'])
    await screen.change(0, [null])
    expect(screen.texts()).toEqual(['idle', 'idle'])
  })

  test('useMutating tells of one endpoint, also of its copies, and without one of any', async () => {
    const { controller, getTodo, patch, patchNow, create, server } = openBoard()
    const views: View[] = [view('mutating', patch), view('mutating', undefined)]
    const screen = await open(controller, ...views)
    await screen.act(() => ending(controller.fetch(create, {}, {})))
    await screen.act(() => ending(controller.fetch(getTodo, { id: '1' })))
    expect(screen.texts()).toEqual(['idle', 'busy'])
    await screen.act(() => ending(controller.fetch(patchNow, { id: '1' }, {})))
    await screen.act(() => server.one('create').fail())
    expect(screen.texts()).toEqual(['busy', 'busy'])
    const before = screen.renders(0)
    await screen.act(() => ending(controller.fetch(patch, { id: '2' }, {})))
    await screen.act(() => server.one('patch', 0).fail())
    expect(screen.texts()).toEqual(['busy', 'busy'])
    expect(screen.renders(0)).toBe(before)
    await screen.act(() => controller.resetEntireStore())
    expect(screen.texts()).toEqual(['idle', 'idle'])
  })

  test('useError tells of the last error, and fetches nothing', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('error', getTodo, { id: '1' }), view('error', getTodo, null))
    expect(screen.texts()).toEqual(['nothing', 'nothing'])
    expect(server.requests).toHaveLength(0)
    await screen.act(() => ending(controller.fetch(getTodo, { id: '1' })))
    await screen.act(() => server.one('getTodo', 0).fail())
    expect(screen.texts()).toEqual(['failed: getTodo failed', 'nothing'])
    await screen.act(() => ending(controller.fetch(getTodo, { id: '1' })))
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['nothing', 'nothing'])
    expect(screen.renders(1)).toBeLessThanOrEqual(2)
  })
}

/** A list of four rows in pages of two, and the requests. */
function openPages() {
  const board = openBoard()
  const requested: string[] = []
  const failing = new Set<string>()
  let held = Promise.resolve()
  /** Holds the responses back until the returned function is called. */
  const hold = (): (() => void) => {
    let release = (): void => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  const getPaged = new RestEndpoint({
    path: '/todos',
    name: 'getPaged',
    searchParams: {} as { userId?: string } | undefined,
    schema: new Collection([Todo]),
    paginationField: 'page',
    fetchResponse: async (url) => {
      const search = String(url).split('?')[1] ?? ''
      requested.push(search)
      const page = Number(new URLSearchParams(search).get('page') ?? 1)
      await held
      if (failing.delete(search)) throw new Error('no page')
      return Response.json([row('1'), row('2'), row('3'), row('4')].slice((page - 1) * 2, page * 2))
    },
  })
  return { ...board, getPaged, requested, failing, hold }
}

function paging(open: Open): void {
  test('shows the list and goes on page by page to its end', async () => {
    const { controller, getPaged, requested } = openPages()
    const screen = await open(
      controller,
      view('pages', getPaged, { userId: '1' }),
      view('dle', getPaged, { userId: '1' }),
    )
    await screen.act(() => {})
    expect(screen.texts()).toEqual(['t1,t2 +', 't1,t2'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['t1,t2,t3,t4 +', 't1,t2,t3,t4'])
    await screen.press(0)
    await screen.press(0)
    expect(screen.texts()).toEqual(['t1,t2,t3,t4', 't1,t2,t3,t4'])
    expect(requested).toEqual(['userId=1', 'page=2&userId=1', 'page=3&userId=1'])
  })

  test('a failed page is an error beside the list, for readers of its pages alone', async () => {
    const { controller, getPaged, failing, requested } = openPages()
    const screen = await open(
      controller,
      view('pages', getPaged, { userId: '1' }),
      view('suspense', getPaged, { userId: '1' }),
    )
    await screen.act(() => {})
    failing.add('page=2&userId=1')
    await screen.press(0)
    expect(screen.texts()).toEqual(['failed: no page (t1,t2) +', 't1,t2'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['t1,t2,t3,t4 +', 't1,t2,t3,t4'])
    expect(requested).toHaveLength(3)
  })

  test('a refresh that brings the same renders nothing but for `refreshing`, and null shows nothing', async () => {
    const { controller, getPaged, requested } = openPages()
    const screen = await open(controller, view('pages', getPaged, { userId: '1' }), view('pages', getPaged, null))
    await screen.act(() => {})
    const before = [0, 1].map((index) => screen.renders(index))
    await screen.act(() => controller.expireAll(getPaged))
    expect(screen.texts()).toEqual(['t1,t2 +', 'nothing'])
    expect(screen.renders(0) - (before[0] ?? 0)).toBeLessThanOrEqual(2)
    expect(screen.renders(1)).toBe(before[1])
    expect(requested).toHaveLength(2)
    await screen.change(1, [{ userId: '2' }])
    await screen.act(() => {})
    await screen.press(1)
    expect(screen.texts()).toEqual(['t1,t2 +', 't1,t2,t3,t4 +'])
  })
}

/** Pages compose with markers: a search box above an infinite list. */
function markedPaging(open: Open): void {
  test('keepPrevious shows the list of the previous arguments, and goes on with that of the new ones', async () => {
    const { controller, getPaged, requested, hold } = openPages()
    const screen = await open(controller, view('pages', keepPrevious(getPaged), { userId: '1' }))
    await screen.act(() => {})
    await screen.press(0)
    expect(screen.texts()).toEqual(['t1,t2,t3,t4 +'])
    const stop = hold()
    await screen.change(0, [{ userId: '2' }])
    expect(screen.texts()).toEqual(['t1,t2,t3,t4 …'])
    await screen.act(stop)
    expect(screen.texts()).toEqual(['t1,t2 +'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['t1,t2,t3,t4 +'])
    expect(requested).toEqual(['userId=1', 'page=2&userId=1', 'userId=2', 'page=2&userId=2'])
  })

  test('select shows its result of all pages, also from a function that is made on every render', async () => {
    const { controller, getPaged, requested, failing } = openPages()
    const of = () => select(getPaged, (todos) => `${todos.length} todos`)
    const screen = await open(controller, { hook: 'pages', of, args: [{ userId: '1' }] })
    await screen.act(() => {})
    expect(screen.texts()).toEqual(['2 todos +'])
    failing.add('page=2&userId=1')
    await screen.press(0)
    expect(screen.texts()).toEqual(['failed: no page (2 todos) +'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['4 todos +'])
    expect(requested).toHaveLength(3)
  })
}

/** For readers without a framework: the query of a reader that has used another one until now. */
export function follow(
  controller: Controller,
  { of }: View,
  args: readonly unknown[],
  before: LiveQuery<unknown> | undefined,
): LiveQuery<unknown> {
  // Tests pass the arguments of their reads.
  const query: LiveQuery<unknown> = controller.watchOrError(of() as ReadEndpoint, ...(args as [null]))
  return query.after(before)
}

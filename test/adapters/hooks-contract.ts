import { keepPrevious, RestEndpoint, revalidate } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { ending, openBoard, Todo, type TodoData } from '../core/engine/todo-board.js'
import type { Open } from './contract.js'
import { DEBOUNCE, type Harness, type Listen, view } from './harness.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })

/** The behaviour of hooks of every framework beyond that of the controller. */
export function hooks(harness: Harness, open: Open): void {
  describe('parallel reads', () => parallel(harness, open))
  describe('useCancelling', () => cancelling(harness, open))
  describe('useFetch', () => fetching(open))
  describe('useLoading', () => loading(open))
  describe('useDebounce', () => debounce(open))
  describe('AsyncBoundary', () => boundary(open))
  describe('keepPrevious of what suspends', () => keptPrevious(open))
}

function parallel(harness: Harness, open: Open): void {
  const both = [{ id: '1' }, { id: '2' }]

  test('all are requested at once, and shown when all have arrived', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('parallel', getTodo, ...both))
    expect(server.requests.map(({ args }) => args)).toEqual([[{ id: '1' }], [{ id: '2' }]])
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    expect(screen.texts()).toEqual(['t1 + t2'])
    expect(server.requests).toHaveLength(2)
  })

  test('stored data is not fetched', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    const screen = await open(controller, view('parallel', getTodo, ...both))
    expect(server.requests.map(({ args }) => args)).toEqual([[{ id: '2' }]])
    await screen.act(() => server.one('getTodo').answer(row('2')))
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(screen.texts()).toEqual(['edited + t2'])
  })

  test('C7: if all fail, each retry fetches each of them once', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('parallel', getTodo, ...both))
    await screen.act(() => server.one('getTodo', 0).fail(new Error('one')))
    await screen.act(() => server.one('getTodo', 1).fail(new Error('two')))
    expect(screen.texts()).toEqual(['failed: one'])
    await screen.press(0)
    expect(server.requests.map(({ args }) => args)).toEqual([[both[0]], [both[1]], [both[0]]])
    await screen.act(() => server.one('getTodo', 2).answer(row('1')))
    expect(screen.texts()).toEqual(['failed: two'])
    await screen.press(0)
    expect(server.requests.map(({ args }) => args)).toEqual([[both[0]], [both[1]], [both[0]], [both[1]]])
    await screen.act(() => server.one('getTodo', 3).answer(row('2')))
    expect(screen.texts()).toEqual(['t1 + t2'])
    expect(server.requests).toHaveLength(4)
  })

  test('C7: if one fails, only that one is fetched again', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('parallel', getTodo, ...both))
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    await screen.act(() => server.one('getTodo', 1).fail(new Error('two')))
    expect(screen.texts()).toEqual(['failed: two'])
    await screen.press(0)
    await screen.act(() => server.one('getTodo', 2).answer(row('2')))
    expect(screen.texts()).toEqual(['t1 + t2'])
    expect(server.requests).toHaveLength(3)
  })

  test('one gets new arguments, the other stays', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('parallel', getTodo, ...both))
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    await screen.change(0, [{ id: '1' }, { id: '3' }])
    expect(screen.texts()).toEqual([harness.keepsLast ? 't1 + t2' : 'loading'])
    await screen.act(() => server.one('getTodo', 2).answer(row('3')))
    expect(screen.texts()).toEqual(['t1 + t3'])
    expect(server.requests).toHaveLength(3)
  })

  test('both get new arguments: nothing of the new shows before all of it is there', async () => {
    const { controller, getTodo, server } = openBoard()
    for (const id of ['1', '2', '3']) controller.setResponse(getTodo, { id }, row(id))
    const screen = await open(controller, view('parallel', getTodo, ...both))
    await screen.change(0, [{ id: '3' }, { id: '4' }])
    expect(screen.texts()).toEqual([harness.keepsLast ? 't1 + t2' : 'loading'])
    await screen.change(0, [{ id: '5' }, { id: '1' }])
    expect(screen.texts()).toEqual([harness.keepsLast ? 't1 + t2' : 'loading'])
    await screen.act(() => server.one('getTodo', 0).answer(row('4')))
    expect(screen.texts()).toEqual([harness.keepsLast ? 't1 + t2' : 'loading'])
    await screen.act(() => server.one('getTodo', 1).answer(row('5')))
    expect(screen.texts()).toEqual(['t5 + t1'])
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(screen.texts()).toEqual(['t5 + edited'])
    await screen.act(() => controller.invalidate(getTodo, { id: '5' }))
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited again' }))
    expect(screen.texts()).toEqual([harness.keepsLast ? 't5 + edited again' : 'loading'])
  })

  test('if both get new arguments and one of them fails, the error shows', async () => {
    const { controller, getTodo, server } = openBoard()
    for (const id of ['1', '2', '3']) controller.setResponse(getTodo, { id }, row(id))
    const screen = await open(controller, view('parallel', getTodo, ...both))
    await screen.change(0, [{ id: '3' }, { id: '4' }])
    await screen.act(() => server.one('getTodo', 0).fail(new Error('four')))
    expect(screen.texts()).toEqual(['failed: four'])
  })

  test('arguments that change while another read is waited for: the first data shown belongs together', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('parallel', getTodo, ...both))
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    await screen.change(0, [{ id: '3' }, { id: '4' }])
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    const { requests } = server
    await screen.act(() => requests.find(({ args }) => isOf(args, '4'))?.answer(row('4')))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => requests.find(({ args }) => isOf(args, '3'))?.answer(row('3')))
    expect(screen.texts()).toEqual(['t3 + t4'])
  })
}

function isOf([arg]: readonly unknown[], id: string): boolean {
  return (arg as { readonly id: string }).id === id
}

function cancelling(harness: Harness, open: Open): void {
  for (const hook of ['cancelling', 'cancelling-dle'] as const) {
    const name = hook === 'cancelling' ? 'with useSuspense' : 'with useDLE'

    test(`${name}: new arguments abort the request of the earlier ones`, async () => {
      const { controller, getTodo, server } = openBoard()
      controller.setResponse(getTodo, { id: '1' }, row('1'))
      const screen = await open(controller, view(hook, getTodo, { id: '1' }))
      await screen.change(0, [{ id: '2' }])
      expect(server.one('getTodo', 0).isAborted).toBe(false)
      await screen.change(0, [{ id: '3' }])
      expect(server.one('getTodo', 0).isAborted).toBe(true)
      expect(server.one('getTodo', 1).isAborted).toBe(false)
      await screen.act(() => server.one('getTodo', 1).answer(row('3')))
      expect(screen.texts()).toEqual(['t3'])
      expect(server.requests).toHaveLength(2)
    })

    test(`${name}: also during the first request`, async () => {
      const { controller, getTodo, server } = openBoard()
      const screen = await open(controller, view(hook, getTodo, { id: '1' }))
      await screen.change(0, [{ id: '2' }])
      // React drops the state of a component that suspends before its first mount: it does not know its request.
      expect(server.one('getTodo', 0).isAborted).toBe(hook === 'cancelling-dle' || harness.mountsPending)
      await screen.act(() => server.one('getTodo', 1).answer(row('2')))
      expect(screen.texts()).toEqual(['t2'])
      expect(server.requests).toHaveLength(2)
    })

    test(`${name}: a request that another reader waits for goes on`, async () => {
      const { controller, getTodo, server } = openBoard()
      const screen = await open(controller, view(hook, getTodo, { id: '1' }), view('dle', getTodo, { id: '1' }))
      await screen.change(0, [{ id: '2' }])
      expect(server.one('getTodo', 0).isAborted).toBe(false)
      await screen.act(() => server.one('getTodo', 0).answer(row('1')))
      await screen.act(() => server.one('getTodo', 1).answer(row('2')))
      expect(screen.texts()).toEqual(['t2', 't1'])
      expect(server.requests).toHaveLength(2)
    })

    test(`${name}: the screen shows and is notified as without`, async () => {
      const { controller, getTodo, server } = openBoard()
      const screen = await open(controller, view(hook, getTodo, { id: '1' }))
      await screen.act(() => server.one('getTodo').answer(row()))
      await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
      expect(screen.texts()).toEqual(['edited'])
      await screen.change(0, [null])
      expect(screen.texts()).toEqual(['nothing'])
      expect(server.requests).toHaveLength(1)
    })
  }

  test('with useDLE: the request is aborted when the reader leaves', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: false })
    const screen = await open(controller, view('cancelling-dle', getTodo, { id: '1' }))
    await screen.end()
    expect(server.one('getTodo').isAborted).toBe(true)
    await clock.advance(31_000)
    expect(clock.pending).toBe(0)
  })
}

function fetching(open: Open): void {
  test('starts at once, fetches once, and its promise resolves with the data', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('fetch', getTodo, { id: '1' }))
    expect(screen.texts()).toEqual(['loading'])
    expect(server.requests).toHaveLength(1)
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(1)
  })

  test('stored data is not fetched', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view('fetch', getTodo, { id: '1' }))
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(0)
  })

  test('its error goes to the boundary, whose reset fetches once again', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('fetch', getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').fail())
    expect(screen.texts()).toEqual(['failed: getTodo failed'])
    await screen.press(0)
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(2)
  })

  test('null fetches nothing', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('fetch', getTodo, null))
    expect(screen.texts()).toEqual(['nothing'])
    expect(server.requests).toHaveLength(0)
  })
}

function loading(open: Open): void {
  test('is true during a call; the last error stays until the next call', async () => {
    const { controller, patch, server } = openBoard()
    const save = (): Promise<unknown> => controller.fetch(patch, { id: '1' }, { title: 'saved' })
    const screen = await open(controller, view('loading', save))
    expect(screen.texts()).toEqual(['idle'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('patch', 0).fail())
    expect(screen.texts()).toEqual(['failed: patch failed'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('patch', 1).answer(row()))
    expect(screen.texts()).toEqual(['idle'])
  })

  test('what is thrown and is no Error is the cause of one', async () => {
    const { controller } = openBoard()
    const save = (): Promise<unknown> => Promise.reject({ status: 409, message: 'taken' })
    const screen = await open(controller, view('loading', save))
    await screen.press(0)
    expect(screen.texts()).toEqual([expect.stringMatching(/^failed: fetch of save threw: taken\. /)])
  })

  test('is true until both of two calls have ended', async () => {
    const { controller, patch, server } = openBoard()
    const save = (): Promise<unknown> => controller.fetch(patch, { id: '1' }, { title: 'saved' })
    const screen = await open(controller, view('loading', save))
    await screen.press(0)
    await screen.press(0)
    await screen.act(() => server.one('patch', 0).answer(row()))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('patch', 1).answer(row()))
    expect(screen.texts()).toEqual(['idle'])
  })

  test('a call that ends after its reader has left notifies nobody', async () => {
    const { controller, patch, server } = openBoard()
    const screen = await open(
      controller,
      view('loading', () => controller.fetch(patch, { id: '1' }, {})),
    )
    await screen.press(0)
    await screen.end()
    await server.one('patch').fail()
  })
}

function debounce(open: Open): void {
  test('returns the value after it has stopped changing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { controller } = openBoard()
      const screen = await open(controller, view('debounce', undefined, 'a'))
      expect(screen.texts()).toEqual(['a'])
      await screen.change(0, ['ab'])
      expect(screen.texts()).toEqual(['a …'])
      await screen.act(() => vi.advanceTimersByTime(DEBOUNCE - 1))
      await screen.change(0, ['abc'])
      await screen.act(() => vi.advanceTimersByTime(DEBOUNCE - 1))
      expect(screen.texts()).toEqual(['a …'])
      await screen.act(() => vi.advanceTimersByTime(1))
      expect(screen.texts()).toEqual(['abc'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a value that is not updatable stays, and a waiting one is taken when it is again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { controller } = openBoard()
      const screen = await open(controller, view('debounce', undefined, 'a', true))
      await screen.change(0, ['b', false])
      await screen.act(() => vi.advanceTimersByTime(DEBOUNCE * 2))
      expect(screen.texts()).toEqual(['a …'])
      await screen.change(0, ['b', true])
      await screen.act(() => vi.advanceTimersByTime(DEBOUNCE))
      expect(screen.texts()).toEqual(['b'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a value that changes back is not late any more; a reader that leaves leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { controller } = openBoard()
      const screen = await open(controller, view('debounce', undefined, 'a'))
      await screen.change(0, ['ab'])
      await screen.change(0, ['a'])
      expect(screen.texts()).toEqual(['a'])
      await screen.act(() => vi.advanceTimersByTime(DEBOUNCE))
      expect(screen.texts()).toEqual(['a'])
      await screen.change(0, ['b'])
      await screen.end()
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
}

function keptPrevious(open: Open): void {
  test.each(['suspense', 'live'] as const)('%s shows the data of the previous arguments meanwhile', async (hook) => {
    const { controller, getTodo, server } = openBoard()
    const kept = keepPrevious(getTodo.extend({ pollFrequency: 60_000 }))
    const screen = await open(controller, view(hook, kept, { id: '1' }))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    await screen.change(0, [{ id: '2' }])
    await screen.change(0, [{ id: '3' }])
    expect(screen.texts()).toEqual(['t1'])
    await screen.act(() => server.one('getTodo', 2).answer(row('3')))
    expect(screen.texts()).toEqual(['t3'])
    await screen.change(0, [{ id: '4' }])
    await screen.act(() => server.one('getTodo', 3).fail())
    expect(screen.texts()).toEqual(['failed: getTodo failed'])
    expect(server.requests).toHaveLength(4)
  })
}

/** Keeps the function that resets a boundary for as long as that listens. */
function listenIn(resetters: Set<() => void>): Listen {
  return (reset) => {
    resetters.add(reset)
    return () => resetters.delete(reset)
  }
}

function boundary(open: Open): void {
  test('without a fallback it shows nothing while pending, and the message of an error with a button to try again', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, { ...view('suspense', getTodo, { id: '1' }), isBare: true })
    expect(screen.texts()).toEqual([''])
    await screen.act(() => server.one('getTodo').fail())
    expect(screen.texts()).toEqual([expect.stringMatching(/^getTodo failed\s*Try again$/)])
    await screen.press(0)
    expect(server.requests).toHaveLength(2)
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['t1'])
  })

  test('it catches errors that belong to no key too, and a reset shows the children again', async () => {
    const { controller, getTodo, server } = openBoard()
    let isBroken = true
    const broken = () => {
      if (isBroken) throw new Error('broken')
      return getTodo
    }
    const screen = await open(controller, { hook: 'suspense', of: broken, args: [{ id: '1' }] })
    expect(screen.texts()).toEqual(['failed: broken'])
    isBroken = false
    await screen.press(0)
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(screen.texts()).toEqual(['t1'])
  })

  test('changed resetKeys reset it: what failed is fetched once again, and other arguments are fetched', async () => {
    const { controller, getTodo, server } = openBoard()
    const told: string[] = []
    const resets = { onError: ({ message }: Error) => told.push(message), onReset: () => told.push('reset') }
    const screen = await open(controller, { ...view('suspense', getTodo, { id: '1' }, 'a'), resets })
    await screen.act(() => server.one('getTodo', 0).fail(new Error('first')))
    expect(screen.texts()).toEqual(['failed: first'])
    await screen.change(0, [{ id: '1' }, 'b'])
    expect(screen.texts()).toEqual(['loading'])
    expect(server.requests).toHaveLength(2)
    await screen.act(() => server.one('getTodo', 1).fail(new Error('second')))
    expect(screen.texts()).toEqual(['failed: second'])
    await screen.change(0, [{ id: '2' }, 'c'])
    await screen.act(() => server.one('getTodo', 2).answer(row('2')))
    expect(screen.texts()).toEqual(['t2'])
    expect(server.requests).toHaveLength(3)
    expect(new Set(told)).toEqual(new Set(['first', 'second', 'reset']))
    expect(told.filter((what) => what === 'reset')).toHaveLength(2)
  })

  test.each([false, true])(
    'what comes with new resetKeys and fails is fetched once (mounted anew: %s)',
    async (isKeyed) => {
      const { controller, getTodo, server } = openBoard()
      const resets = { onReset: () => told.push('reset') }
      const told: string[] = []
      const screen = await open(controller, { ...view('suspense', getTodo, { id: '1' }, 'a'), isKeyed, resets })
      await screen.act(() => server.one('getTodo', 0).answer(row()))
      await screen.change(0, [{ id: '2' }, 'b'])
      await screen.act(() => server.one('getTodo', 1).fail(new Error('second')))
      expect(screen.texts()).toEqual(['failed: second'])
      expect(server.requests).toHaveLength(2)
      expect(told).toEqual([])
      await screen.change(0, [{ id: '3' }, 'c'])
      await screen.act(() => server.one('getTodo', 2).fail(new Error('third')))
      expect(screen.texts()).toEqual(['failed: third'])
      await screen.change(0, [{ id: '4' }, 'd'])
      await screen.act(() => server.one('getTodo', 3).answer(row('4')))
      expect(screen.texts()).toEqual(['t4'])
      expect(server.requests).toHaveLength(4)
    },
  )

  test('it is reset by what it listens to, until it leaves', async () => {
    const { controller, getTodo, server } = openBoard()
    const resetters = new Set<() => void>()
    const listen = listenIn(resetters)
    const screen = await open(controller, {
      ...view('suspense', getTodo, { id: '1' }),
      resets: { listen: () => listen },
    })
    const navigate = () => {
      for (const reset of resetters) reset()
    }
    await screen.act(navigate)
    expect(server.requests).toHaveLength(1)
    await screen.act(() => server.one('getTodo', 0).fail())
    expect(resetters.size).toBe(1)
    await screen.act(navigate)
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['t1'])
    await screen.end()
    expect(resetters.size).toBe(0)
  })

  test('it listens to what its `listen` is now, and ends what it was before', async () => {
    const { controller, getTodo, server } = openBoard()
    const [before, now] = [new Set<() => void>(), new Set<() => void>()]
    const listens = new Map<unknown, Listen>([
      ['a', listenIn(before)],
      ['b', listenIn(now)],
    ])
    const resets = { listen: (key: unknown) => listens.get(key) }
    const screen = await open(controller, { ...view('suspense', getTodo, { id: '1' }, 'a'), resets })
    await screen.act(() => server.one('getTodo', 0).answer(row()))
    expect([before.size, now.size]).toEqual([1, 0])
    await screen.change(0, [{ id: '2' }, 'b'])
    await screen.act(() => server.one('getTodo', 1).fail())
    expect([before.size, now.size]).toEqual([0, 1])
    await screen.act(() => {
      for (const reset of now) reset()
    })
    await screen.act(() => server.one('getTodo', 2).answer(row('2')))
    expect(screen.texts()).toEqual(['t2'])
    await screen.change(0, [{ id: '2' }, 'c'])
    expect([before.size, now.size]).toEqual([0, 0])
    await screen.change(0, [{ id: '2' }, 'a'])
    expect([before.size, now.size]).toEqual([1, 0])
    await screen.end()
    expect([before.size, now.size]).toEqual([0, 0])
  })

  test('with revalidate it is reset when the network is back, if what it shows is the error of a read', async () => {
    const { controller, getTodo, server, clock } = openBoard({ managers: [revalidate()] })
    const broken = () => {
      throw new Error('broken')
    }
    const resets = { onReset: () => told.push('reset') }
    const told: string[] = []
    const screen = await open(
      controller,
      { ...view('suspense', getTodo, { id: '1' }), resets },
      { hook: 'suspense', of: broken, args: [{ id: '2' }], resets },
    )
    await screen.act(() => server.one('getTodo', 0).fail(new Error('offline')))
    const reconnect = async (): Promise<void> => {
      clock.announce({ online: false })
      // Longer than errors are recent and unused data is stored.
      await clock.advance(600_000)
      clock.announce({ online: true })
      await screen.act(() => clock.advance(1_000))
    }
    await reconnect()
    expect(screen.texts()).toEqual(['loading', 'failed: broken'])
    await screen.act(() => server.one('getTodo', 1).fail(new Error('still offline')))
    expect(screen.texts()).toEqual(['failed: still offline', 'failed: broken'])
    await reconnect()
    await screen.act(() => server.one('getTodo', 2).answer(row()))
    expect(screen.texts()).toEqual(['t1', 'failed: broken'])
    expect(told).toEqual(['reset', 'reset'])
    await reconnect()
    await screen.end()
    await reconnect()
    expect(told).toEqual(['reset', 'reset'])
    expect(server.requests).toHaveLength(4)
  })

  test.each(['suspense', 'live', 'fetch'] as const)(
    'it is reset when the store is emptied: no error of an earlier session stays (%s)',
    async (hook) => {
      const { controller, getTodo, server } = openBoard()
      const polled = getTodo.extend({ pollFrequency: 600_000 })
      const resets = { onReset: () => told.push('reset') }
      const told: string[] = []
      const screen = await open(controller, { ...view(hook, polled, { id: '1' }), resets })
      await screen.act(() => server.one('getTodo', 0).fail(new Error('signed out')))
      expect(screen.texts()).toEqual(['failed: signed out'])
      await screen.act(() => controller.resetEntireStore())
      expect(screen.texts()).toEqual(['loading'])
      await screen.act(() => server.one('getTodo', 1).fail(new Error('forbidden')))
      expect(screen.texts()).toEqual(['failed: forbidden'])
      await screen.act(() => controller.resetEntireStore())
      await screen.act(() => server.one('getTodo', 2).answer(row()))
      expect(screen.texts()).toEqual(['t1'])
      expect(told).toEqual(['reset', 'reset'])
      expect(server.requests).toHaveLength(3)
    },
  )

  test('a boundary that shows no error is not reset when the store is emptied', async () => {
    const { controller, getTodo, server } = openBoard()
    const resets = { onReset: () => told.push('reset') }
    const told: string[] = []
    const screen = await open(controller, { ...view('suspense', getTodo, { id: '1' }), resets })
    await screen.act(() => server.one('getTodo', 0).answer(row()))
    await screen.act(() => controller.resetEntireStore())
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.texts()).toEqual(['t1'])
    expect(told).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  test('errors of no key are reset with the store too, once for each reset, and not after it has left', async () => {
    const { controller } = openBoard()
    let renders = 0
    const broken = () => {
      renders++
      throw new Error('broken')
    }
    const resets = { onReset: () => told.push('reset') }
    const told: string[] = []
    const screen = await open(controller, { hook: 'suspense', of: broken, args: [{ id: '1' }], resets })
    for (const count of [1, 2]) {
      const before = renders
      await screen.act(() => controller.resetEntireStore())
      expect(screen.texts()).toEqual(['failed: broken'])
      expect(renders).toBeGreaterThan(before)
      expect(told).toHaveLength(count)
    }
    await screen.end()
    await screen.act(() => controller.resetEntireStore())
    expect(told).toHaveLength(2)
  })

  test('it ignores a mutation that fails', async () => {
    const { controller, getTodo, patch, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view('suspense', getTodo, { id: '1' }))
    const end = ending(controller.fetch(patch, { id: '1' }, {}))
    await screen.act(() => server.one('patch').fail())
    expect(end.error).toMatchObject({ message: 'patch failed' })
    expect(screen.texts()).toEqual(['t1'])
  })
}

/** The error of a reader with unreadable input: hooks that throw do so to their boundary, `useDLE` returns it. */
/** Invalid arguments and endpoints are reported as errors. */
export function mistakes(open: Open): void {
  const readers = ['suspense', 'dle', 'fetch', 'live', 'cancelling', 'cancelling-dle', 'cache', 'subscription'] as const
  const wrong = { id: undefined }
  const missing = (name: string) => `failed: ${name}: param 'id' of /todos/:id is missing`

  for (const hook of readers) {
    test(`${hook}: arguments that make no URL are an error, and no request is sent`, async () => {
      const { controller, getRest, requested } = openRest()
      const screen = await open(controller, view(hook, getRest, wrong))
      expect(screen.texts()[0]).toContain(missing('getTodo'))
      expect(requested).toEqual([])
    })

    test(`${hook}: so are arguments that become invalid later`, async () => {
      const { controller, getRest, requested } = openRest()
      controller.setResponse(getRest, { id: '1' }, row())
      const screen = await open(controller, view(hook, getRest, { id: '1' }))
      expect(screen.texts()).toEqual(hook === 'live' || hook === 'subscription' ? screen.texts() : ['t1'])
      await screen.change(0, [wrong])
      // A promise that was awaited once is not read again.
      if (hook !== 'fetch') expect(screen.texts()[0]).toContain(missing('getTodo'))
      expect(requested.filter((url) => url !== '/todos/1')).toEqual([])
    })

    test(`${hook}: a mutation is refused, and no request is sent`, async () => {
      const { controller, patch, server } = openBoard()
      const screen = await open(controller, view(hook, patch.extend({ pollFrequency: 1_000 }), { id: '1' }, {}))
      expect(screen.texts()[0]).toMatch(/^failed: Option 'sideEffect' of patch is true: a mutation cannot be read/)
      expect(server.requests).toHaveLength(0)
    })

    test.each([
      ['undefined', () => undefined],
      ['a function', () => async () => 1],
      ['a promise', () => Promise.resolve(1)],
      ['a resource', () => ({ get: openBoard().getTodo })],
      ['the entity Todo', () => Todo],
    ])(`${hook}: %s in place of an endpoint is reported`, async (found, given) => {
      const { controller } = openBoard()
      const screen = await open(controller, view(hook, given(), { id: '1' }))
      expect(screen.texts()[0]).toContain(`failed: An endpoint is expected, found ${found}.`)
    })
  }

  for (const hook of ['dle', 'cancelling-dle'] as const) {
    test(`${hook}: arguments that are valid again are fetched`, async () => {
      const { controller, getRest, requested } = openRest()
      const screen = await open(controller, view(hook, getRest, wrong))
      await screen.change(0, [{ id: '5' }])
      await screen.act(() => {})
      expect(screen.texts()).toEqual(['t5'])
      await screen.change(0, [wrong])
      expect(screen.texts()[0]).toContain(missing('getTodo'))
      await screen.change(0, [{ id: '5' }])
      expect(screen.texts()).toEqual(['t5'])
      expect(requested).toEqual(['/todos/5'])
    })
  }

  test('query: an endpoint in place of a schema is reported', async () => {
    const { controller, getTodo } = openBoard()
    const screen = await open(controller, view('query', getTodo, { id: '1' }))
    expect(screen.texts()[0]).toContain('failed: A schema is expected, found the endpoint getTodo.')
  })
}

/** A read whose arguments make a URL. */
function openRest() {
  const requested: string[] = []
  const getRest = new RestEndpoint({
    path: '/todos/:id',
    name: 'getTodo',
    schema: Todo,
    pollFrequency: 1_000,
    fetchResponse: async (url) => {
      requested.push(String(url))
      return Response.json(row(String(url).split('/').at(-1)))
    },
  })
  return { ...openBoard(), getRest, requested }
}

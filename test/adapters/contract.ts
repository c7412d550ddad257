import { All, type Controller, countBy, hookifyResource, LogoutManager, revalidate } from '@roundtable/core'
import { afterEach, describe, expect, test } from 'vitest'
import { ending, openBoard, Todo, type TodoData } from '../core/engine/todo-board.js'
import { expectNoise } from './expected-noise.js'
import type { Harness, Hook, Screen, View } from './harness.js'
import { view } from './harness.js'
import { hooks, mistakes } from './hooks-contract.js'
import { known } from './known-contract.js'
import { streams } from './live-contract.js'
import { waiting } from './offline-contract.js'
import { unasked } from './unasked-contract.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })
type Board = ReturnType<typeof openBoard>
const refusal = (): Error => Object.assign(new Error('refused'), { status: 401 })

/** The parts of the contract: each is a separate file per framework, so that a change to one runs in seconds. */
const PARTS = {
  suspense: (harness: Harness, open: Open) => describe('suspense', () => reads(harness, open, 'suspense')),
  dle: (harness: Harness, open: Open) => describe('dle', () => reads(harness, open, 'dle')),
  known(_harness: Harness, open: Open) {
    describe('what is known', () => known(open))
    describe('requests that nobody asked for', () => unasked(open))
  },
  others(_harness: Harness, open: Open) {
    describe('cache and query', () => looks(open))
    describe('polls', () => polls(open))
    describe('many readers', () => many(open))
  },
  hooks(harness: Harness, open: Open) {
    hooks(harness, open)
    describe('what waits', () => waiting(open))
    describe('live sources', () => streams(open))
  },
  mistakes: (_harness: Harness, open: Open) => describe('input that cannot be read', () => mistakes(open)),
} as const

/** The behaviour of every adapter, scenario by scenario. Prefixes are the ids of scenarios. */
export function contract(harness: Harness, ...parts: readonly (keyof typeof PARTS)[]): void {
  describe(harness.name, () => {
    expectNoise(harness.noise)
    const open = opener(harness)
    for (const part of parts) PARTS[part](harness, open)
  })
}

export type Open = (controller: Controller, ...views: readonly View[]) => Promise<Screen>

/** Takes off the screen whatever a test left there. */
function opener(harness: Harness): Open {
  const screens: Screen[] = []
  afterEach(async () => {
    for (const screen of screens.splice(0)) await screen.end()
  })
  return async (controller, ...views) => {
    const screen = await harness.open(controller, views)
    screens.push(screen)
    return screen
  }
}

function reads(harness: Harness, open: Open, hook: Hook): void {
  /** The text of a reader that waits for other data than before. */
  const meanwhile = (last: string): string => (hook === 'suspense' && harness.keepsLast ? last : 'loading')

  test('a miss waits, fetches once and shows the response', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(1)
  })

  test('a hit is shown at once, without a request', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(0)
  })

  test('stale data is shown, fetched once and replaced', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    await clock.advance(60_001)
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    expect(screen.texts()).toEqual(['t1'])
    await screen.act(() => server.one('getTodo').answer(row('1', 'new')))
    expect(screen.texts()).toEqual(['new'])
    expect(server.requests).toHaveLength(1)
  })

  test('revalidate fetches what is stale when the page is visible again or the network back, and nothing that is fresh', async () => {
    const { controller, getTodo, getPlain, server, clock } = openBoard({ managers: [revalidate()] })
    const plain = getPlain.extend({ dataExpiryLength: Infinity })
    controller.setResponse(plain, { id: '2' }, 'fresh')
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }), view(hook, plain, { id: '2' }))
    const lookAway = () =>
      screen.act(() => {
        clock.announce({ visible: false })
        clock.announce({ visible: true })
      })
    await lookAway()
    await clock.advance(60_001)
    expect(server.requests).toHaveLength(0)
    await lookAway()
    expect(screen.texts()).toEqual(['t1', 'fresh'])
    await screen.act(() => server.one('getTodo').answer(row('1', 'new')))
    expect(screen.texts()).toEqual(['new', 'fresh'])
    clock.announce({ online: false })
    await clock.advance(60_001)
    clock.announce({ online: true })
    await screen.act(() => clock.advance(500))
    await screen.act(() => server.one('getTodo', 1).answer(row('1', 'newer')))
    expect(screen.texts()).toEqual(['newer', 'fresh'])
    expect(server.requests).toHaveLength(2)
  })

  test('with invalidIfStale stale data is not shown: the reader waits', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const strict = getTodo.extend({ invalidIfStale: true })
    controller.setResponse(strict, { id: '1' }, row())
    await clock.advance(60_001)
    const screen = await open(controller, view(hook, strict, { id: '1' }))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo').answer(row('1', 'new')))
    expect(screen.texts()).toEqual(['new'])
  })

  test('a response that changes nothing renders nothing', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').answer(row()))
    const before = screen.renders(0)
    await screen.act(() => ending(controller.fetch(getTodo, { id: '1' })))
    await screen.act(() => server.one('getTodo', 1).answer(row()))
    expect(screen.renders(0)).toBe(before)
  })

  test('a soft error leaves the data on the screen, without a render', async () => {
    const { controller, getTodo, server } = openBoard()
    const soft = getTodo.extend({ errorPolicy: () => 'soft' as const })
    const screen = await open(controller, view(hook, soft, { id: '1' }))
    await screen.act(() => server.one('getTodo').answer(row()))
    const before = screen.renders(0)
    await screen.act(() => ending(controller.fetch(soft, { id: '1' })))
    await screen.act(() => server.one('getTodo', 1).fail())
    expect(screen.texts()).toEqual(['t1'])
    expect(screen.renders(0)).toBe(before)
  })

  test('a soft error without data is shown as an error', async () => {
    const { controller, getTodo, server } = openBoard()
    const soft = getTodo.extend({ errorPolicy: () => 'soft' as const })
    const screen = await open(controller, view(hook, soft, { id: '1' }))
    await screen.act(() => server.one('getTodo').fail())
    expect(screen.texts()).toEqual(['failed: getTodo failed'])
  })

  test('a hard error is shown, also where there was data', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.act(() => ending(controller.fetch(getTodo, { id: '1' })))
    await screen.act(() => server.one('getTodo', 1).fail())
    // A reader that suspends throws the error; a reader that does not suspend has both.
    expect(screen.texts()).toEqual([hook === 'dle' ? 'failed: getTodo failed (t1)' : 'failed: getTodo failed'])
  })

  if (hook === 'dle') {
    test('the data beside an error stays up to date', async () => {
      const { controller, getTodo, server } = openBoard()
      const screen = await open(controller, view(hook, getTodo, { id: '1' }))
      await screen.act(() => server.one('getTodo').answer(row()))
      await screen.act(() => controller.expireAll(getTodo))
      await screen.act(() => server.one('getTodo', 1).fail())
      expect(screen.texts()).toEqual(['failed: getTodo failed (t1)'])
      await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
      expect(screen.texts()).toEqual(['failed: getTodo failed (edited)'])
      await screen.press(0)
      await screen.act(() => server.one('getTodo', 2).answer(row('1', 'new')))
      expect(screen.texts()).toEqual(['new'])
    })

    test('invalid data is not shown beside an error either', async () => {
      const { controller, getTodo, server, clock } = openBoard()
      const strict = getTodo.extend({ invalidIfStale: true })
      controller.setResponse(strict, { id: '1' }, row('1'))
      controller.setResponse(getTodo, { id: '2' }, row('2'))
      await clock.advance(60_001)
      const screen = await open(controller, view(hook, strict, { id: '1' }), view(hook, getTodo, { id: '2' }))
      await screen.act(() => controller.invalidate(getTodo, { id: '2' }))
      for (const request of server.requests) await screen.act(() => request.fail())
      expect(screen.texts()).toEqual(['failed: getTodo failed', 'failed: getTodo failed'])
    })
  }

  test('a fresh error is shown to later readers; a stale one is fetched again', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const patient = getTodo.extend({ errorExpiryLength: 60_000 })
    const first = await open(controller, view(hook, patient, { id: '1' }))
    await first.act(() => server.one('getTodo').fail())
    await first.end()
    await clock.advance(40_000)
    const second = await open(controller, view(hook, patient, { id: '1' }))
    expect(second.texts()).toEqual(['failed: getTodo failed'])
    expect(server.requests).toHaveLength(1)
    await second.end()
    await clock.advance(60_000)
    const third = await open(controller, view(hook, patient, { id: '1' }))
    expect(third.texts()).toEqual(['loading'])
    await third.act(() => server.one('getTodo', 1).answer(row()))
    expect(third.texts()).toEqual(['t1'])
  })

  test('C7: a retry fetches what failed, exactly once, and nothing else', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }), view(hook, getTodo, { id: '2' }))
    await screen.act(() => server.one('getTodo', 0).fail(new Error('one')))
    await screen.act(() => server.one('getTodo', 1).fail(new Error('two')))
    expect(screen.texts()).toEqual(['failed: one', 'failed: two'])
    await screen.press(0)
    expect(screen.texts()).toEqual(['loading', 'failed: two'])
    expect(server.requests.map(({ args }) => args)).toEqual([[{ id: '1' }], [{ id: '2' }], [{ id: '1' }]])
    await screen.act(() => server.one('getTodo', 2).answer(row()))
    expect(screen.texts()).toEqual(['t1', 'failed: two'])
    expect(server.requests).toHaveLength(3)
  })

  test('C7: a retry that fails again shows the error, and fetches no more', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').fail(new Error('first')))
    await screen.press(0)
    await screen.act(() => server.one('getTodo', 1).fail(new Error('second')))
    expect(screen.texts()).toEqual(['failed: second'])
    await screen.act(() => {})
    expect(server.requests).toHaveLength(2)
  })

  test('other arguments have another response', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.change(0, [{ id: '2' }])
    expect(screen.texts()).toEqual([meanwhile('t1')])
    await screen.act(() => server.one('getTodo', 1).answer(row('2')))
    expect(screen.texts()).toEqual(['t2'])
    await screen.change(0, [{ id: '1' }])
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(2)
  })

  test('R18, C9: arguments that go 1, 2, 1 during the request show their own data, never the other', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.change(0, [{ id: '2' }])
    await screen.change(0, [{ id: '1' }])
    const ofId = (id: string) => server.requests.filter(({ args }) => (args[0] as { id: string }).id === id)
    for (const request of ofId('2')) await screen.act(() => request.answer(row('2')))
    expect(screen.texts()).toEqual(['loading'])
    expect(ofId('1')).toHaveLength(1)
    await screen.act(() => ofId('1')[0]?.answer(row('1')))
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests.length).toBeLessThanOrEqual(2)
  })

  test('null fetches nothing until there are arguments', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, null))
    expect(screen.texts()).toEqual(['nothing'])
    expect(server.requests).toHaveLength(0)
    await screen.change(0, [{ id: '1' }])
    expect(screen.texts()).toEqual([meanwhile('nothing')])
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(screen.texts()).toEqual(['t1'])
    await screen.change(0, [null])
    expect(screen.texts()).toEqual(['nothing'])
    expect(server.requests).toHaveLength(1)
  })

  test('an optimistic response is shown at once, and removed when its request fails', async () => {
    const { controller, getTodo, patchNow, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => ending(controller.fetch(patchNow, { id: '1' }, { title: 'mine' })))
    expect(screen.texts()).toEqual(['mine'])
    await screen.act(() => server.one('patch').fail())
    expect(screen.texts()).toEqual(['t1'])
  })

  test('R14: one of several pending changes fails, and the others stay', async () => {
    const { controller, getTodo, patchNow, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    const change = (body: TodoData) => screen.act(() => ending(controller.fetch(patchNow, { id: '1' }, body)))
    await change({ title: 'a' })
    await change({ title: 'b' })
    await change({ title: 'c' })
    expect(screen.texts()).toEqual(['c'])
    await screen.act(() => server.one('patch', 2).fail())
    expect(screen.texts()).toEqual(['b'])
    await screen.act(() => server.one('patch', 0).answer(row('1', 'a')))
    expect(screen.texts()).toEqual(['b'])
    await screen.act(() => server.one('patch', 1).answer(row('1', 'b')))
    expect(screen.texts()).toEqual(['b'])
  })

  test('R11: an optimistic member of a list is replaced in place by the real one', async () => {
    const { controller, getTodos, createNow, server } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1')])
    const screen = await open(controller, view(hook, getTodos, { userId: '1' }))
    await screen.act(() => ending(controller.fetch(createNow, { userId: '1' }, { title: 'a' })))
    await screen.act(() => ending(controller.fetch(createNow, { userId: '1' }, { title: 'b' })))
    expect(screen.texts()).toEqual(['t1,a,b'])
    await screen.act(() => server.one('create', 0).fail())
    expect(screen.texts()).toEqual(['t1,b'])
    await screen.act(() => server.one('create', 1).answer(row('9', 'b')))
    expect(screen.texts()).toEqual(['t1,b'])
  })

  test('R3: a key that is invalidated while it is mounted is fetched once', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => controller.invalidate(getTodo, { id: '1' }))
    expect(screen.texts()).toEqual([meanwhile('t1')])
    await screen.act(() => server.one('getTodo').answer(row('1', 'new')))
    expect(screen.texts()).toEqual(['new'])
    expect(server.requests).toHaveLength(1)
  })

  test('R1: a row whose deletion is refused is back at its place', async () => {
    const { controller, getTodos, removeNow, server } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2')])
    const screen = await open(controller, view(hook, getTodos, { userId: '1' }))
    await screen.act(() => ending(controller.fetch(removeNow, { id: '1' })))
    expect(screen.texts()).toEqual(['t2'])
    await screen.act(() => server.one('remove').fail())
    expect(screen.texts()).toEqual(['t1,t2'])
  })

  test('F23: two functional sets in one tick both count, in one render', async () => {
    const { controller, getTodo } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    const before = screen.renders(0)
    const add = (what: string) => controller.set(Todo, { id: '1' }, (todo) => ({ title: `${todo?.title}${what}` }))
    await screen.act(() =>
      controller.notifyOnce(() => {
        add('a')
        add('b')
      }),
    )
    expect(screen.texts()).toEqual(['t1ab'])
    expect(screen.renders(0)).toBe(before + 1)
  })

  test('two readers are one request', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }), view(hook, getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(screen.texts()).toEqual(['t1', 't1'])
    expect(server.requests).toHaveLength(1)
  })

  test('an endpoint that is extended on every render is one request', async () => {
    const { controller, getTodo, server } = openBoard()
    const anew: View = { hook, of: () => getTodo.extend({ dataExpiryLength: 5_000 }), args: [{ id: '1' }] }
    const screen = await open(controller, anew, anew)
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(screen.texts()).toEqual(['edited', 'edited'])
    expect(server.requests).toHaveLength(1)
  })

  test('an endpoint that is hookified on every render is one request', async () => {
    const { controller, getTodo, server } = openBoard()
    const anew: View = {
      hook,
      of: () => hookifyResource({ get: getTodo }, () => ({ headers: {} })).useGet(),
      args: [{ id: '1' }],
    }
    const screen = await open(controller, anew)
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(screen.texts()).toEqual(['edited'])
    expect(server.requests).toHaveLength(1)
  })

  test('C5: a reader that unmounts during the request aborts nothing; the response is stored, and nothing waits for it', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: false })
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.end()
    expect(server.one('getTodo').isAborted).toBe(false)
    await server.one('getTodo').answer(row())
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 't1' })
    await clock.advance(31_000)
    expect(clock.pending).toBe(0)
  })

  test('C5, C12: with abortOnUnused the request is aborted when the last reader has left', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: false })
    const search = getTodo.extend({ abortOnUnused: true })
    const screen = await open(controller, view(hook, search, { id: '1' }), view(hook, search, { id: '1' }))
    await screen.close(0)
    expect(server.one('getTodo').isAborted).toBe(false)
    await screen.end()
    // Where a reader that suspended is never mounted, nothing reports that it left: its request ends by itself.
    expect(server.one('getTodo').isAborted).toBe(hook === 'dle' || harness.mountsPending)
    await server.one('getTodo').answer(row())
    await clock.advance(31_000)
    expect(clock.pending).toBe(0)
  })

  test('R17: one of two readers unmounts, and the request goes on', async () => {
    const { controller, getTodo, server } = openBoard()
    const search = getTodo.extend({ abortOnUnused: true })
    const screen = await open(controller, view(hook, search, { id: '1' }), view(hook, search, { id: '1' }))
    await screen.close(0)
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(screen.texts().at(-1)).toBe('t1')
    expect(server.requests).toHaveLength(1)
  })

  test('F4: a signal that is already aborted makes one attempt, then shows its AbortError', async () => {
    const { controller, getTodo, server } = openBoard()
    const aborted = getTodo.extend({ signal: AbortSignal.abort('because') })
    const screen = await open(controller, view(hook, aborted, { id: '1' }))
    await screen.act(() => {})
    expect(screen.texts()).toEqual(['failed: The request was aborted.'])
    expect(server.requests.length).toBeLessThanOrEqual(1)
  })

  test('a reset while mounted empties the screen and fetches again', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.act(() => controller.resetEntireStore())
    expect(screen.texts()).toEqual([meanwhile('t1')])
    await screen.act(() => server.one('getTodo', 1).answer(row('1', 'after')))
    expect(screen.texts()).toEqual(['after'])
    expect(server.requests).toHaveLength(2)
  })

  const clearings = {
    resetEntireStore: ({ controller }: Board) => controller.resetEntireStore(),
    expireAll: ({ controller, getTodo }: Board) => controller.expireAll(getTodo),
    invalidateAll: ({ controller, getTodo }: Board) => controller.invalidateAll(getTodo),
    invalidateBy: ({ controller }: Board) => controller.invalidateBy(Todo),
  }
  for (const [name, clear] of Object.entries(clearings)) {
    test.each(['before', 'after'] as const)(
      `${name} asks for no reader that leaves, or gets null or other arguments, in the same step, %s it`,
      async (when) => {
        const board = openBoard()
        const { controller, getTodo, server } = board
        const ids = ['1', '2', '3', '4']
        const screen = await open(controller, ...ids.map((id) => view(hook, getTodo, { id })))
        for (const [index, id] of ids.entries()) await screen.act(() => server.one('getTodo', index).answer(row(id)))
        await screen.act(async (now) => {
          // After an await, as in a handler that has signed out.
          await Promise.resolve()
          if (when === 'after') clear(board)
          now.close(0)
          now.change(1, [null])
          now.change(2, [{ id: '5' }])
          if (when === 'before') clear(board)
        })
        const asked = server.requests.slice(4).map(({ args }) => (args[0] as { readonly id: string }).id)
        expect(asked.sort()).toEqual(['4', '5'])
        await screen.end()
      },
    )
  }

  test('who gets other arguments in the step of a reset, and then the first ones again, is shown what is there now', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.act((now) => {
      now.change(0, [{ id: '2' }])
      controller.resetEntireStore()
    })
    await screen.change(0, [{ id: '1' }])
    const again = server.requests.slice(1).filter(({ args }) => (args[0] as { readonly id: string }).id === '1')
    expect(again).toHaveLength(1)
    await screen.act(() => again[0]?.answer(row('1', 'after')))
    expect(screen.texts()).toEqual(['after'])
    await screen.end()
  })

  test('R5: a reset while pending waits for the request that was sent after it', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => controller.resetEntireStore())
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo', 0).answer(row('1', 'before')))
    expect(screen.texts()).toEqual(['loading'])
    await screen.act(() => server.one('getTodo', 1).answer(row('1', 'after')))
    expect(screen.texts()).toEqual(['after'])
  })

  test.each(['remove', 'removeNow'] as const)(
    'a row that is deleted from its own page (%s) stays for a second, is then told of, and is not requested; other arguments ask',
    async (name) => {
      const { controller, getTodo, server, clock, [name]: remove } = openBoard()
      const screen = await open(controller, view(hook, getTodo, { id: '1' }), view(hook, getTodo, { id: '1' }))
      await screen.act(() => server.one('getTodo').answer(row()))
      const before = screen.renders(0)
      ending(controller.fetch(remove, { id: '1' }))
      await screen.act(() => clock.advance(2_000))
      await screen.act(() => server.one('remove').answer({ id: '1' }))
      await screen.act(() => clock.advance(900))
      expect(screen.texts()).toEqual(['t1', 't1'])
      expect(screen.renders(0)).toBe(before)
      await screen.change(0, [{ id: '2' }])
      await screen.act(() => server.one('getTodo', 1).answer(row('2')))
      expect(screen.texts()[0]).toBe('t2')
      await screen.act(() => clock.advance(200))
      expect(screen.texts()[1]).toMatch(/^failed: getTodo .*was deleted \(404\)/)
      expect(server.of('getTodo')).toHaveLength(2)
    },
  )

  test('F6: if every request is refused there is one logout and one retry for each key, then the error is shown', async () => {
    const { controller, getTodo, server, clock } = openBoard({ managers: [new LogoutManager()] })
    let epochs = 0
    controller.on('reset', () => epochs++)
    const screen = await open(controller, view(hook, getTodo, { id: '1' }), view(hook, getTodo, { id: '2' }))
    for (let turn = 0; turn < 10; turn++) {
      for (const request of server.requests) await screen.act(() => request.fail(refusal()))
      await screen.act(() => clock.advance(100))
    }
    expect(screen.texts()).toEqual(['failed: refused', 'failed: refused'])
    expect(epochs).toBe(1)
    expect(server.requests.length).toBeLessThanOrEqual(4)
  })

  test('F19: dispose settles every promise, and nobody fetches afterwards', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    const end = ending(controller.fetch(getTodo, { id: '2' }))
    await screen.act(() => controller.dispose())
    await screen.act(() => clock.advance(31_000))
    expect(end.error).toMatchObject({ name: 'DisposedError' })
    expect(server.requests).toHaveLength(2)
    expect(clock.pending).toBe(0)
  })

  test('nothing is fetched in a loop, even if it is stale at once or fails', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const hasty = getTodo.extend({ dataExpiryLength: 0, errorExpiryLength: 0 })
    const screen = await open(controller, view(hook, hasty, { id: '1' }), view(hook, hasty, { id: '2' }))
    await screen.act(() => server.one('getTodo', 0).answer(row('1')))
    await screen.act(() => server.one('getTodo', 1).fail())
    for (let turn = 0; turn < 5; turn++) await screen.act(() => clock.advance(5_000))
    expect(screen.texts()).toEqual(['t1', 'failed: getTodo failed'])
    expect(server.requests).toHaveLength(2)
  })

  test('M2: mounted data is not collected, also when its arguments changed and its data did not', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: { after: 1_000 } })
    const forever = getTodo.extend({ dataExpiryLength: Infinity })
    controller.setResponse(forever, { id: '1' }, row())
    const screen = await open(controller, view(hook, forever, { id: '1' }))
    // Another key, and the same row.
    await screen.change(0, [{ id: '1', more: undefined }])
    await screen.change(0, [{ id: '1', tab: 'x' }])
    if (server.requests.length > 0) await screen.act(() => server.one('getTodo').answer(row()))
    const requested = server.requests.length
    for (let turn = 0; turn < 10; turn++) await screen.act(() => clock.advance(1_000))
    await screen.act(() => controller.set(Todo, { id: '1' }, { title: 'edited' }))
    expect(screen.texts()).toEqual(['edited'])
    expect(server.requests).toHaveLength(requested)
    expect(controller.getResponse(forever, { id: '1', tab: 'x' } as never).data).toMatchObject({ title: 'edited' })
  })
}

function looks(open: Open): void {
  test('cache shows stored data, is notified of changes and never fetches', async () => {
    const { controller, getTodo, server } = openBoard()
    const screen = await open(controller, view('cache', getTodo, { id: '1' }))
    expect(screen.texts()).toEqual(['nothing'])
    await screen.act(() => controller.setResponse(getTodo, { id: '1' }, row()))
    expect(screen.texts()).toEqual(['t1'])
    await screen.change(0, [{ id: '2' }])
    expect(screen.texts()).toEqual(['nothing'])
    await screen.change(0, [null])
    expect(screen.texts()).toEqual(['nothing'])
    expect(server.requests).toHaveLength(0)
  })

  test('query shows what the table holds, wherever it came from', async () => {
    const { controller, server } = openBoard()
    const screen = await open(controller, view('query', Todo, { id: '1' }))
    expect(screen.texts()).toEqual(['nothing'])
    await screen.act(() => controller.set(Todo, { id: '1' }, row()))
    expect(screen.texts()).toEqual(['t1'])
    await screen.change(0, [null])
    expect(screen.texts()).toEqual(['nothing'])
    await screen.change(0, [{ id: '1' }])
    expect(screen.texts()).toEqual(['t1'])
    expect(server.requests).toHaveLength(0)
  })

  test('query of a selection follows its rows and its arguments, and renders nothing for a row outside', async () => {
    const { controller, getTodos } = openBoard()
    const todosOf = new All(Todo, {
      belongs: (todo, { userId }: { readonly userId: string }) => todo.userId === userId,
      compare: (a, b) => b.votes - a.votes,
    })
    const votes = countBy(new All(Todo), (todo) => todo.userId)
    const screen = await open(controller, view('query', todosOf, { userId: '1' }), view('query', votes))
    expect(screen.texts()).toEqual(['nothing', 'nothing'])
    const rows = [row('1'), { ...row('2'), votes: 5 }, { ...row('3'), userId: '2' }]
    await screen.act(() => controller.setResponse(getTodos, {}, rows))
    expect(screen.texts()).toEqual(['t2,t1', '{"1":2,"2":1}'])
    const before = [screen.renders(0), screen.renders(1)]
    await screen.act(() => controller.set(Todo, { id: '3' }, { title: 'outside' }))
    expect([screen.renders(0), screen.renders(1)]).toEqual(before)
    await screen.act(() => controller.set(Todo, { id: '1' }, { votes: 9 }))
    await screen.act(() => controller.set(Todo, { id: '3' }, { userId: '1' }))
    expect(screen.texts()).toEqual(['t1,t2,outside', '{"1":3}'])
    await screen.change(0, [{ userId: '2' }])
    expect(screen.texts()[0]).toBe('')
  })
}

function polls(open: Open): void {
  for (const hook of ['live', 'subscription'] as const) {
    test(`${hook} fetches at once and every pollFrequency ms, and stops with the reader`, async () => {
      const { controller, getTodo, server, clock } = openBoard({ retention: false })
      server.on('getTodo', ({ id }: { id: string }) => row(id, `t${server.requests.length}`))
      const ticker = getTodo.extend({ pollFrequency: 1_000 })
      const screen = await open(controller, view(hook, ticker, { id: '1' }))
      await screen.act(() => clock.advance(0))
      await screen.act(() => server.one('getTodo').deliver())
      expect(screen.texts()).toEqual(['t1'])
      for (let second = 1; second <= 3; second++) {
        await screen.act(() => clock.advance(1_000))
        await screen.act(() => server.one('getTodo', second).deliver())
        expect(screen.texts()).toEqual([`t${second + 1}`])
      }
      await screen.end()
      await clock.advance(60_000)
      expect(server.requests).toHaveLength(4)
      expect(clock.pending).toBe(0)
    })

    test(`F18: ${hook} resumes when its provider is mounted again`, async () => {
      const { controller, getTodo, server, clock } = openBoard()
      const ticker = getTodo.extend({ pollFrequency: 1_000 })
      const first = await open(controller, view(hook, ticker, { id: '1' }))
      await first.act(() => clock.advance(0))
      await first.act(() => server.one('getTodo').answer(row()))
      await first.end()
      await clock.advance(10_000)
      expect(server.requests).toHaveLength(1)
      const second = await open(controller, view(hook, ticker, { id: '1' }))
      await second.act(() => clock.advance(0))
      for (let at = 1; at <= 3; at++) {
        await second.act(() => server.one('getTodo', at).answer(row()))
        await second.act(() => clock.advance(1_000))
      }
      expect(server.requests).toHaveLength(5)
    })
  }

  test('two readers of a key poll at the lower frequency, and at the other one when that reader has left', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const slow = view('live', getTodo.extend({ pollFrequency: 3_000 }), { id: '1' })
    const fast = view('live', getTodo.extend({ pollFrequency: 1_000 }), { id: '1' })
    const screen = await open(controller, slow, fast)
    const run = async (ms: number): Promise<number> => {
      const before = server.requests.length
      for (let passed = 0; passed < ms; passed += 500) {
        await screen.act(() => clock.advance(500))
        for (const request of server.requests) await screen.act(() => request.answer(row()))
      }
      return server.requests.length - before
    }
    await screen.act(() => server.one('getTodo').answer(row()))
    expect(await run(3_000)).toBe(3)
    await screen.close(1)
    expect(await run(6_000)).toBe(2)
  })

  test('F22: a reset stops the earlier polls, and mounted readers poll again', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const ticker = getTodo.extend({ pollFrequency: 1_000 })
    const screen = await open(controller, view('live', ticker, { id: '1' }))
    await screen.act(() => clock.advance(0))
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.act(() => controller.resetEntireStore())
    await screen.act(() => clock.advance(0))
    await screen.act(() => server.one('getTodo', 1).answer(row('1', 'after')))
    expect(screen.texts()).toEqual(['after'])
    for (let at = 2; at <= 4; at++) {
      await screen.act(() => clock.advance(1_000))
      expect(server.requests).toHaveLength(at + 1)
      await screen.act(() => server.one('getTodo', at).answer(row('1', `poll ${at}`)))
    }
    expect(screen.texts()).toEqual(['poll 4'])
  })

  test('new arguments stop the polls of the old ones', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const ticker = getTodo.extend({ pollFrequency: 1_000 })
    const screen = await open(controller, view('live', ticker, { id: '1' }))
    await screen.act(() => clock.advance(0))
    await screen.act(() => server.one('getTodo').answer(row()))
    await screen.change(0, [{ id: '2' }])
    for (let turn = 0; turn < 8; turn++) {
      for (const request of server.requests.slice(1)) await screen.act(() => request.answer(row('2')))
      await screen.act(() => clock.advance(500))
    }
    expect(screen.texts()).toEqual(['t2'])
    const requested = server.requests.map(({ args }) => (args[0] as { id: string }).id)
    expect(requested.filter((id) => id === '1')).toHaveLength(1)
    expect(requested.filter((id) => id === '2').length).toBeGreaterThanOrEqual(4)
  })

  test('null polls nothing', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: false })
    await open(controller, view('live', getTodo.extend({ pollFrequency: 1_000 }), null))
    await clock.advance(5_000)
    expect(server.requests).toHaveLength(0)
    expect(clock.pending).toBe(0)
  })
}

function many(open: Open): void {
  test('C8: one of a hundred readers of a hundred rows renders when one row changes', async () => {
    const { controller, getTodo } = openBoard()
    const ids = Array.from({ length: 100 }, (_, index) => String(index))
    for (const id of ids) controller.setResponse(getTodo, { id }, row(id))
    const screen = await open(controller, ...ids.map((id) => view('suspense', getTodo, { id })))
    const before = ids.map((_, index) => screen.renders(index))
    await screen.act(() => controller.set(Todo, { id: '42' }, { title: 'changed' }))
    const rendered = ids.filter((_, index) => screen.renders(index) !== before[index])
    expect(rendered).toEqual(['42'])
    expect(screen.renders(42)).toBe((before[42] ?? 0) + 1)
    expect(screen.texts()[42]).toBe('changed')
  })

  test('a commit that changes nothing on the screen renders nothing', async () => {
    const { controller, getTodo, getTodos } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row())
    controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2')])
    const views = (['suspense', 'dle', 'cache'] as const).map((hook) => view(hook, getTodo, { id: '1' }))
    const screen = await open(
      controller,
      ...views,
      view('query', Todo, { id: '1' }),
      view('dle', getTodos, { userId: '1' }),
    )
    const before = screen.texts().map((_, index) => screen.renders(index))
    await screen.act(() => controller.set(Todo, { id: '3' }, row('3')))
    await screen.act(() => controller.setResponse(getTodo, { id: '4' }, row('4')))
    expect(screen.texts().map((_, index) => screen.renders(index))).toEqual(before)
  })

  test('F17: readers that come and go leave nothing behind', async () => {
    const { controller, getTodo, server, clock } = openBoard({ retention: false })
    const ticker = getTodo.extend({ pollFrequency: 1_000 })
    for (let round = 0; round < 5; round++) {
      const screen = await open(controller, view('live', ticker, { id: '1' }), view('dle', ticker, { id: '1' }))
      await screen.close(0)
      await screen.end()
      await screen.end()
    }
    for (const request of server.requests) await request.answer(row())
    await clock.advance(60_000)
    expect(server.requests.length).toBeLessThanOrEqual(5)
    expect(clock.pending).toBe(0)
  })
}

import { Controller, poll, type RevalidateOptions, retry, revalidate } from '@roundtable/core'
import { mockController } from '@roundtable/core/testing'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { openBoard, watch } from './todo-board.js'

const row = (id = '1', title = 't') => ({ id, title, userId: '1', votes: 0 })

/** A board with todo 1 mounted and loaded, on a page that can be hidden, shown, cut off and connected again. */
async function openPage(options?: RevalidateOptions, lifetime = 60_000) {
  const board = openBoard({ managers: [revalidate(options)] })
  const { server, controller, clock } = board
  const endpoint = board.getTodo.extend({ dataExpiryLength: lifetime })
  const shown = watch(controller.watch(endpoint, { id: '1' }))
  await settle()
  await server.one('getTodo').answer(row())
  return {
    ...board,
    endpoint,
    shown,
    sent: () => server.requests.length,
    lookAway: async () => {
      clock.announce({ visible: false })
      clock.announce({ visible: true })
      await settle()
    },
    goOffline: () => clock.announce({ online: false }),
    goOnline: () => clock.announce({ online: true }),
  }
}

describe('focus', () => {
  test('fetches what is stale when the page becomes visible, and shows the old data meanwhile', async () => {
    const { lookAway, clock, sent, server, controller, endpoint } = await openPage()
    await clock.advance(60_001)
    expect(sent()).toBe(1)
    await lookAway()
    expect(sent()).toBe(2)
    expect(controller.watch(endpoint, { id: '1' }).getSnapshot()).toMatchObject({ data: { title: 't' } })
    await server.one('getTodo', 1).answer(row('1', 'new'))
    expect(controller.watch(endpoint, { id: '1' }).getSnapshot()).toMatchObject({ data: { title: 'new' } })
  })

  test('20 times in 10 s is at most 2 requests, and none for data in date', async () => {
    const stale = await openPage(undefined, 0)
    const fresh = await openPage(undefined, 60_000)
    const times: number[] = []
    for (let i = 0; i < 20; i++) {
      const before = stale.sent()
      await stale.lookAway()
      await fresh.lookAway()
      if (stale.sent() > before) times.push(stale.clock.mono())
      for (const request of stale.server.requests) await request.answer(row())
      await stale.clock.advance(500)
      await fresh.clock.advance(500)
    }
    expect(times).toEqual([0, 5_000])
    expect(fresh.sent()).toBe(1)
  })

  test('renders nobody whose data is fresh or comes back the same', async () => {
    const { lookAway, clock, server, shown } = await openPage()
    const before = shown.notified
    await lookAway()
    await clock.advance(60_001)
    await lookAway()
    await server.one('getTodo', 1).answer(row())
    expect(shown.notified).toBe(before)
  })

  test('asks nothing for what is not mounted, and nothing when the page is hidden', async () => {
    const { controller, getTodo, clock, sent } = await openPage()
    controller.setResponse(getTodo, { id: '2' }, row('2'))
    await clock.advance(60_001)
    clock.announce({ visible: false })
    await settle()
    expect(sent()).toBe(1)
    clock.announce({ visible: true })
    await settle()
    expect(sent()).toBe(2)
  })

  test('that is false is off', async () => {
    const { lookAway, sent } = await openPage({ focus: false }, 0)
    await lookAway()
    expect(sent()).toBe(1)
  })

  test('leaves polled keys to their polls', async () => {
    const { lookAway, controller, endpoint, server, clock } = await openPage(undefined, 0)
    controller.observe(poll, endpoint.extend({ pollFrequency: 20_000 }), { id: '1' }).subscribe(() => {})
    await clock.advance(20_000)
    await server.one('getTodo', 1).answer(row())
    await clock.advance(10_000)
    await lookAway()
    expect(server.requests).toHaveLength(2)
  })
})

describe('reconnect', () => {
  test('fetches what is stale after a random part of a second', async () => {
    const { goOffline, goOnline, clock, sent } = await openPage()
    goOffline()
    await clock.advance(60_001)
    goOnline()
    await clock.advance(499)
    expect(sent()).toBe(1)
    await clock.advance(1)
    expect(sent()).toBe(2)
  })

  test('fetches nothing that is fresh, but retries errors that are mounted, recent ones too', async () => {
    const { goOffline, goOnline, clock, sent, controller, getTodo, server } = await openPage()
    controller.watch(getTodo.extend({ errorExpiryLength: Infinity }), { id: '2' }).subscribe(() => {})
    await settle()
    goOffline()
    await server.one('getTodo', 1).fail()
    goOnline()
    await clock.advance(500)
    expect(sent()).toBe(3)
    expect(server.one('getTodo', 2).args).toEqual([{ id: '2' }])
  })

  test('waits until somebody sees the page', async () => {
    const { goOffline, clock, sent } = await openPage(undefined, 0)
    goOffline()
    clock.announce({ visible: false, online: true })
    await clock.advance(10_000)
    expect(sent()).toBe(1)
    clock.announce({ visible: true })
    await settle()
    expect(sent()).toBe(2)
  })

  test('asks nothing if the network is gone again', async () => {
    const { goOffline, goOnline, clock, sent } = await openPage(undefined, 0)
    goOffline()
    goOnline()
    goOffline()
    await clock.advance(10_000)
    expect(sent()).toBe(1)
  })

  test('that is false is off', async () => {
    const { goOffline, goOnline, clock, sent } = await openPage({ reconnect: false }, 0)
    goOffline()
    goOnline()
    await clock.advance(10_000)
    expect(sent()).toBe(1)
  })
})

test('dispose ends it', async () => {
  const { controller, goOffline, goOnline, lookAway, clock, sent } = await openPage(undefined, 0)
  goOffline()
  goOnline()
  controller.dispose()
  await lookAway()
  await clock.advance(10_000)
  expect(sent()).toBe(1)
  expect(clock.pending).toBe(0)
})

test('works beside retry and under mockController, and does nothing on a server', async () => {
  const clock = new HandClock()
  mockController({ env: clock, managers: [revalidate()], retry: retry(2) })
  new Controller({ env: clock, managers: [revalidate()], server: true })
  clock.announce({ visible: false })
  clock.announce({ visible: true })
})

describe('bad options', () => {
  test.each([
    [
      { focus: { throttle: -1 } },
      "Option 'revalidate.focus.throttle' must be 0 or more milliseconds, found number -1.",
    ],
    [{ reconnect: { jitter: Number.NaN } }, "Option 'revalidate.reconnect.jitter' must be 0 or more"],
    [{ focus: { throtle: 1 } }, "Option 'revalidate.focus.throtle' is unknown. The options are throttle."],
    [{ onFocus: true }, "Option 'revalidate.onFocus' is unknown. The options are focus, reconnect."],
  ])('%j', (options, message) => {
    expect(() => revalidate(options as RevalidateOptions)).toThrow(message)
  })
})

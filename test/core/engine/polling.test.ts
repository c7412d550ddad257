import { Controller, poll } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { openBoard, watch } from './todo-board.js'

const row = (id = '1', title = 't') => ({ id, title, userId: '1', votes: 0 })

/** A board with todo 1 polled every second, and a server that answers each poll at once. */
function openPoll(frequency = 1_000, clock = new HandClock()) {
  const board = openBoard({ env: clock, retention: false })
  const endpoint = board.getTodo.extend({ pollFrequency: frequency })
  const polled = () => board.server.of('getTodo').length
  const answerAll = async (response: 'good' | 'bad' = 'good') => {
    for (const request of board.server.of('getTodo')) {
      if (response === 'good') await request.answer(row())
      else await request.fail()
    }
  }
  const run = async (ms: number, step: number, response: 'good' | 'bad' = 'good') => {
    for (let passed = 0; passed < ms; passed += step) {
      await clock.advance(step)
      await answerAll(response)
    }
  }
  return {
    ...board,
    clock,
    endpoint,
    polled,
    answerAll,
    run,
    start: () => board.controller.observe(poll, endpoint, { id: '1' }),
  }
}

describe('a poll', () => {
  test('fetches at once and then every pollFrequency ms, while it has subscribers', async () => {
    const { start, polled, run, clock } = openPoll()
    const stop = start().subscribe(() => {})
    await clock.advance(0)
    expect(polled()).toBe(1)
    await run(5_000, 100)
    expect(polled()).toBe(6)
    stop()
    await run(5_000, 100)
    expect(polled()).toBe(6)
    expect(clock.pending).toBe(0)
  })

  test('counts from the last request of its key, whoever sent it', async () => {
    const { controller, endpoint, start, polled, answerAll, run, clock } = openPoll()
    watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    await answerAll()
    await clock.advance(400)
    start().subscribe(() => {})
    await settle()
    expect(polled()).toBe(1)
    await run(600, 100)
    expect(polled()).toBe(2)
  })

  test('counts from the response where none was requested, as for one that was set', async () => {
    const { controller, endpoint, start, polled, run, clock } = openPoll()
    controller.setResponse(endpoint, { id: '1' }, row())
    await clock.advance(400)
    start().subscribe(() => {})
    await run(500, 100)
    expect(polled()).toBe(0)
    await run(100, 100)
    expect(polled()).toBe(1)
  })

  test('has one timer for each key, at the lowest frequency', async () => {
    const { controller, getTodo, clock, polled, run } = openPoll()
    const often = controller.observe(poll, getTodo.extend({ pollFrequency: 1_000 }), { id: '1' })
    const seldom = controller.observe(poll, getTodo.extend({ pollFrequency: 5_000 }), { id: '1' })
    seldom.subscribe(() => {})
    const stop = often.subscribe(() => {})
    await run(3_000, 100)
    expect(polled()).toBe(4)
    stop()
    await run(10_000, 100)
    expect(polled()).toBe(6)
    expect(clock.pending).toBe(1)
  })

  test('runs one request at a time: it waits for a slow response', async () => {
    const { start, polled, clock, answerAll } = openPoll()
    start().subscribe(() => {})
    await clock.advance(10_000)
    expect(polled()).toBe(1)
    await answerAll()
    await clock.advance(0)
    expect(polled()).toBe(2)
  })

  test('of an endpoint without pollFrequency never polls, and warns once in development', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { controller, getTodo, clock, polled } = openPoll()
    for (const id of ['1', '1']) controller.observe(poll, getTodo, { id }).subscribe(() => {})
    await clock.advance(100_000)
    expect(polled()).toBe(0)
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
  })

  test('that fails leaves the data on the screen', async () => {
    const { controller, endpoint, start, run, clock } = openPoll()
    const shown = watch(controller.watch(endpoint, { id: '1' }))
    start().subscribe(() => {})
    await clock.advance(0)
    await run(1_000, 100)
    await run(3_000, 100, 'bad')
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 't' } })
  })
})

describe('F1: a pollFrequency', () => {
  test('of Infinity is never', async () => {
    const { start, polled, clock, answerAll } = openPoll(Infinity)
    start().subscribe(() => {})
    await clock.advance(0)
    await answerAll()
    const first = polled()
    await clock.advance(1e12)
    expect(polled()).toBe(first)
  })

  test('above the limit of timers waits that long', async () => {
    const { start, polled, clock, answerAll } = openPoll(2 ** 31)
    start().subscribe(() => {})
    await clock.advance(0)
    await answerAll()
    await clock.advance(2 ** 31 - 1)
    expect(polled()).toBe(1)
    await clock.advance(1)
    expect(polled()).toBe(2)
  })
})

describe('F7: polls that fail', () => {
  test('pause longer and longer up to 60 s, and the first success restores the rate', async () => {
    const clock = new HandClock()
    clock.randomValue = 0.999
    const { start, polled, run } = openPoll(1_000, clock)
    start().subscribe(() => {})
    await run(600_000, 500, 'bad')
    const failing = polled()
    expect(failing).toBeGreaterThan(8)
    expect(failing).toBeLessThan(20)
    await run(61_000, 500)
    const before = polled()
    await run(10_000, 500)
    expect(polled() - before).toBe(10)
  })

  test('are spread randomly, but never faster than the frequency', async () => {
    const clock = new HandClock()
    clock.randomValue = 0
    const { start, polled, run } = openPoll(1_000, clock)
    start().subscribe(() => {})
    await run(10_000, 500, 'bad')
    expect(polled()).toBeLessThanOrEqual(11)
  })
})

describe('a page that is away', () => {
  test.each([{ online: false }, { visible: false }])(
    '(%j) does not poll; on return it polls once, without a burst',
    async (away) => {
      const { start, polled, run, clock } = openPoll()
      start().subscribe(() => {})
      await run(1_000, 100)
      const before = polled()
      clock.announce(away)
      await run(60_000, 1_000)
      expect(polled()).toBe(before)
      clock.announce({ online: true, visible: true })
      clock.announce({ online: true, visible: true })
      await run(900, 100)
      expect(polled()).toBe(before + 1)
    },
  )

  test('F8: a hundred pages that come back at once are spread over a second', async () => {
    const pages = Array.from({ length: 100 }, (_, page) => {
      const clock = new HandClock()
      clock.randomValue = page / 100
      return openPoll(1_000, clock)
    })
    for (const { start, run, clock } of pages) {
      start().subscribe(() => {})
      await run(1_000, 500)
      clock.announce({ online: false })
      await run(5_000, 1_000)
    }
    const before = pages.map(({ polled }) => polled())
    const requested = () => pages.filter(({ polled }, page) => polled() > (before[page] ?? 0)).length
    for (const { clock } of pages) clock.announce({ online: true })
    expect(requested()).toBe(0)
    for (const { clock } of pages) await clock.advance(500)
    expect(requested()).toBeGreaterThan(40)
    expect(requested()).toBeLessThan(60)
    for (const { clock } of pages) await clock.advance(500)
    expect(requested()).toBe(100)
  })

  test('F15: that slept for eight hours polls once, and judges expiry by the wall clock', async () => {
    const { controller, endpoint, start, polled, answerAll, clock } = openPoll()
    const shown = watch(controller.watch(endpoint, { id: '1' }))
    start().subscribe(() => {})
    await clock.advance(0)
    await answerAll()
    const before = polled()
    clock.wallOffset += 8 * 3_600_000
    clock.announce({ visible: false })
    clock.announce({ visible: true })
    await clock.advance(1_000)
    expect(polled()).toBe(before + 1)
    await answerAll()
    shown.stop()
    await settle()
    clock.wallOffset += 8 * 3_600_000
    clock.announce({ visible: false })
    watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    expect(polled()).toBe(before + 2)
  })
})

test('F18: a poll whose last subscriber left resumes with the next one', async () => {
  const { start, polled, run } = openPoll()
  const first = start().subscribe(() => {})
  await run(2_000, 100)
  first()
  await run(5_000, 100)
  const before = polled()
  start().subscribe(() => {})
  await run(3_000, 100)
  expect(polled() - before).toBeGreaterThanOrEqual(3)
})

test('a subscriber that leaves and one that comes in the same tick change nothing', async () => {
  const { start, polled, run, clock } = openPoll()
  const observer = start()
  const first = observer.subscribe(() => {})
  await run(1_500, 100)
  const before = polled()
  first()
  observer.subscribe(() => {})
  await settle()
  expect(polled()).toBe(before)
  expect(clock.pending).toBe(1)
})

test('F22: a reset starts mounted polls anew, and their old responses are dropped', async () => {
  const { controller, start, server, polled, run, clock } = openPoll()
  start().subscribe(() => {})
  await clock.advance(0)
  const old = server.one('getTodo', 0)
  controller.resetEntireStore()
  expect(old.isAborted).toBe(true)
  await clock.advance(0)
  expect(polled()).toBe(2)
  await run(3_000, 100)
  expect(polled()).toBe(5)
})

test('on a server nothing is polled and no timer starts', async () => {
  const clock = new HandClock()
  const controller = new Controller({ env: clock, server: true })
  const { getTodo, server } = openBoard()
  controller.observe(poll, getTodo.extend({ pollFrequency: 1_000 }), { id: '1' }).subscribe(() => {})
  controller.watch(getTodo, { id: '1' }).subscribe(() => {})
  await clock.advance(10_000)
  expect(server.requests).toHaveLength(0)
  expect(clock.pending).toBe(0)
})

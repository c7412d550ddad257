import { NetworkError } from '@roundtable/core'
import { connection, LiveRefusedError } from '@roundtable/core/live'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { openLive, openRead } from './hand-wire.js'

const SECOND = 1_000

describe('a connection', () => {
  test('is one for all readers, and is closed five seconds after the last has left, when its data becomes stale', async () => {
    const { hand, clock, subscribe, status, reading, server, read } = await openRead()
    const requests = server.of('getTodos').length
    const stop = subscribe()
    subscribe()()
    await settle()
    expect(hand.streams).toHaveLength(1)
    reading.stop()
    stop()
    await clock.advance(4_999)
    expect([hand.last.isAborted, status().status]).toEqual([false, 'open'])
    await clock.advance(1)
    expect([hand.last.isAborted, status().status]).toEqual([true, 'idle'])
    expect(clock.pending).toBe(1)
    // What it has kept up to date no longer is.
    read()
    await settle()
    expect(server.of('getTodos')).toHaveLength(requests + 1)
  })

  test('stays if somebody comes within these five seconds', async () => {
    const { hand, clock, subscribe, reading } = await openRead()
    reading.stop()
    await clock.advance(4_000)
    subscribe()
    await clock.advance(60 * SECOND)
    await hand.last.send({})
    expect(hand.streams.slice(0, 1)).toMatchObject([{ isAborted: true }])
  })

  test('is made for each address', async () => {
    const { hand, clock, subscribe } = openLive({ url: ({ userId }) => `https://api.test/${userId}` })
    subscribe({ userId: '1' })
    subscribe({ userId: '2' })
    await clock.advance(0)
    expect(hand.streams.map(({ context }) => context.url)).toEqual(['https://api.test/1', 'https://api.test/2'])
  })

  test('counts as lost after 45 s without a byte, not before', async () => {
    const { hand, clock, status } = await openRead()
    await clock.advance(44 * SECOND)
    await hand.last.send()
    await clock.advance(44_999)
    expect(hand.last.isAborted).toBe(false)
    await clock.advance(1)
    expect(hand.last.isAborted).toBe(true)
    expect(status()).toMatchObject({ status: 'waiting', attempt: 1, error: { name: 'TimeoutError' } })
    await clock.advance(500)
    expect([hand.streams.length, status().status]).toEqual([2, 'connecting'])
  })

  test('is closed when the page was hidden for 30 s, and made at once when it is visible', async () => {
    const { hand, clock, status } = await openRead()
    clock.announce({ visible: false })
    await clock.advance(29 * SECOND)
    await hand.last.send()
    clock.announce({ visible: true })
    clock.announce({ visible: false })
    await clock.advance(29_999)
    expect(hand.last.isAborted).toBe(false)
    await clock.advance(1)
    expect([hand.last.isAborted, status().status]).toEqual([true, 'idle'])
    await clock.advance(600 * SECOND)
    expect(hand.streams).toHaveLength(1)
    clock.announce({ visible: true })
    await clock.advance(0)
    expect([hand.streams.length, status().status]).toEqual([2, 'connecting'])
  })

  test('ends when the page is offline, and is made at once when it is online', async () => {
    const { hand, clock, status } = await openRead()
    clock.announce({ online: false })
    expect([hand.last.isAborted, status().status]).toEqual([true, 'waiting'])
    await clock.advance(600 * SECOND)
    clock.announce({ online: true })
    await clock.advance(0)
    expect(hand.streams).toHaveLength(2)
  })

  test('is made again with growing pauses, by chance up to 1, 2, 4 … 30 s, and with the first one after a message', async () => {
    const { hand, clock } = await openRead()
    clock.randomValue = 0.999
    const pauses: number[] = []
    const cut = async () => {
      const before = clock.mono()
      const count = hand.streams.length
      await hand.last.cut(new Error('lost'))
      while (hand.streams.length === count) await clock.advance(100)
      pauses.push(Math.ceil((clock.mono() - before) / SECOND))
    }
    for (let i = 0; i < 7; i++) await cut()
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30])
    await hand.last.send({ type: 'changed', data: { id: '1' } })
    await cut()
    expect(pauses.at(-1)).toBe(1)
  })

  test('that was open for five seconds has not failed: the next pause is short', async () => {
    const { hand, clock, status } = await openRead()
    clock.randomValue = 0.999
    const again = async () => {
      const count = hand.streams.length
      while (hand.streams.length === count) await clock.advance(100)
      await hand.last.send({ type: 'opened' })
    }
    for (let i = 0; i < 4; i++) {
      await hand.last.cut()
      await again()
    }
    await clock.advance(4_999)
    await hand.last.cut()
    expect(status().attempt).toBe(5)
    await again()
    await clock.advance(5_000)
    await hand.last.cut()
    expect(status().attempt).toBe(1)
  })

  test('tells its observers of each change', async () => {
    const { hand, clock, controller, getLive, subscribe } = openLive()
    const observer = controller.observe(connection, getLive, {})
    const told: (string | undefined)[] = []
    const stop = observer.subscribe(() => told.push(observer.getSnapshot()?.status))
    subscribe()
    await clock.advance(0)
    await hand.last.send({ type: 'opened' })
    await hand.last.cut()
    expect(told).toEqual(['connecting', 'open', 'waiting'])
    stop()
    await clock.advance(SECOND)
    expect(told).toHaveLength(3)
  })

  test('tells an observer of a change in the step in which it has come', async () => {
    const { clock, controller, getLive } = await openRead()
    const observer = controller.observe(connection, getLive, {})
    const told: (string | undefined)[] = []
    observer.subscribe(() => told.push(observer.getSnapshot()?.status))
    clock.announce({ online: false })
    await settle()
    expect(told).toEqual(['waiting'])
  })

  test('of a server that closes at once is no loop', async () => {
    const { hand, clock, subscribe } = openLive()
    subscribe()
    await clock.advance(0)
    for (let opened = 1; clock.mono() < 90 * SECOND; opened = hand.streams.length) {
      await hand.last.send({ type: 'opened' })
      await hand.last.cut()
      while (hand.streams.length === opened) await clock.advance(100)
    }
    // After 0.5, 1, 2, 4, 8 s, and then each 15 s.
    expect(hand.streams).toHaveLength(11)
  })

  test('waits as long as the server says by `retry` or Retry-After, and longer by chance', async () => {
    const { hand, clock } = await openRead()
    await hand.last.send({ retry: 7_000 })
    await hand.last.cut()
    await clock.advance(6_999)
    expect(hand.streams).toHaveLength(1)
    await clock.advance(1)
    expect(hand.streams).toHaveLength(2)
    const busy = new Response('', { status: 503, headers: { 'retry-after': '20' } })
    await hand.last.cut(new NetworkError(busy))
    await clock.advance(19_999)
    expect(hand.streams).toHaveLength(2)
    await clock.advance(1)
    expect(hand.streams).toHaveLength(3)
  })

  test('that is refused is not made again before a reset, and the data stays', async () => {
    const { hand, clock, status, shown, reported, controller } = await openRead()
    const error = new LiveRefusedError('https://api.test/events', { status: 401 })
    await hand.last.cut(error)
    expect(status()).toEqual({ status: 'refused', attempt: 1, error })
    expect(reported).toEqual([error])
    clock.announce({ visible: false, online: false })
    clock.announce({ visible: true, online: true })
    await clock.advance(600 * SECOND)
    expect([hand.streams.length, shown()]).toEqual([1, ['1 one']])
    controller.resetEntireStore()
    await clock.advance(2 * SECOND)
    expect([hand.streams.length, status().status]).toEqual([2, 'connecting'])
  })

  test('that is refused requests its data once, so that a session which is over is noticed', async () => {
    const { hand, clock, server, shown } = await openRead()
    const before = server.of('getTodos').length
    await hand.last.cut(new LiveRefusedError('https://api.test/events', { status: 401 }))
    await clock.advance(600 * SECOND)
    expect(server.of('getTodos')).toHaveLength(before + 1)
    await server
      .of('getTodos')
      .at(-1)
      ?.answer([{ id: '1', title: 'new' }])
    await clock.advance(600 * SECOND)
    expect([shown(), server.of('getTodos').length]).toEqual([['1 new'], before + 1])
  })

  test('that was refused for one address is made for another', async () => {
    const { hand, clock, subscribe, status } = openLive({ url: ({ userId }) => `https://api.test/${userId}` })
    subscribe({ userId: '1' })
    await clock.advance(0)
    await hand.last.cut(new LiveRefusedError('https://api.test/1', { status: 403 }))
    subscribe({ userId: '2' })
    await clock.advance(0)
    await hand.last.send({})
    expect([status({ userId: '1' }).status, status({ userId: '2' }).status]).toEqual(['refused', 'open'])
  })

  test('whose first byte does not come for 10 s is waited for, and the endpoint is polled meanwhile', async () => {
    const { hand, clock, status, server } = await openRead({ fallbackPoll: 5 * SECOND })
    const requests = () => server.of('getTodos').length
    const before = requests()
    hand.last.context.awaitByte()
    await clock.advance(9_999)
    expect(status().status).toBe('open')
    await clock.advance(1)
    expect(status().status).toBe('waiting')
    expect(hand.last.isAborted).toBe(false)
    await clock.advance(5 * SECOND)
    await server.one('getTodos', before).answer([])
    await clock.advance(5 * SECOND)
    await server.one('getTodos', before + 1).answer([])
    expect(requests()).toBe(before + 2)
    await hand.last.send()
    expect(status().status).toBe('open')
    await clock.advance(20 * SECOND)
    expect(requests()).toBe(before + 2)
  })

  test('that cannot be made is replaced by polls, however often it is tried', async () => {
    const { hand, clock, server, read } = openLive({ fallbackPoll: 40 * SECOND })
    clock.randomValue = 0.999
    read()
    let answered = 0
    for (let s = 0; s < 410; s++) {
      await clock.advance(SECOND)
      await hand.streams.at(-1)?.cut(new Error('lost'))
      if (server.of('getTodos').length > answered) await server.one('getTodos', answered++).answer([])
    }
    // The first request, and one every 40 s.
    expect(answered).toBe(11)
    expect(hand.streams.length).toBeGreaterThan(12)
  })

  test('that was refused is not made again for a reader who comes later', async () => {
    const { hand, clock, read, status, server } = openLive()
    const { stop } = read()
    await settle()
    await server.one('getTodos').answer([])
    await clock.advance(0)
    await hand.last.cut(new LiveRefusedError('https://api.test/events', { status: 401 }))
    stop()
    await clock.advance(60 * SECOND)
    read()
    await clock.advance(60 * SECOND)
    expect([hand.streams.length, status().status]).toEqual([1, 'refused'])
    // Its data is as old as the last request.
    expect(server.of('getTodos')).toHaveLength(2)
  })

  test('is closed by dispose at once, also while it waits for nobody', async () => {
    const { hand, clock, reading, controller } = await openRead()
    reading.stop()
    await settle()
    controller.dispose()
    expect([hand.last.isAborted, clock.pending]).toEqual([true, 0])
  })

  test('is never made on a server', async () => {
    const { hand, clock, subscribe, status } = openLive({}, { server: true })
    subscribe()
    await clock.advance(60 * SECOND)
    expect([hand.streams.length, status().status]).toEqual([0, 'idle'])
  })

  test('whose headers cannot be made has failed, and is tried again', async () => {
    let isBroken = true
    const { hand, clock, subscribe, status } = openLive({
      headers: async () => {
        if (isBroken) throw new Error('no token')
        return { authorization: 'a' }
      },
    })
    subscribe()
    await clock.advance(0)
    expect(status()).toMatchObject({ status: 'waiting', error: { name: 'CallbackError', callback: 'headers' } })
    isBroken = false
    await clock.advance(SECOND)
    expect(hand.streams).toHaveLength(1)
  })

  test('whose wire does not end when it is aborted is left alone', async () => {
    const { clock, subscribe, status, controller } = openLive({
      wire: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    })
    subscribe()
    await clock.advance(0)
    await clock.advance(45 * SECOND)
    expect(status().status).toBe('waiting')
    controller.dispose()
    expect(clock.pending).toBe(0)
  })
})

describe('no gap', () => {
  const rows = [{ id: '1', title: 'one' }]

  test('what was asked for before the stream was open is fetched once more', async () => {
    const { hand, clock, read, server } = openLive()
    read()
    await settle()
    await server.one('getTodos').answer(rows)
    await clock.advance(0)
    expect(server.of('getTodos')).toHaveLength(1)
    await hand.last.send({ type: 'opened' })
    await server.one('getTodos', 1).answer(rows)
    await clock.advance(30 * SECOND)
    await hand.last.send({})
    expect(server.of('getTodos')).toHaveLength(2)
  })

  test('a stream waits a second for the answer that may say where it begins', async () => {
    const { hand, clock, read, server } = openLive()
    read()
    await clock.advance(999)
    expect(hand.streams).toHaveLength(0)
    await server.one('getTodos').answer(rows)
    await clock.advance(0)
    expect(hand.streams).toHaveLength(1)
    const slow = openLive()
    slow.read()
    await slow.clock.advance(1_000)
    expect(slow.hand.streams).toHaveLength(1)
    await slow.hand.last.send({ type: 'opened' })
    await slow.server.one('getTodos').answer(rows)
    await settle()
    expect(slow.server.of('getTodos')).toHaveLength(2)
  })

  test('a request that began while the stream was open is not made again', async () => {
    const { hand, clock, subscribe, controller, getLive, server } = openLive()
    subscribe()
    await clock.advance(0)
    await hand.last.send({ type: 'opened' })
    controller.watch(getLive, {}).subscribe(() => {})
    await settle()
    await server.one('getTodos').answer(rows)
    await settle()
    expect(server.of('getTodos')).toHaveLength(1)
  })

  test('after a cut what is read is fetched once, unless the server says that the stream goes on where it was', async () => {
    const { hand, clock, server } = await openRead()
    const before = server.of('getTodos').length
    await hand.last.send({ type: 'changed', id: '41', data: { id: '1', title: 'ONE' } })
    await hand.last.cut()
    await clock.advance(SECOND)
    expect(hand.last.context.lastEventId).toBe('41')
    await hand.last.send({ type: 'opened', id: '41' })
    expect(server.of('getTodos')).toHaveLength(before)
    await hand.last.cut()
    await clock.advance(2 * SECOND)
    await hand.last.send({ type: 'opened', id: '50' })
    expect(server.of('getTodos')).toHaveLength(before + 1)
  })

  test("with resume: 'id' the server needs not say it, and is believed if it says otherwise", async () => {
    const { hand, clock, server } = await openRead({ resume: 'id' })
    const before = server.of('getTodos').length
    await hand.last.send({ id: '41' })
    await hand.last.cut()
    await clock.advance(SECOND)
    await hand.last.send({ type: 'opened' })
    expect(server.of('getTodos')).toHaveLength(before)
    await hand.last.cut()
    await clock.advance(2 * SECOND)
    await hand.last.send({ type: 'opened', id: '50' })
    expect(server.of('getTodos')).toHaveLength(before + 1)
  })

  test('an id that cannot be a header is not sent back', async () => {
    const { hand, clock } = await openRead()
    await hand.last.send({ id: '41' }, { id: '42\nx-evil: 1' })
    await hand.last.cut()
    await clock.advance(SECOND)
    expect(hand.last.context.lastEventId).toBe('41')
  })

  test('a call that comes later and was fetched before the stream was open is fetched once', async () => {
    const { hand, read, server, controller, getTodos, clock, subscribe } = openLive()
    const early = controller.fetch(getTodos, { userId: '7' })
    await settle()
    await server.one('getTodos').answer(rows)
    await early
    subscribe()
    await clock.advance(0)
    await hand.last.send({ type: 'opened' })
    read({ userId: '7' })
    await settle()
    expect(server.of('getTodos')).toHaveLength(2)
  })
})

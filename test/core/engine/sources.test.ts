import { poll, type RequestPart, revalidate, type SourceCall, type SourceHost } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { openBoard, watch } from './todo-board.js'

/** A source by hand: what it was started for, and what it may do. */
function handSource(name = 'live') {
  const calls: SourceCall[] = []
  const hosts: SourceHost[] = []
  let running = 0
  const part: RequestPart = {
    name,
    subscribe(host, call) {
      hosts.push(host)
      calls.push(call)
      running++
      return () => running--
    },
  }
  return {
    part,
    calls,
    get running() {
      return running
    },
    get host() {
      return hosts.at(-1) as SourceHost
    },
    hosts,
  }
}

/** A board whose list is kept up to date by a source. */
function openLive(options?: Parameters<typeof openBoard>[0]) {
  const board = openBoard(options)
  const source = handSource()
  const getLive = board.getTodos.extend({ parts: [source.part] })
  const subscribe = (): (() => void) => board.controller.observe(poll, getLive, {}).subscribe(() => {})
  return { ...board, source, getLive, subscribe }
}

describe('a source', () => {
  test('runs while somebody subscribes, once for each call, and in place of polling', async () => {
    const { source, subscribe, getLive, controller, clock, server } = openLive()
    const often = getLive.extend({ pollFrequency: 1_000 })
    const stop = subscribe()
    const stops = [stop, subscribe(), controller.observe(poll, often, { userId: '7' }).subscribe(() => {})]
    await settle()
    expect(source.calls.map(({ args }) => args)).toEqual([[{}], [{ userId: '7' }]])
    expect(source.calls[0]).toEqual({ key: getLive.key({}), endpoint: getLive, args: [{}] })
    await clock.advance(10_000)
    expect(server.requests).toHaveLength(0)
    for (const end of stops) end()
    await settle()
    expect(source.running).toBe(0)
  })

  test('has the same owner as the requests of its controller', async () => {
    const owners: unknown[] = []
    const { source, subscribe, getPlain, controller, server } = openLive({
      parts: [{ name: 'owner', prepare: ({ owner }) => void owners.push(owner) }],
    })
    subscribe()
    controller.fetch(getPlain)
    await settle()
    await server.one('getPlain').answer(1)
    expect(owners).toEqual([source.host.owner])
  })

  test('writes a frame of messages as one commit, at the place in the order that it began at', async () => {
    const { source, subscribe, getLive, getTodos, controller, server } = openLive()
    const commits: unknown[] = []
    controller.on('commit', (event) => commits.push(event))
    subscribe()
    await settle()
    const { host } = source
    const start = host.begin()
    const later = controller.fetch(getTodos, {})
    await server.one('getTodos').answer([{ id: '1', title: 'fetched' }])
    await later
    const before = commits.length
    host.notifyOnce(() => {
      host.write({ endpoint: getLive, args: [{}] }, [{ id: '1', title: 'sent before' }, { id: '2' }], start)
      host.write({ endpoint: getLive, args: [{ userId: '7' }] }, [{ id: '2', title: 'new' }], start)
    })
    host.end(start)
    expect(commits).toHaveLength(before + 1)
    expect(controller.getResponse(getTodos, {}).data).toMatchObject([{ id: '1', title: 'fetched' }])
    expect(controller.getResponse(getTodos, { userId: '7' }).data).toMatchObject([{ id: '2', title: 'new' }])
  })

  test('has what it made stale fetched where it is read', async () => {
    const { source, subscribe, getLive, controller, server } = openLive()
    const list = watch(controller.watch(getLive, {}))
    subscribe()
    await settle()
    await server.one('getTodos').answer([{ id: '1', title: 'old' }])
    source.host.expire(getLive.key({}))
    await settle()
    await server.one('getTodos', 1).answer([{ id: '1', title: 'new' }])
    expect(list.now).toMatchObject({ data: [{ title: 'new' }] })
  })

  test('is stopped and started again by a reset, and stopped by dispose', async () => {
    const { source, subscribe, controller } = openLive()
    subscribe()
    await settle()
    controller.resetEntireStore()
    expect([source.calls.length, source.running]).toEqual([2, 1])
    controller.dispose()
    expect(source.running).toBe(0)
  })

  test('that throws when it starts or stops is reported, and harms nobody', async () => {
    const board = openBoard()
    const broken: RequestPart = {
      name: 'broken',
      subscribe: () => {
        throw new Error('no')
      },
    }
    const endsBadly: RequestPart = {
      name: 'ends badly',
      subscribe: () => () => {
        throw new Error('no')
      },
    }
    for (const part of [broken, endsBadly]) {
      const endpoint = board.getTodos.extend({ parts: [part], name: part.name })
      const stop = board.controller.observe(poll, endpoint, {}).subscribe(() => {})
      await settle()
      stop()
      await settle()
    }
    expect(board.reported).toMatchObject([
      { name: 'CallbackError', callback: 'broken' },
      { name: 'CallbackError', callback: 'ends badly' },
    ])
  })

  test('is that of the last part, and revalidate leaves what it keeps up to date alone', async () => {
    const { source, getLive, controller, clock, server } = openLive({
      managers: [revalidate({ focus: { throttle: 0 } })],
    })
    const last = handSource('last')
    const endpoint = getLive.extend({ parts: [last.part], dataExpiryLength: 0 })
    const list = watch(controller.watch(endpoint, {}))
    controller.observe(poll, endpoint, {}).subscribe(() => {})
    await settle()
    await server.one('getTodos').answer([])
    expect([source.calls.length, last.calls.length]).toEqual([0, 1])
    clock.announce({ visible: false })
    await clock.advance(60_000)
    clock.announce({ visible: true })
    await settle()
    expect(server.of('getTodos')).toHaveLength(1)
    expect(list.now).toMatchObject({ data: [] })
  })
})

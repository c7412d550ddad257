import { Controller, DisposedError, Endpoint, poll, TimeoutError } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const row = (id = '1', title = `t${id}`) => ({ id, title, userId: '1', votes: 0 })

describe('timeout', () => {
  test('fails a read with a TimeoutError by the env timer, aborts it, and drops its late response', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const end = ending(controller.fetch(getTodo.extend({ timeout: 1_000 }), { id: '1' }))
    await clock.advance(999)
    expect(end.isOver).toBe(false)
    await clock.advance(1)
    expect(end.error).toBeInstanceOf(TimeoutError)
    expect(end.error).toMatchObject({ timeout: 1_000 })
    expect(server.one('getTodo').isAborted).toBe(true)
    await server.one('getTodo').answer(row())
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    ending(controller.fetch(getTodo, { id: '1' }))
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('leaves no timer behind a request that succeeded or failed', async () => {
    const { controller, clock, getTodo, server } = openBoard({ retention: false })
    ending(controller.fetch(getTodo.extend({ timeout: 1_000 }), { id: '1' }))
    ending(controller.fetch(getTodo.extend({ timeout: 1_000 }), { id: '2' }))
    expect(clock.pending).toBe(2)
    await server.one('getTodo', 0).answer(row())
    await server.one('getTodo', 1).fail()
    expect(clock.pending).toBe(0)
  })
})

describe("a caller's own signal", () => {
  test('removes only that caller from a read that others wait for', async () => {
    const { controller, getTodo, server } = openBoard()
    const quitting = new AbortController()
    const stays = ending(controller.fetch(getTodo, { id: '1' }))
    const leaves = ending(controller.fetch(getTodo.extend({ signal: quitting.signal }), { id: '1' }))
    const request = server.one('getTodo')
    quitting.abort('enough')
    await settle()
    expect(leaves.error).toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(request.isAborted).toBe(false)
    await request.answer(row())
    expect(stays.value).toMatchObject({ title: 't1' })
  })

  test('aborts the request when every caller has left', async () => {
    const { controller, getTodo, server } = openBoard()
    const [a, b] = [new AbortController(), new AbortController()]
    const ends = [a, b].map(({ signal }) => ending(controller.fetch(getTodo.extend({ signal }), { id: '1' })))
    const request = server.one('getTodo')
    a.abort()
    expect(request.isAborted).toBe(false)
    b.abort()
    expect(request.isAborted).toBe(true)
    await settle()
    expect(ends.map(({ error }) => (error as Error).name)).toEqual(['AbortError', 'AbortError'])
    expect(controller.fetching(getTodo, { id: '1' }).getSnapshot()).toBe(false)
  })

  test('is no part of the key, and has no effect after the response', async () => {
    const { controller, getTodo, server } = openBoard()
    const quitting = new AbortController()
    const mine = getTodo.extend({ signal: quitting.signal })
    const removed = vi.spyOn(quitting.signal, 'removeEventListener')
    expect(mine.key({ id: '1' })).toBe(getTodo.key({ id: '1' }))
    const end = ending(controller.fetch(mine, { id: '1' }))
    await server.one('getTodo').answer(row())
    expect(end.value).toMatchObject({ title: 't1' })
    expect(removed).toHaveBeenCalled()
    quitting.abort()
    await settle()
    expect(controller.getError(getTodo, { id: '1' })).toBeUndefined()
  })

  test('that is aborted before the call sends nothing', async () => {
    const { controller, getTodo, server } = openBoard()
    const end = ending(controller.fetch(getTodo.extend({ signal: AbortSignal.abort('no') }), { id: '1' }))
    await settle()
    expect(end.error).toMatchObject({ name: 'AbortError', cause: 'no' })
    expect(server.requests).toHaveLength(0)
  })

  test('of a mutation moves the fence: a read in flight is not joined afterwards', async () => {
    const { controller, getTodo, patchNow, server } = openBoard()
    const quitting = new AbortController()
    ending(controller.fetch(getTodo, { id: '1' }))
    ending(controller.fetch(patchNow.extend({ signal: quitting.signal }), { id: '1' }, { title: 'x' }))
    quitting.abort()
    ending(controller.fetch(getTodo, { id: '1' }))
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('the flight of a function that cannot be extended runs as it is', async () => {
    const { controller } = openBoard()
    let response = (_: string): void => {}
    const plain = Object.assign(() => new Promise<string>((resolve) => (response = resolve)), { key: () => 'plain' })
    const end = ending(controller.fetch(plain))
    response('done')
    await settle()
    expect(end.value).toBe('done')
  })
})

describe('abortOnUnused', () => {
  test('aborts when the last of several readers has left, not before', async () => {
    const { controller, getTodo, server } = openBoard()
    const endpoint = getTodo.extend({ abortOnUnused: true })
    const shown = watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    const end = ending(controller.fetch(endpoint, { id: '1' }))
    shown.stop()
    await settle()
    expect(server.one('getTodo').isAborted).toBe(false)
    await server.one('getTodo').answer(row())
    expect(end.value).toMatchObject({ title: 't1' })
  })

  test('survives a framework that subscribes twice and leaves once', async () => {
    const { controller, getTodo, server } = openBoard()
    const query = controller.watch(getTodo.extend({ abortOnUnused: true }), { id: '1' })
    query.subscribe(() => {})()
    const shown = watch(query)
    await settle()
    expect(server.one('getTodo').isAborted).toBe(false)
    await server.one('getTodo').answer(row())
    expect(shown.now.status).toBe('ready')
  })

  test('an aborted read is fetched again by the next reader, and shows no AbortError', async () => {
    const { controller, getTodo, server } = openBoard()
    const endpoint = getTodo.extend({ abortOnUnused: true })
    watch(controller.watch(endpoint, { id: '1' })).stop()
    const first = watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    first.stop()
    await settle()
    const again = watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    expect(again.now.status).toBe('pending')
    await server.one('getTodo', -1).answer(row())
    expect(again.now.status).toBe('ready')
  })
})

test('a read that several callers wait for is one request, and each gets the same value', async () => {
  const { controller, getTodo, server } = openBoard()
  const shown = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  const ends = [1, 2, 3].map(() => ending(controller.fetch(getTodo, { id: '1' })))
  await server.one('getTodo').answer(row())
  expect(new Set(ends.map(({ value }) => value))).toEqual(new Set([shown.now.data]))
})

test('a read that fails rejects every caller with the same error', async () => {
  const { controller, getTodo, server } = openBoard()
  const ends = [1, 2].map(() => ending(controller.fetch(getTodo, { id: '1' })))
  const error = new Error('500')
  await server.one('getTodo').fail(error)
  expect(ends.map((end) => end.error)).toEqual([error, error])
})

test('a response that arrives twice counts once', async () => {
  const { controller, getTodo, server } = openBoard()
  const shown = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  await server.one('getTodo').answer(row())
  await server.one('getTodo').answer(row('1', 'again'))
  expect(shown.now.data).toMatchObject({ title: 't1' })
})

test('events report requests, commits, errors and resets, by their numbers and in order', async () => {
  const { controller, getTodo, server } = openBoard()
  const notified: string[] = []
  controller.on('fetch', ({ id }) => notified.push(`fetch ${id}`))
  controller.on('commit', () => notified.push('commit'))
  const stop = controller.on('settle', ({ id, error }) => notified.push(`settle ${id} ${error?.message ?? 'ok'}`))
  controller.on('error', ({ error, request }) => notified.push(`error ${request?.id} ${error.message}`))
  controller.on('reset', ({ epoch }) => notified.push(`reset ${epoch}`))
  ending(controller.fetch(getTodo, { id: '1' }))
  await server.one('getTodo').answer(row())
  ending(controller.fetch(getTodo, { id: '1' }))
  await server.one('getTodo', 1).fail(new Error('500'))
  stop()
  controller.resetEntireStore()
  expect(notified).toEqual([
    'fetch 1',
    'commit',
    'settle 1 ok',
    'fetch 2',
    'commit',
    'settle 2 500',
    'error 2 500',
    'reset 1',
  ])
})

describe('dispose', () => {
  test('fails requests in flight and later ones, stops managers and polls, and notifies nobody any more', async () => {
    const clock = new HandClock()
    const stop = vi.fn()
    const { controller, getTodo, server } = openBoard({ env: clock, managers: [{ start: () => stop }] })
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    controller.observe(poll, getTodo.extend({ pollFrequency: 100 }), { id: '1' }).subscribe(() => {})
    await settle()
    const end = ending(controller.fetch(getTodo, { id: '1' }))
    controller.dispose()
    controller.dispose()
    await settle()
    expect(end.error).toBeInstanceOf(DisposedError)
    const after = ending(controller.fetch(getTodo, { id: '1' }))
    await settle()
    expect(after.error).toBeInstanceOf(DisposedError)
    expect(stop).toHaveBeenCalledTimes(1)
    await clock.advance(1_000_000)
    expect(server.of('getTodo')).toHaveLength(1)
    expect(shown.notified).toBe(0)
    expect(clock.pending).toBe(0)
  })
})

test('a manager is started with its controller and acts through its verbs', () => {
  const start = (started: Controller) => {
    started.set(Todo, { id: '1' }, { title: 'from a manager' })
    return () => {}
  }
  const controller = new Controller({ env: new HandClock(), managers: [{ start }] })
  expect(controller.get(Todo, { id: '1' })?.title).toBe('from a manager')
})

test('fetch is looked up when it is called', async () => {
  const { controller } = openBoard()
  const getText = new Endpoint(async () => (await fetch('http://localhost/')).text(), { name: 'getText' })
  vi.stubGlobal('fetch', async () => new Response('stubbed'))
  expect(await controller.fetch(getText)).toBe('stubbed')
  vi.unstubAllGlobals()
})

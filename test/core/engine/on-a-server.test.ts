import { Controller } from '@roundtable/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { FakeServer } from './fake-server.js'
import { ending, Todo, todoEndpoints } from './todo-board.js'

const row = (title: string) => ({ id: '1', title, userId: '1', votes: 0 })

const open = (options: { readonly server?: boolean } = {}) => {
  const clock = new HandClock()
  const server = new FakeServer()
  const controller = new Controller({ env: clock, ...options })
  const endpoints = todoEndpoints(server)
  let version = 0
  /** Renders as an adapter does on a server: it reads, waits where it must, and reads again. */
  const render = async (endpoint = endpoints.getTodo): Promise<unknown> => {
    controller.rendersOnServer()
    const query = controller.watch(endpoint, { id: '1' })
    if (query.getSnapshot().status !== 'pending') return query.getSnapshot().data
    const loading = query.load()
    await settle()
    const request = server.requests.at(-1)
    await request?.answer(row(`version ${++version}`))
    await loading
    return query.getSnapshot().data
  }
  return { clock, server, controller, render, ...endpoints }
}

afterEach(() => vi.restoreAllMocks())

describe('a controller of a module that renders on a server', () => {
  test('waits for stale data: no user sees the data of another one’s request for ever', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { render, clock, server } = open()
    expect(await render()).toMatchObject({ title: 'version 1' })
    expect(await render()).toMatchObject({ title: 'version 1' })
    for (let minute = 2; minute < 6; minute++) {
      await clock.advance(60_001)
      expect(await render()).toMatchObject({ title: `version ${minute}` })
    }
    expect(server.requests).toHaveLength(5)
  })

  test('under steady traffic too', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { render, clock, server } = open()
    for (let second = 0; second < 180; second++) {
      await render()
      await clock.advance(1_000)
    }
    expect(server.requests.length).toBeGreaterThanOrEqual(3)
    expect(server.requests.length).toBeLessThan(6)
  })

  test('data that is always stale is shown to the reader that waited for it, and does not loop', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { render, getTodo, server, clock } = open()
    const stale = getTodo.extend({ dataExpiryLength: 0 })
    expect(await render(stale)).toMatchObject({ title: 'version 1' })
    expect(server.requests).toHaveLength(1)
    await clock.advance(2_000)
    expect(await render(stale)).toMatchObject({ title: 'version 2' })
  })

  test('waits for expired data', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const { render, controller, getTodo, clock } = open()
    await render()
    await clock.advance(2_000)
    controller.expireAll(getTodo)
    expect(controller.watch(getTodo, { id: '1' }).getSnapshot().status).toBe('pending')
    expect(await render()).toMatchObject({ title: 'version 2' })
  })

  test('warns in development, once, and says what to write', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { render } = open()
    await render()
    await render()
    expect(warn).toHaveBeenCalledTimes(1)
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('new Controller({ server: true })'))
  })

  test('in a browser, stale data is shown on mount, as ever', async () => {
    const { controller, getTodo, clock } = open()
    controller.setResponse(getTodo, { id: '1' }, row('old'))
    await clock.advance(60_001)
    expect(controller.watch(getTodo, { id: '1' }).getSnapshot()).toMatchObject({ status: 'ready' })
  })
})

describe('a controller made for a server', () => {
  test('warns of nothing', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    await open({ server: true }).render()
    expect(warn).not.toHaveBeenCalled()
  })

  test('reads no clock, starts no timer and uses no randomness while rendering', async () => {
    const { render, clock, controller, getTodo, getTodos } = open({ server: true })
    const forbidden = ['now', 'mono', 'random', 'setTimeout'] as const
    const spies = forbidden.map((name) => vi.spyOn(clock, name))
    const look = () => {
      controller.rendersOnServer()
      controller.watch(getTodo, { id: '1' }).getSnapshot()
      void controller.watch(getTodo, { id: '1' }).load()
      controller.watch(getTodo, { id: '1' }).subscribe(() => {})()
      controller.peek(getTodos, {}).getSnapshot()
      controller.view(Todo, { id: '1' }).getSnapshot()
      controller.fetching(getTodo, { id: '1' }).getSnapshot()
      controller.getResponse(getTodo, { id: '1' })
      controller.getError(getTodo, { id: '1' })
    }
    look()
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    await render()
    for (const spy of spies) spy.mockClear()
    look()
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
  })

  test('shows stored data, and waits for expired data', async () => {
    const { render, controller, getTodo, server, clock } = open({ server: true })
    expect(await render()).toMatchObject({ title: 'version 1' })
    await clock.advance(3_600_000)
    expect(await render()).toMatchObject({ title: 'version 1' })
    controller.expireBy(Todo)
    expect(controller.watch(getTodo, { id: '1' }).getSnapshot().status).toBe('pending')
    const loading = ending(controller.watch(getTodo, { id: '1' }).load())
    await settle()
    await server.requests.at(-1)?.answer(row('version 2'))
    expect(loading.isOver).toBe(true)
    expect(controller.watch(getTodo, { id: '1' }).getSnapshot()).toMatchObject({ data: { title: 'version 2' } })
    expect(server.requests).toHaveLength(2)
  })

  test('an error is shown to the reader that waited, without another attempt', async () => {
    const { controller, getTodo, server } = open({ server: true })
    const query = controller.watch(getTodo, { id: '1' })
    const loading = ending(query.load())
    await settle()
    await server.one('getTodo').fail()
    expect(loading.isOver).toBe(true)
    expect(query.getSnapshot().status).toBe('failed')
    await query.load()
    expect(server.requests).toHaveLength(1)
  })
})

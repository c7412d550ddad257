import {
  CallbackError,
  Controller,
  DisposedError,
  Endpoint,
  LogoutManager,
  OptionError,
  ResetError,
  SchemaError,
} from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { FakeServer } from './fake-server.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const row = (id: string) => ({ id, title: `t${id}`, userId: '1', votes: 0 })
const unauthorized = () => Object.assign(new Error('401'), { status: 401 })

describe('F2: an error thrown by a user function rejects the fetch, and the next fetch works', () => {
  const cause = new Error('mine')
  const fail = (): never => {
    throw cause
  }

  test('errorPolicy: a CallbackError', async () => {
    const { controller, getTodo, server } = openBoard()
    const broken = getTodo.extend({ errorPolicy: fail })
    const end = ending(controller.fetch(broken, { id: '1' }))
    await server.one('getTodo').fail()
    expect(end.error).toBeInstanceOf(CallbackError)
    expect(end.error).toMatchObject({ callback: 'errorPolicy', cause })
    expect(controller.fetching(getTodo, { id: '1' }).getSnapshot()).toBe(false)
    const next = ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo', 1).answer(row('1'))
    expect(next.value).toMatchObject({ title: 't1' })
  })

  test('update: a CallbackError, and nothing of the response is written', async () => {
    const { controller, patch, server } = openBoard()
    const broken = patch.extend({ update: fail })
    const end = ending(controller.fetch(broken, { id: '1' }, {}))
    await server.one('patch').answer(row('1'))
    expect(end.error).toMatchObject({ name: 'CallbackError', callback: 'update', cause })
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    const next = ending(controller.fetch(patch, { id: '1' }, {}))
    await server.one('patch', 1).answer(row('1'))
    expect(next.value).toMatchObject({ title: 't1' })
  })

  test('an updater: a CallbackError too', async () => {
    const { controller, patch, server } = openBoard()
    const broken = patch.extend({ update: () => ({ any: fail }) })
    const end = ending(controller.fetch(broken, { id: '1' }, {}))
    await server.one('patch').answer(row('1'))
    expect(end.error).toMatchObject({ name: 'CallbackError', callback: 'update', cause })
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })

  test('key: a CallbackError from a fetch, as a rejection and not as a throw', async () => {
    const { controller, getTodo, server } = openBoard()
    const broken = getTodo.extend({ key: fail })
    const end = ending(controller.fetch(broken, { id: '1' }))
    await settle()
    expect(end.error).toMatchObject({ name: 'CallbackError', callback: 'key', cause })
    expect(server.requests).toHaveLength(0)
  })

  test('the function itself, at once or later: that very error', async () => {
    const { controller } = openBoard()
    for (const fetch of [fail, async () => fail()]) {
      const broken = new Endpoint(fetch as () => Promise<unknown>, { name: 'broken' })
      const end = ending(controller.fetch(broken))
      await settle()
      expect(end.error).toBe(cause)
      expect(controller.fetching(broken).getSnapshot()).toBe(false)
    }
  })

  test.each(['pk', 'validate', 'process'] as const)(
    '%s of an entity: a SchemaError with the path and the cause',
    async (what) => {
      class Fussy extends Todo {
        static override key = 'Fussy'
      }
      Object.defineProperty(Fussy, what, { value: fail })
      const { controller, getTodo, server } = openBoard()
      const end = ending(controller.fetch(getTodo.extend({ schema: [Fussy] }), { id: '1' }))
      await server.one('getTodo').answer([row('1')])
      expect(end.error).toBeInstanceOf(SchemaError)
      expect(end.error).toMatchObject({ path: '$[0]', cause })
    },
  )

  test('a deserializer: a SchemaError with the path to the field', async () => {
    class Dated extends Todo {
      static override key = 'Dated'
      static override schema = { ...Todo.schema, title: fail }
    }
    const { controller, getTodo, server } = openBoard()
    const end = ending(controller.fetch(getTodo.extend({ schema: [Dated] }), { id: '1' }))
    await server.one('getTodo').answer([row('1')])
    expect(end.error).toMatchObject({ name: 'SchemaError', path: '$[0].title', cause })
    expect(controller.get(Dated, { id: '1' })).toBeUndefined()
  })

  test('a listener: a report, and the other listeners are notified', async () => {
    const { controller, reported } = openBoard()
    controller.set(Todo, { id: '1' }, row('1'))
    controller.view(Todo, { id: '1' }).subscribe(fail)
    const other = watch(controller.view(Todo, { id: '1' }))
    controller.set(Todo, { id: '1' }, { votes: 2 })
    expect(other.notified).toBe(1)
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatchObject({ name: 'CallbackError', cause })
  })

  test('a listener of an event: a report too, and a failing error listener is not called for its own error', async () => {
    const { controller, reported } = openBoard()
    controller.on('commit', fail)
    controller.on('error', fail)
    controller.set(Todo, { id: '1' }, row('1'))
    expect(controller.get(Todo, { id: '1' })).toBeDefined()
    expect(reported.map((error) => error.cause)).toEqual([cause, cause])
  })
})

describe('F3: a fetch always settles, whatever was thrown', () => {
  test.each([null, undefined, 'offline', 5, { any: 'thing' }])(
    '%j: it rejects with that very value, and the next fetch works',
    async (cause) => {
      const { controller, getTodo, server } = openBoard()
      const end = ending(controller.fetch(getTodo, { id: '1' }))
      await server.one('getTodo').fail(cause)
      expect(end).toEqual({ error: cause, isOver: true })
      expect(controller.getError(getTodo, { id: '1' })).toMatchObject({ callback: 'fetch', cause })
      const next = ending(controller.fetch(getTodo, { id: '1' }))
      await server.one('getTodo', 1).answer(row('1'))
      expect(next.value).toMatchObject({ title: 't1' })
    },
  )

  test.each([null, undefined, 'no longer wanted', new Error('mine')])('abort(%s): an AbortError', async (reason) => {
    const { controller, getTodo, server } = openBoard()
    const quitting = new AbortController()
    const end = ending(controller.fetch(getTodo.extend({ signal: quitting.signal }), { id: '1' }))
    quitting.abort(reason)
    await settle()
    expect(end.error).toMatchObject({ name: 'AbortError' })
    expect(end.error).toBeInstanceOf(DOMException)
    if (reason !== undefined) expect((end.error as Error).cause).toBe(reason)
    expect(server.one('getTodo').isAborted).toBe(true)
  })
})

test('F4: a reader whose signal is already aborted makes one attempt and then shows the AbortError', async () => {
  const { controller, getTodo, server } = openBoard()
  const query = controller.watch(getTodo.extend({ signal: AbortSignal.abort() }), { id: '1' })
  await query.load()
  for (let render = 0; render < 10; render++) {
    await query.load()
    await settle()
  }
  expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { name: 'AbortError' } })
  expect(server.requests).toHaveLength(0)
})

test('F6: if every request gets a 401 there is one reset and one retry for each key, then the error shows', async () => {
  const clock = new HandClock()
  const server = new FakeServer()
  const logout = vi.fn((controller: Controller) => controller.resetEntireStore())
  const controller = new Controller({ env: clock, managers: [new LogoutManager({ handleLogout: logout })] })
  const getTodo = new Endpoint(server.on<[{ id: string }]>('getTodo'), { name: 'getTodo', schema: Todo })
  const mounted = ['1', '2', '3'].map((id) => watch(controller.watch(getTodo, { id })))
  await settle()
  for (let at = 0; at < server.requests.length && at < 100; at++) await server.requests[at]?.fail(unauthorized())
  expect(logout).toHaveBeenCalledTimes(1)
  expect(server.requests).toHaveLength(6)
  expect(mounted.map(({ now }) => now.status)).toEqual(['failed', 'failed', 'failed'])
})

test('the LogoutManager acts again only after a request has succeeded since', async () => {
  const logout = vi.fn()
  const { controller, getTodo, server } = openBoard({ managers: [new LogoutManager({ handleLogout: logout })] })
  const request = async (response: 'refuse' | 'grant' | 'fail') => {
    ending(controller.fetch(getTodo, { id: '1' }))
    const sent = server.one('getTodo', -1)
    if (response === 'grant') await sent.answer(row('1'))
    else await sent.fail(response === 'refuse' ? unauthorized() : new Error('500'))
    return logout.mock.calls.length
  }
  expect(await request('fail')).toBe(0)
  expect(await request('refuse')).toBe(1)
  expect(await request('refuse')).toBe(1)
  expect(await request('fail')).toBe(1)
  expect(await request('refuse')).toBe(1)
  expect(await request('grant')).toBe(1)
  expect(await request('refuse')).toBe(2)
})

test('the LogoutManager calls shouldLogout, and by default empties the store', async () => {
  const board = openBoard({ managers: [new LogoutManager({ shouldLogout: (error) => error.message === 'expired' })] })
  const { controller, getTodo, server } = board
  controller.set(Todo, { id: '1' }, row('1'))
  ending(controller.fetch(getTodo, { id: '2' }))
  await server.one('getTodo').fail(unauthorized())
  expect(controller.get(Todo, { id: '1' })).toBeDefined()
  ending(controller.fetch(getTodo, { id: '2' }))
  await server.one('getTodo', 1).fail(new Error('expired'))
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
})

test('F10: navigator.onLine never holds back a request', async () => {
  const { controller, clock, getTodo, server } = openBoard()
  clock.announce({ online: false, visible: false })
  watch(controller.watch(getTodo, { id: '1' }))
  ending(controller.fetch(getTodo, { id: '2' }))
  await settle()
  expect(server.of('getTodo')).toHaveLength(2)
})

test.each(['reset', 'dispose'] as const)(
  'F19: at a %s every promise settles, also of queries and joined reads',
  async (how) => {
    const { controller, getTodo, patchNow, server } = openBoard()
    const ends = [
      ending(controller.fetch(getTodo, { id: '1' })),
      ending(controller.fetch(getTodo, { id: '1' })),
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'x' })),
    ]
    const query = controller.watch(getTodo, { id: '1' })
    const loading = ending(query.load())
    if (how === 'reset') controller.resetEntireStore()
    else controller.dispose()
    await settle()
    const kind = how === 'reset' ? ResetError : DisposedError
    expect(ends.map(({ error }) => error instanceof kind)).toEqual([true, true, true])
    expect(server.requests.slice(0, 2).every((request) => request.isAborted)).toBe(true)
    if (how === 'reset') await server.one('getTodo', -1).answer(row('1'))
    await settle()
    expect(loading.isOver).toBe(true)
  },
)

test.each([
  ['a reset', (controller: Controller) => controller.resetEntireStore(), 'ResetError'],
  ['dispose', (controller: Controller) => controller.dispose(), 'DisposedError'],
  ['the signal of its caller', (_: Controller, caller: AbortController) => caller.abort(), 'AbortError'],
])('a mutation that %s ends has settled, but is not reported as an error', async (_, end, name) => {
  const { controller, patchNow, server } = openBoard()
  const caller = new AbortController()
  const settled: (string | undefined)[] = []
  const errors: Error[] = []
  controller.on('settle', ({ error }) => settled.push(error?.name))
  controller.on('error', ({ error }) => errors.push(error))
  const sent = ending(controller.fetch(patchNow.extend({ signal: caller.signal }), { id: '1' }, { title: 'x' }))
  await settle()
  expect(server.requests).toHaveLength(1)
  end(controller, caller)
  await settle()
  expect(sent.error).toMatchObject({ name })
  expect(settled).toEqual([name])
  expect(errors).toEqual([])
})

test("the ResetError of another controller's request, which an endpoint passes on, is reported", async () => {
  const { controller } = openBoard()
  const errors: Error[] = []
  controller.on('error', ({ error }) => errors.push(error))
  const passesOn = new Endpoint(() => Promise.reject(new ResetError('GET /elsewhere')), { name: 'passesOn' })
  const end = ending(controller.fetch(passesOn))
  await settle()
  expect(end.error).toBeInstanceOf(ResetError)
  expect(errors).toEqual([end.error])
})

test('B7: an argument that has no stable text is a KeyArgError at the call; a BigInt is its decimal', async () => {
  const { controller, server } = openBoard()
  const any = new Endpoint(server.on<[unknown]>('any'), { name: 'any' })
  const ring: { self?: unknown } = {}
  ring.self = ring
  for (const argument of [Symbol('x'), () => 1, ring]) {
    expect(() => controller.watch(any, argument)).toThrow(expect.objectContaining({ name: 'KeyArgError' }))
    const end = ending(controller.fetch(any, argument))
    await settle()
    expect(end.error).toMatchObject({ name: 'KeyArgError' })
  }
  ending(controller.fetch(any, 5n))
  expect(server.one('any').args).toEqual([5n])
  expect(any.key(5n)).toContain('5n')
  expect(any.key(5n)).not.toBe(any.key(5))
})

test('F1: a pollFrequency of NaN, 0 or less is refused where it is defined', () => {
  const fetch = async () => 1
  for (const pollFrequency of [Number.NaN, 0, -1]) {
    expect(() => new Endpoint(fetch, { name: 'x', pollFrequency })).toThrow(OptionError)
  }
})

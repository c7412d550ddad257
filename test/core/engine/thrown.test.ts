import { runInNewContext } from 'node:vm'
import {
  CallbackError,
  Controller,
  type ControllerOptions,
  Endpoint,
  type EndpointInterface,
  LogoutManager,
  OptionError,
  type ReadEndpoint,
  RestEndpoint,
  RoundtableError,
  retry,
  TransportError,
} from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'

const urlPrefix = 'https://api.test'

function open(options: ControllerOptions = {}) {
  const clock = new HandClock()
  const reported: unknown[] = []
  const controller = new Controller({ env: clock, onError: (error) => reported.push(error), ...options })
  const events: { readonly name: string; readonly error: Error | undefined }[] = []
  for (const name of ['error', 'retry', 'settle'] as const)
    controller.on(name, (event) => events.push({ name, error: event.error }))
  return { clock, controller, reported, events }
}

type AnyEndpoint = EndpointInterface<(...args: readonly unknown[]) => Promise<unknown>>

/** What a call rejects with. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  )

/** An endpoint whose function throws this. */
const throwing = (thrown: unknown) =>
  new Endpoint((): Promise<unknown> => Promise.reject(thrown), { name: 'throwing', sideEffect: undefined })

const noErrors: readonly (readonly [what: string, thrown: unknown, status: number | undefined])[] = [
  ['an object with a status', { status: 503, message: 'busy' }, 503],
  ['an object whose status is no number', { status: 'busy' }, undefined],
  ['a text', 'no', undefined],
  ['null', null, undefined],
  ['undefined', undefined, undefined],
  ['a number', 404, undefined],
  ['an object without a prototype', Object.create(null), undefined],
]

describe('what is thrown and is no Error', () => {
  test.each(noErrors)('%s: a call rejects with that very value, with a controller and without', async (_, thrown) => {
    for (const endpoint of [throwing(thrown), throwing(thrown).extend({ sideEffect: true })]) {
      expect(await rejection(endpoint())).toBe(thrown)
      expect(await rejection(open().controller.fetch(endpoint))).toBe(thrown)
      expect(await rejection(open({ retry: retry(0) }).controller.fetch(endpoint))).toBe(thrown)
    }
  })

  test.each(noErrors)(
    '%s: events and snapshots have an Error with its cause and its status',
    async (_, thrown, status) => {
      const { controller, events } = open()
      const query = controller.watch(throwing(thrown))
      const stop = query.subscribe(() => {})
      await settle()
      const { error } = query.getSnapshot()
      for (const told of [error, controller.getError(throwing(thrown)), ...events.map((event) => event.error)]) {
        expect(told).toBeInstanceOf(CallbackError)
        expect(told).toMatchObject({ callback: 'fetch', endpoint: 'throwing []', cause: thrown })
        expect(told).toHaveProperty('message', expect.not.stringMatching(/CORS|connection/))
        expect((told as { readonly status?: number }).status).toBe(status)
      }
      expect(events.map(({ name }) => name)).toEqual(['settle', 'error'])
      stop()
    },
  )

  test('a retry goes by its status, and its event has an Error', async () => {
    const { controller, clock, events } = open({ retry: retry({ limit: 1, delay: () => 5 }) })
    const outcome = rejection(controller.fetch(throwing({ status: 503 })))
    await clock.advance(5)
    expect(await outcome).toEqual({ status: 503 })
    expect(events.map(({ name }) => name)).toEqual(['retry', 'settle', 'error'])
    for (const { error } of events) expect(error).toMatchObject({ name: 'CallbackError', status: 503 })
  })

  test('errorPolicy and a logout go by its status too', async () => {
    const handleLogout = vi.fn()
    const errorPolicy = vi.fn()
    const { controller } = open({ managers: [new LogoutManager({ handleLogout })] })
    await rejection(controller.fetch(throwing({ status: 401 }).extend({ errorPolicy })))
    expect(handleLogout).toHaveBeenCalledOnce()
    expect(errorPolicy.mock.calls[0]?.[0]).toMatchObject({ status: 401 })
  })

  test('an Error of another realm is passed on as it is', async () => {
    const foreign: unknown = runInNewContext("Object.assign(new Error('there'), { status: 404 })")
    expect(foreign).not.toBeInstanceOf(Error)
    const { controller, events } = open()
    expect(await rejection(controller.fetch(throwing(foreign)))).toBe(foreign)
    expect(controller.getError(throwing(foreign))).toBe(foreign)
    expect(events.map(({ error }) => error)).toEqual([foreign, foreign])
  })
})

describe('what an overridden url or searchToString throws', () => {
  const mine = new RangeError('mine')
  const fail = (thrown: unknown) => (): never => {
    throw thrown
  }
  const overridden = (thrown: unknown): readonly RestEndpoint[] => [
    new RestEndpoint({ urlPrefix, path: '/todos', url: fail(thrown) }),
    new RestEndpoint({ urlPrefix, path: '/todos', searchToString: fail(thrown) }),
    new (class extends RestEndpoint {
      override url = fail(thrown)
    })({ urlPrefix, path: '/todos' }),
  ]

  test.each([[mine], [null]])('%s: a call rejects with it as it is', async (thrown) => {
    for (const endpoint of overridden(thrown)) {
      const call = endpoint as (args: object) => Promise<unknown>
      expect(await rejection(call({ page: 1 }))).toBe(thrown)
      expect(await rejection(open().controller.fetch(endpoint, { page: 1 } as never))).toBe(thrown)
    }
  })

  test('readers have it too; of what is no Error they have an Error with it as the cause', () => {
    const read = (endpoint: RestEndpoint) =>
      open().controller.watchOrError(endpoint as ReadEndpoint<(args: object) => Promise<unknown>>, { page: 1 })
    for (const endpoint of overridden(mine)) expect(read(endpoint).getSnapshot().error).toBe(mine)
    for (const endpoint of overridden('no'))
      expect(read(endpoint).getSnapshot()).toMatchObject({
        status: 'failed',
        error: { name: 'CallbackError', cause: 'no' },
      })
  })

  test('what an overridden key throws is a CallbackError, as ever', async () => {
    const endpoint = new RestEndpoint({ urlPrefix, path: '/todos', key: fail(mine) })
    expect(await rejection(open().controller.fetch(endpoint))).toMatchObject({ callback: 'key', cause: mine })
  })
})

describe('a request whose caller has aborted it', () => {
  const pending = () => new Endpoint(() => new Promise<never>(() => {}), { name: 'pending' })

  test('is no event of an error: its caller knows; it is settled', async () => {
    const { controller, events, reported } = open()
    const abort = new AbortController()
    const outcome = rejection(controller.fetch(pending().extend({ signal: abort.signal })))
    abort.abort()
    expect(await outcome).toMatchObject({ name: 'AbortError' })
    expect(events.map(({ name }) => name)).toEqual(['settle'])
    expect(reported).toEqual([])
  })

  test('nor is one that nobody waits for any more', async () => {
    const { controller, events } = open()
    const stop = controller.watch(pending().extend({ abortOnUnused: true })).subscribe(() => {})
    await settle()
    stop()
    await settle()
    expect(events.map(({ name }) => name)).toEqual(['settle'])
  })

  test('one that ends itself by an AbortError has failed', async () => {
    const { controller, events } = open()
    await rejection(controller.fetch(throwing(new DOMException('mine', 'AbortError'))))
    expect(events.map(({ name }) => name)).toEqual(['settle', 'error'])
  })
})

describe.each(['development', 'production'])('in %s a mistake in a user’s function is no native error', (mode) => {
  const get = (options: object) =>
    new RestEndpoint({ urlPrefix, path: '/todos', transport: async () => Response.json([]), ...options })
  const errorOf = async (endpoint: RestEndpoint, options?: ControllerOptions, ...args: unknown[]) => {
    vi.stubEnv('NODE_ENV', mode)
    const { controller } = open(options)
    const error = await rejection(controller.fetch(endpoint as AnyEndpoint, ...args))
    vi.unstubAllEnvs()
    return error
  }

  test.each<[what: string, options: object]>([
    ['a transport that resolves with nothing', { transport: async () => undefined }],
    ['a transport that resolves with data', { transport: async () => [{ id: 1 }] }],
    ['fetchResponse that resolves with nothing', { fetchResponse: async () => undefined }],
    ['getRequestInit that returns nothing', { getRequestInit: () => undefined }],
    ['getRequestInit that returns a text', { getRequestInit: () => 'POST' }],
  ])('%s', async (_, options) => {
    expect(await errorOf(get(options))).toBeInstanceOf(OptionError)
    expect(await errorOf(get(options), { retry: retry(0) })).toBeInstanceOf(OptionError)
  })

  test('a body with a cycle, or with what has no JSON', async () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    const send = get({ method: 'POST', body: {} })
    for (const body of [cycle, { big: 5n }]) expect(await errorOf(send, {}, body)).toBeInstanceOf(OptionError)
  })

  test('onSend that throws null: that very value', async () => {
    const onSend = (): never => {
      throw null
    }
    for (const method of ['GET', 'POST']) {
      const endpoint = get({ onSend, method, body: undefined })
      expect(await errorOf(endpoint)).toBeNull()
      expect(await errorOf(endpoint, { retry: retry({ limit: 1, delay: () => 0 }) })).toBeNull()
    }
  })

  test('requestKey that throws null: a CallbackError for who calls, and for who reads', async () => {
    const endpoint = get({
      requestKey: (): never => {
        throw null
      },
    })
    expect(await errorOf(endpoint)).toMatchObject({ name: 'CallbackError', callback: 'requestKey', cause: null })
    const { controller, reported } = open()
    const query = controller.watch(endpoint)
    const stop = query.subscribe(() => {})
    await settle()
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { callback: 'requestKey' } })
    await query.refetch()
    stop()
    expect(reported).toEqual([])
  })
})

test('a CallbackError tells what was thrown, whatever that is', () => {
  expect(new CallbackError('key', 'getTodo', { cause: { message: 'mine' } }).message).toContain('threw: mine.')
  expect(new TransportError(urlPrefix, 'GET')).toBeInstanceOf(RoundtableError)
})

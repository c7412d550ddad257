import {
  NetworkError,
  OptionError,
  RestEndpoint,
  RoundtableError,
  TimeoutError,
  TransportError,
} from '@roundtable/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

afterEach(() => vi.restoreAllMocks())

/** The error that a promise rejects with. */
async function errorOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => Promise.reject(new Error('It did not reject.')),
    (error) => error,
  )
}

describe('fetchResponse(input, init): Promise of Response', () => {
  const get = (path: string, options: object = {}): RestEndpoint =>
    new RestEndpoint({ urlPrefix: server.url, path: path as string, ...options }) as RestEndpoint

  test('performs the HTTP call', async () => {
    const response = await get('/').fetchResponse(`${server.url}/echo`, { method: 'PUT', body: 'x' })
    expect(response).toBeInstanceOf(Response)
    expect(server.last()).toMatchObject({ method: 'PUT', body: 'x' })
  })

  test('fetch is the global one, looked up at call time', async () => {
    const call = get('/echo')
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ mocked: true }))
    expect(await call()).toEqual({ mocked: true })
  })

  test.each([400, 401, 404, 422, 500, 503])(
    'when response.ok is not true (%i), it throws a NetworkError',
    async (status) => {
      const error = await errorOf(get(`/status/${status}`)())
      expect(error).toBeInstanceOf(NetworkError)
      expect(error).toBeInstanceOf(RoundtableError)
      expect(error).toMatchObject({
        name: 'NetworkError',
        code: 'NETWORK',
        status,
        url: `${server.url}/status/${status}`,
        method: 'GET',
      })
      expect(error.message).toContain(String(status))
    },
  )

  describe('NetworkError', () => {
    test('has status, statusText, url, method, headers', async () => {
      const error = (await errorOf(get('/status/404', { method: 'POST' })({}))) as NetworkError
      expect(error.statusText).toBe('Not Found')
      expect(error.method).toBe('POST')
      expect(error.headers.get('content-type')).toBe('application/json')
    })

    test('body() parses the error body once, lazily', async () => {
      const error = (await errorOf(get('/status/422')())) as NetworkError
      const parse = vi.spyOn(JSON, 'parse')
      const body = error.body()
      expect(error.body()).toBe(body)
      expect(await body).toEqual({ problem: 'this is 422' })
      expect(await error.body()).toEqual({ problem: 'this is 422' })
      expect(parse).toHaveBeenCalledTimes(1)
    })

    test('body() is there long after', async () => {
      const error = (await errorOf(get('/status/422')())) as NetworkError
      await new Promise((later) => setTimeout(later, 100))
      expect(await error.body()).toEqual({ problem: 'this is 422' })
    })

    test.each([
      ['text/html', '<p>down</p>', '<p>down</p>'],
      ['application/json', '{"broken":', '{"broken":'],
      ['application/problem+json', '{"a":1}', { a: 1 }],
      ['application/json', '', ''],
      [null, 'plain', 'plain'],
    ])('body() of %s %o', async (type, text, expected) => {
      const query = new URLSearchParams({ status: '500', body: text, ...(type && { type }) })
      const error = (await errorOf(get(`/answer?${query}`)())) as NetworkError
      expect(await error.body()).toEqual(expected)
    })

    test('F14: no socket is held: an endless body that nobody reads is cancelled', async () => {
      const errors = await Promise.all([1, 2, 3].map(() => errorOf(get('/endless')())))
      expect(server.unfinished()).toBe(3)
      await expect.poll(() => server.unfinished()).toBe(0)
      const body = String(await (errors[0] as NetworkError).body())
      expect(body.length).toBeGreaterThanOrEqual(65_536)
      expect(body.length).toBeLessThan(1_000_000)
    })

    test('an error body that comes drop by drop is cancelled after 5 seconds', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const cancel = vi.fn()
      const drops = new ReadableStream({ start: (drop) => drop.enqueue(new TextEncoder().encode('begin')), cancel })
      const error = new NetworkError(new Response(drops, { status: 500 }))
      await vi.advanceTimersByTimeAsync(5_000)
      expect(cancel).toHaveBeenCalled()
      expect(await error.body()).toBe('begin')
      vi.useRealTimers()
    })

    test('H16: neither headers nor body show up when it is logged or serialized', async () => {
      const response = new Response('{"secret":"body"}', { status: 500, headers: { 'set-cookie': 'session=s3cr3t' } })
      const error = new NetworkError(response)
      await error.body()
      const { inspect } = await import('node:util')
      for (const text of [JSON.stringify(error), inspect(error), JSON.stringify({ ...error }), String(error)]) {
        expect(text).not.toMatch(/s3cr3t|secret/)
      }
    })
  })

  test('F9: a request without a response is a TransportError with cause', async () => {
    const error = await errorOf(get('/drop')())
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ url: `${server.url}/drop`, method: 'GET' })
    expect(error.cause).toBeInstanceOf(TypeError)
    const nowhere = await errorOf(new RestEndpoint({ urlPrefix: 'http://127.0.0.1:1', path: '/' })())
    expect(nowhere).toBeInstanceOf(TransportError)
  })

  test('nothing is written onto the error of fetch', async () => {
    const cause = Object.freeze(new TypeError('Failed to fetch'))
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(cause)
    const error = await errorOf(get('/echo')())
    expect(error.cause).toBe(cause)
    expect(error).not.toHaveProperty('status')
  })

  test.each([null, undefined, 'offline', 5])('fetch may reject with %o', async (cause) => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(cause)
    const error = await errorOf(get('/echo')())
    expect(error).toBeInstanceOf(TransportError)
    expect(error.cause).toBe(cause)
  })

  describe('aborts', () => {
    test.each([
      ['no reason', undefined],
      ['null', null],
      ['text', 'stop'],
      ['an error', new RangeError('stop')],
    ])('an abort with %s is an AbortError whose cause is the reason', async (_what, reason) => {
      const controller = new AbortController()
      const pending = get('/slow?ms=2000').extend({ signal: controller.signal })()
      setTimeout(() => controller.abort(reason), 20)
      const error = await errorOf(pending)
      expect(error).toBeInstanceOf(DOMException)
      expect(error.name).toBe('AbortError')
      expect(error.cause).toBe(controller.signal.reason)
    })

    test('a signal that is aborted already makes one attempt, which fails', async () => {
      const signal = AbortSignal.abort()
      expect(await errorOf(get('/echo').extend({ signal })())).toMatchObject({ name: 'AbortError' })
      expect(server.seen).toHaveLength(0)
    })

    test('an abort while the body is read', async () => {
      const controller = new AbortController()
      const pending = get('/half?ms=3000', { signal: controller.signal })()
      await expect.poll(() => server.seen).toHaveLength(1)
      controller.abort('stop')
      expect(await errorOf(pending)).toMatchObject({ name: 'AbortError', cause: 'stop' })
    })
  })

  describe('timeout', () => {
    test('a request that takes longer is a TimeoutError, and is aborted', async () => {
      const error = await errorOf(get('/slow?ms=5000', { timeout: 30 })())
      expect(error).toBeInstanceOf(TimeoutError)
      expect(error).toMatchObject({ timeout: 30, key: `GET ${server.url}/slow?ms=5000` })
    })

    test('it is for each request: later calls have their own time', async () => {
      const echo = get('/slow?ms=10', { timeout: 60_000 })
      for (const _ of [1, 2, 3]) await expect(echo()).resolves.toBeDefined()
    })

    test('it covers steps that do not look at the signal', async () => {
      const hung = get('/echo', { timeout: 30, getHeaders: () => new Promise(() => {}) })
      expect(await errorOf(hung())).toBeInstanceOf(TimeoutError)
    })

    test('a signal of the endpoint still aborts', async () => {
      const controller = new AbortController()
      const pending = get('/slow?ms=2000', { timeout: 1_000, signal: controller.signal })()
      setTimeout(() => controller.abort('stop'), 20)
      expect(await errorOf(pending)).toMatchObject({ name: 'AbortError', cause: 'stop' })
    })

    test('extend({ timeout: undefined }) removes it; a signal that times out is reported as such', async () => {
      const controller = new AbortController()
      const flight = get('/slow?ms=2000', { timeout: 10 }).extend({ signal: controller.signal, timeout: undefined })
      const pending = flight()
      const reason = new TimeoutError('GET /slow', 40)
      setTimeout(() => controller.abort(reason), 40)
      expect(await errorOf(pending)).toBe(reason)
    })

    test('Infinity never fires', async () => {
      await expect(get('/echo', { timeout: Number.POSITIVE_INFINITY })()).resolves.toBeDefined()
    })
  })

  test.each(['a\r\nb: c', 'a\nb', '\u0100'])(
    'H3: a header with %o is refused with an error that names the header',
    async (value) => {
      const error = await errorOf(get('/echo', { getHeaders: () => ({ 'Access-Token': value }) })())
      expect(error).toBeInstanceOf(OptionError)
      expect(error.message).toContain("'Access-Token'")
      expect(JSON.stringify({ ...error, message: error.message, cause: String(error.cause) })).not.toContain(value)
    },
  )

  test('it may be overridden, calling the parent', async () => {
    const tries: string[] = []
    const retried = get('/echo', {
      async fetchResponse(this: RestEndpoint, input: string, init: RequestInit): Promise<Response> {
        tries.push(input)
        return RestEndpoint.prototype.fetchResponse.call(this, input, init)
      },
    })
    await retried()
    expect(tries).toEqual([`${server.url}/echo`])
  })
})

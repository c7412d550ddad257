import {
  Collection,
  Controller,
  type ControllerOptions,
  Endpoint,
  Entity,
  Invalidate,
  OptionError,
  poll,
  RestEndpoint,
  type RetryOptions,
  retry,
  TimeoutError,
} from '@roundtable/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { type Answer, fakeTransport, inTurn, noConnection, type SeenRequest } from './fake-transport.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const urlPrefix = 'https://api.test'
const getTodo = new RestEndpoint({ urlPrefix, path: '/todos/:id', schema: Todo })
const putTodo = getTodo.extend({ method: 'PUT', body: {} as { title: string } })
const addTodo = new RestEndpoint({ urlPrefix, path: '/todos', method: 'POST', schema: Todo })

const ok = (): Response => Response.json({ id: 1, title: 'Milk' })
/** Answers with the todo that the URL names. */
const asked = ({ url }: SeenRequest): Response =>
  Response.json({ id: Number(/\d+$/.exec(url)?.[0] ?? 9), title: 'Milk' })
const status = (code: number, retryAfter?: string) => (): Response =>
  new Response('busy', { status: code, headers: retryAfter === undefined ? {} : { 'Retry-After': retryAfter } })

afterEach(() => vi.restoreAllMocks())

function open(answer: Answer, options: ControllerOptions = { retry: retry(2) }) {
  const clock = new HandClock()
  const fake = fakeTransport(answer, clock)
  const controller = new Controller({ env: clock, transport: fake.transport, onError: () => {}, ...options })
  /** Fetches, and lets time pass. */
  const outcome = async (fetched: Promise<unknown>, ms = 600_000): Promise<unknown> => {
    const settled = fetched.catch((error: Error) => error)
    await clock.advance(ms)
    return Promise.race([settled, Promise.resolve('pending')])
  }
  return { ...fake, clock, controller, outcome, get: () => controller.fetch(getTodo, { id: 1 }) }
}

describe('retry', () => {
  test('503 twice, then 200 with Retry-After between: three requests, each no earlier than the server asks', async () => {
    const { log, controller, clock } = open(inTurn(status(503, '3'), status(503, '2'), ok))
    const query = controller.watch(getTodo, { id: 1 })
    const shown: string[] = []
    query.subscribe(() => shown.push(query.getSnapshot().status))
    await clock.advance(60_000)
    // Half of the first pause's 0.5 s, and of the second one's 1 s, as chance is 0.5.
    expect(log()).toEqual([
      '0 GET https://api.test/todos/1',
      '3250 GET https://api.test/todos/1',
      '5750 GET https://api.test/todos/1',
    ])
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'Milk' } })
    expect(shown).toEqual(['ready'])
  })

  test('is off by default', async () => {
    const { log, outcome, get } = open(status(503), {})
    expect(await outcome(get())).toMatchObject({ status: 503 })
    expect(log()).toHaveLength(1)
  })

  test('gives up after its limit, with the last error', async () => {
    const { log, outcome, get } = open(inTurn(status(500), status(502), status(503)))
    expect(await outcome(get())).toMatchObject({ name: 'NetworkError', status: 503 })
    expect(log()).toHaveLength(3)
  })

  test('an endpoint has its own, and may turn it off', async () => {
    const { log, outcome, controller } = open(status(503))
    await outcome(controller.fetch(getTodo.extend({ retry: retry(0) }), { id: 1 }))
    expect(log()).toHaveLength(1)
    await outcome(controller.fetch(getTodo.extend({ retry: retry({ limit: 4 }) }), { id: 2 }))
    expect(log()).toHaveLength(6)
  })

  test('works for calls without a controller too', async () => {
    const { transport, log } = fakeTransport(inTurn(noConnection, ok))
    const endpoint = getTodo.extend({ transport, retry: retry({ delay: () => 0 }) })
    expect(await endpoint({ id: 1 })).toEqual({ id: 1, title: 'Milk' })
    expect(log()).toHaveLength(2)
  })

  test.each([408, 425, 429, 500, 502, 503, 504])('%i is repeated', async (code) => {
    const { outcome, get } = open(inTurn(status(code), ok))
    expect(await outcome(get())).toMatchObject({ title: 'Milk' })
  })

  test.each([400, 401, 403, 404, 409, 410, 412, 422, 501])('%i is not', async (code) => {
    const { log, outcome, get } = open(status(code))
    expect(await outcome(get())).toMatchObject({ status: code })
    expect(log()).toHaveLength(1)
  })

  test('a response that cannot be parsed is not repeated, nor what a function of the application throws', async () => {
    const { log, outcome, controller, get } = open(
      () => new Response('{', { headers: { 'content-type': 'application/json' } }),
    )
    expect(await outcome(get())).toMatchObject({ name: 'ResponseParseError' })
    const broken = getTodo.extend({
      process() {
        throw new RangeError('mine')
      },
    })
    await outcome(controller.fetch(broken, { id: 2 }))
    expect(log()).toHaveLength(2)
  })

  test('a request without a response is, and so is one that timed out: timeout counts for each attempt', async () => {
    const hangs = (): Promise<Response> => new Promise(() => {})
    const { log, outcome, controller } = open(inTurn(noConnection, hangs, ok))
    const endpoint = getTodo.extend({ timeout: 5_000 })
    expect(await outcome(controller.fetch(endpoint, { id: 1 }))).toMatchObject({ title: 'Milk' })
    expect(log().map((line) => line.split(' ')[0])).toEqual(['0', '250', '5750'])
  })

  test('aborts the attempt that timed out before it sends the next', async () => {
    const { seen, outcome, controller } = open(inTurn(() => new Promise(() => {}), ok))
    await outcome(controller.fetch(getTodo.extend({ timeout: 5_000 }), { id: 1 }))
    expect(seen.map(({ signal }) => signal?.aborted)).toEqual([true, false])
  })

  test('totalTimeout ends all attempts and pauses', async () => {
    const { log, outcome, get, clock } = open(status(503), { retry: retry({ limit: 50, totalTimeout: 20_000 }) })
    const error = await outcome(get())
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ timeout: 20_000 })
    expect(log().length).toBeGreaterThan(3)
    expect(log().every((line) => Number(line.split(' ')[0]) < 20_000)).toBe(true)
    expect(clock.pending).toBeLessThanOrEqual(1)
  })

  test('the pause is random between 0 and 0.5 s, 1 s, 2 s … up to 30 s', async () => {
    const { log, clock, get } = open(status(503), { retry: retry(9) })
    clock.randomValue = 0.999_999
    get().catch(() => {})
    await clock.advance(1_000_000)
    const times = log().map((line) => Number(line.split(' ')[0]))
    const pauses = times.slice(1).map((time, i) => Math.round(time - (times[i] ?? 0)))
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  })

  describe('a DELETE that finds nothing', () => {
    const getTodos = new RestEndpoint({ urlPrefix, path: '/todos', schema: new Collection([Todo]) })
    const remove = new RestEndpoint({ urlPrefix, path: '/todos/:id', method: 'DELETE', schema: new Invalidate(Todo) })
    const openList = async (...answers: Answer[]) => {
      const list = (): Response => Response.json([{ id: 1 }, { id: 2 }])
      const opened = open(inTurn(list, ...answers))
      const todos = opened.controller.watch(getTodos)
      todos.subscribe(() => {})
      await settle()
      return { ...opened, shown: () => todos.getSnapshot().data?.map(({ id }) => id) }
    }
    const lost = (): never => {
      throw new TypeError('connection lost')
    }

    test.each([
      { what: '500, then 404', first: status(500), second: 404 },
      { what: 'no answer, then 410', first: lost, second: 410 },
    ])('has succeeded if an earlier attempt may have been applied: $what', async ({ first, second }) => {
      const { controller, outcome, log, shown } = await openList(first, status(second))
      expect(await outcome(controller.fetch(remove, { id: 1 }))).toMatchObject({ id: 1 })
      expect(shown()).toEqual([2])
      // Nobody has to ask.
      expect(log()).toHaveLength(3)
    })

    test('has succeeded without a controller too', async () => {
      const { transport } = fakeTransport(inTurn(noConnection, status(404)))
      expect(await remove.extend({ transport, retry: retry({ delay: () => 0 }) })({ id: 1 })).toBeNull()
    })

    test.each([
      { what: 'a first attempt', answers: [status(404)], code: 404 },
      { what: 'after a server that was not ready', answers: [status(503), status(404)], code: 404 },
      { what: 'that is forbidden', answers: [status(500), status(403)], code: 403 },
    ])('has failed: $what', async ({ answers, code }) => {
      const { controller, outcome } = await openList(...answers)
      expect(await outcome(controller.fetch(remove, { id: 1 }))).toMatchObject({ status: code })
    })

    test('has failed if it is a PUT', async () => {
      const { controller, outcome } = await openList(status(500), status(404))
      expect(await outcome(controller.fetch(putTodo, { id: 1 }, { title: 'Oats' }))).toMatchObject({ status: 404 })
    })
  })

  test('shared by two readers of one key, it sends one request each time', async () => {
    const { log, controller, clock } = open(inTurn(status(503), ok))
    controller.watch(getTodo, { id: 1 }).subscribe(() => {})
    await settle()
    const fetched = controller.fetch(getTodo, { id: 1 })
    await clock.advance(10_000)
    expect(await fetched).toMatchObject({ title: 'Milk' })
    expect(log()).toHaveLength(2)
  })
})

describe('Retry-After', () => {
  test('may be a date', async () => {
    const date = new Date(1_000_000 + 7_000).toUTCString()
    const { log, outcome, get } = open(inTurn(status(503, date), ok))
    await outcome(get())
    expect(log()[1]).toMatch(/^7250 /)
  })

  test.each(['soon', '-3', '1.5', '5 apples', '', 'Sun, 99 Foo 2026 00:00:00 GMT', '1e3'])(
    'is ignored if it is rubbish: %j',
    async (text) => {
      const { log, outcome, get } = open(inTurn(status(503, text), ok))
      expect(await outcome(get())).toMatchObject({ title: 'Milk' })
      expect(log()[1]).toMatch(/^250 /)
    },
  )

  test.each([['31536000'], [new Date(1_000_000 + 31_536_000_000).toUTCString()], ['9'.repeat(400)]])(
    'beyond maxRetryAfter, such as a year ahead, fails at once: %s',
    async (text) => {
      const { log, outcome, get } = open(status(503, text))
      expect(await outcome(get(), 100)).toMatchObject({ status: 503 })
      expect(log()).toHaveLength(1)
    },
  )

  test('of a past date asks for nothing', async () => {
    const { log, outcome, get } = open(inTurn(status(503, new Date(0).toUTCString()), ok))
    await outcome(get())
    expect(log()[1]).toMatch(/^250 /)
  })
})

describe('429', () => {
  test('holds back all requests to that origin, polls too, and none to others', async () => {
    const { log, controller, clock, get } = open(inTurn(status(429, '10'), asked))
    const polled = getTodo.extend({ pollFrequency: 20_000 })
    get().catch(() => {})
    await clock.advance(0)
    controller.observe(poll, polled, { id: 2 }).subscribe(() => {})
    controller.fetch(putTodo, { id: 3 }, { title: 'Tea' }).catch(() => {})
    controller.fetch(addTodo, { title: 'Tea' }).catch(() => {})
    controller.fetch(getTodo.extend({ urlPrefix: 'https://other.test' }), { id: 1 }).catch(() => {})
    await clock.advance(10_249)
    expect(log()).toEqual(['0 GET https://api.test/todos/1', '0 GET https://other.test/todos/1'])
    await clock.advance(1)
    expect(log().slice(2).sort()).toEqual([
      '10250 GET https://api.test/todos/1',
      '10250 GET https://api.test/todos/2',
      '10250 POST https://api.test/todos',
      '10250 PUT https://api.test/todos/3',
    ])
  })

  test('a poll that was held back is sent once, and the next one after its interval', async () => {
    const { log, controller, clock, get } = open(inTurn(status(429, '10'), asked))
    get().catch(() => {})
    await clock.advance(0)
    controller.observe(poll, getTodo.extend({ pollFrequency: 1_000 }), { id: 2 }).subscribe(() => {})
    await clock.advance(12_500)
    expect(log().filter((line) => line.endsWith('/2'))).toEqual([
      '10250 GET https://api.test/todos/2',
      '11250 GET https://api.test/todos/2',
      '12250 GET https://api.test/todos/2',
    ])
  })

  test('with a year in Retry-After holds others back no longer than maxRetryAfter', async () => {
    const { log, controller, clock, outcome, get } = open(inTurn(status(429, '31536000'), asked))
    await outcome(get(), 0)
    const other = controller.fetch(getTodo, { id: 2 })
    await clock.advance(60_000)
    expect(await other).toBeDefined()
    expect(log()[1]).toBe('60000 GET https://api.test/todos/2')
  })

  test('a request that is aborted while it is held back is never sent', async () => {
    const { log, controller, clock, get } = open(inTurn(status(429, '10'), asked))
    get().catch(() => {})
    await clock.advance(0)
    const abort = new AbortController()
    const held = controller.fetch(getTodo.extend({ signal: abort.signal }), { id: 2 }).catch((error: Error) => error)
    await clock.advance(1_000)
    abort.abort()
    expect(await held).toMatchObject({ name: 'AbortError' })
    await clock.advance(60_000)
    expect(log().filter((line) => line.endsWith('/2'))).toEqual([])
  })
})

describe('offline', () => {
  test('it waits for the connection and spends no attempts', async () => {
    let isThere = false
    const { log, controller, clock } = open((request) => (isThere ? inTurn(status(503), ok)(request) : noConnection()))
    clock.announce({ online: false })
    const query = controller.watch(getTodo, { id: 1 })
    query.subscribe(() => {})
    await clock.advance(3_600_000)
    expect(log()).toEqual(['0 GET https://api.test/todos/1'])
    expect(query.getSnapshot().status).toBe('pending')
    isThere = true
    clock.announce({ online: true })
    await clock.advance(10_000)
    expect(log().map((line) => line.split(' ')[0])).toEqual(['0', '3600000', '3600250', '3600750'])
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 503 } })
  })

  test.each([
    ['before', [503, 0, 0, 0]],
    ['after', [0, 0, 0, 503]],
  ])('an edit waits however often the connection is lost, also %s an attempt that counts', async (_, answers) => {
    const { log, controller, clock } = open(
      () => {
        const code = answers.shift()
        if (code === undefined) return ok()
        if (code > 0) return status(code)()
        clock.announce({ online: false })
        return noConnection()
      },
      { retry: retry(1) },
    )
    const edit = controller.fetch(putTodo, { id: 1 }, { title: 'Milk' })
    const failed = vi.fn()
    edit.catch(failed)
    for (let losses = 3; losses > 0; losses--) {
      await clock.advance(60_000)
      expect(failed).not.toHaveBeenCalled()
      clock.announce({ online: true })
    }
    await clock.advance(60_000)
    expect(await edit).toMatchObject({ title: 'Milk' })
    expect(log()).toHaveLength(5)
  })

  test('it sends no mutation again that may have been received', async () => {
    const { log, controller, clock, outcome } = open(noConnection)
    clock.announce({ online: false })
    expect(await outcome(controller.fetch(addTodo, { title: 'Tea' }))).toMatchObject({ name: 'TransportError' })
    clock.announce({ online: true })
    await clock.advance(10_000)
    expect(log()).toHaveLength(1)
  })

  test('dispose ends the waiting', async () => {
    const { controller, clock, outcome, get } = open(noConnection)
    clock.announce({ online: false })
    const fetched = get().catch((error: Error) => error)
    await clock.advance(0)
    controller.dispose()
    expect(await outcome(fetched)).toMatchObject({ name: 'DisposedError' })
    clock.announce({ online: true })
    await clock.advance(10_000)
    expect(clock.pending).toBe(0)
  })
})

describe('an abort ends it', () => {
  test('during a pause', async () => {
    const { log, controller, clock } = open(status(503))
    const abort = new AbortController()
    const fetched = controller.fetch(getTodo.extend({ signal: abort.signal }), { id: 1 }).catch((error: Error) => error)
    await clock.advance(100)
    abort.abort()
    expect(await fetched).toMatchObject({ name: 'AbortError' })
    await clock.advance(60_000)
    expect(log()).toHaveLength(1)
    expect(clock.pending).toBeLessThanOrEqual(1)
  })

  test('reset during a pause sends nothing more of it', async () => {
    const { log, controller, clock, get } = open(status(503))
    const fetched = get().catch((error: Error) => error)
    await clock.advance(100)
    controller.resetEntireStore()
    expect(await fetched).toMatchObject({ name: 'ResetError' })
    await clock.advance(60_000)
    expect(log()).toHaveLength(1)
  })
})

describe('mutations', () => {
  test.each([
    ['PUT', 3],
    ['DELETE', 3],
    ['POST', 1],
    ['PATCH', 1],
  ])('%s is sent %i times', async (method, times) => {
    const { log, outcome, controller } = open(status(503))
    const endpoint = new RestEndpoint({ urlPrefix, path: '/todos/:id', method: method as 'PUT', body: undefined })
    expect(await outcome(controller.fetch(endpoint, { id: 1 }))).toMatchObject({ status: 503 })
    expect(log()).toHaveLength(times)
  })

  test('of other methods are if they have an Idempotency-Key, and each attempt has the same', async () => {
    let made = 0
    const { seen, outcome, controller } = open(inTurn(status(503), noConnection, ok))
    const endpoint = addTodo.extend({ getHeaders: (headers) => ({ ...headers, 'Idempotency-Key': `key ${++made}` }) })
    expect(await outcome(controller.fetch(endpoint, { title: 'Tea' }))).toMatchObject({ title: 'Milk' })
    expect(made).toBe(3)
    expect(seen.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['key 1', 'key 1', 'key 1'])
    expect(seen.map(({ headers }) => headers.get('content-type'))).toEqual(Array(3).fill('application/json'))
  })

  test('the optimistic value stays until the last attempt has failed', async () => {
    const { controller, clock } = open(status(503))
    controller.setResponse(getTodo, { id: 1 }, { id: 1, title: 'Milk' })
    const optimistic = putTodo.extend({ getOptimisticResponse: (_, { id }, body) => ({ id, ...body }) })
    controller.fetch(optimistic, { id: 1 }, { title: 'Tea' }).catch(() => {})
    const title = () => controller.get(Todo, { id: 1 })?.title
    await clock.advance(700)
    expect(title()).toBe('Tea')
    await clock.advance(10_000)
    expect(title()).toBe('Milk')
  })

  test('a read by POST is a read', async () => {
    const { log, outcome, controller } = open(inTurn(status(503), ok))
    await outcome(controller.fetch(addTodo.extend({ sideEffect: false }), { title: 'Tea' }))
    expect(log()).toHaveLength(2)
  })

  test('methods names those of the application', async () => {
    const { log, outcome, controller } = open(status(503), { retry: retry({ methods: ['post'] }) })
    await outcome(controller.fetch(addTodo, { title: 'Tea' }))
    expect(log()).toHaveLength(3)
    await outcome(controller.fetch(putTodo, { id: 1 }, { title: 'Tea' }))
    expect(log()).toHaveLength(4)
  })
})

test("a function's own errors are repeated by their status", async () => {
  let calls = 0
  const ask = new Endpoint(
    async () => {
      if (++calls < 3) throw Object.assign(new Error('busy'), { status: 503 })
      return 'there'
    },
    { name: 'ask' },
  )
  const { outcome, controller } = open(ok)
  expect(await outcome(controller.fetch(ask))).toBe('there')
})

describe('failureCount of a snapshot', () => {
  test('tells how many attempts have failed and with what, and nothing once the request has settled', async () => {
    const { controller, clock, get } = open(inTurn(status(503), noConnection, ok))
    const query = controller.watch(getTodo, { id: 1 })
    const told: string[] = []
    query.fetching.subscribe(() => {
      const { failureCount, failureReason } = query.getSnapshot()
      told.push(`${failureCount} ${failureReason?.name}`)
    })
    get().catch(() => {})
    await clock.advance(10_000)
    expect(told).toEqual(['0 undefined', '1 NetworkError', '2 TransportError', '0 undefined'])
  })

  test('is of its own key alone, and is told only while somebody subscribes', async () => {
    const { controller, clock, get } = open(status(503))
    let notified = 0
    controller.watch(getTodo, { id: 2 }).fetching.subscribe(() => notified++)
    get().catch(() => {})
    await clock.advance(10_000)
    expect(notified).toBe(0)
    const stop = controller.watch(getTodo, { id: 1 }).fetching.subscribe(() => notified++)
    await clock.advance(2_000)
    stop()
    get().catch(() => {})
    await clock.advance(10_000)
    expect(notified).toBe(0)
  })

  test('is that of the request that took the place of one that has failed, and of that again once it is over', async () => {
    const { controller, clock, get } = open(inTurn(status(503), () => new Promise<Response>(() => {}), ok))
    const query = controller.watch(getTodo, { id: 1 })
    const told: number[] = []
    query.fetching.subscribe(() => told.push(query.getSnapshot().failureCount))
    get().catch(() => {})
    await clock.advance(0)
    const abort = new AbortController()
    // Reads are not joined that are older than a mutation's end.
    await controller.fetch(new Endpoint(async () => null, { name: 'touch', sideEffect: true }))
    controller.fetch(getTodo.extend({ signal: abort.signal }), { id: 1 }).catch(() => {})
    await clock.advance(0)
    abort.abort()
    await clock.advance(10_000)
    expect(told).toEqual([0, 1, 0, 1, 0])
  })

  test('is there for who comes while a retry is under way', async () => {
    const { controller, clock, get } = open(status(503))
    get().catch(() => {})
    await clock.advance(0)
    const query = controller.watch(getTodo, { id: 1 })
    expect(query.getSnapshot()).toMatchObject({ failureCount: 1, failureReason: { status: 503 } })
  })
})

test("controller.on('retry') tells of each attempt that failed", async () => {
  const { controller, outcome, get } = open(inTurn(status(503), noConnection, ok))
  const told: string[] = []
  controller.on('retry', ({ key, error }) => told.push(`${key}: ${error.name}`))
  await outcome(get())
  expect(told).toEqual(['GET https://api.test/todos/1: NetworkError', 'GET https://api.test/todos/1: TransportError'])
})

describe('bad options', () => {
  test.each<[RetryOptions, string]>([
    [{ limit: -1 }, "Option 'retry.limit' must be an integer from 0, found number -1."],
    [{ limit: 1.5 }, "Option 'retry.limit' must be an integer from 0, found number 1.5."],
    [{ limit: Number.NaN }, "Option 'retry.limit' must be an integer from 0, found number NaN."],
    [{ statuses: ['503'] as never }, "Option 'retry.statuses' must be a list of HTTP statuses, found an array."],
    [{ methods: 'GET' as never }, "Option 'retry.methods' must be a list of HTTP methods"],
    [{ delay: 500 as never }, "Option 'retry.delay' must be a function, found number 500."],
    [{ maxRetryAfter: Number.NaN }, "Option 'retry.maxRetryAfter' must be 0 or more milliseconds"],
    [{ totalTimeout: 0 }, "Option 'retry.totalTimeout' must be more than 0 milliseconds, found number 0."],
    [{ retries: 3 } as never, "Option 'retry.retries' is unknown. The options are limit, statuses"],
  ])('%j', (options, message) => {
    expect(() => retry(options)).toThrow(OptionError)
    expect(() => retry(options)).toThrow(message)
  })

  test('a number in place of retry(2) names the import', () => {
    expect(() => new Controller({ retry: 2 as never })).toThrow('import { retry } and write retry: retry(2)')
  })

  test('a delay that throws ends the request with a CallbackError; nonsense is no pause', async () => {
    const throwing = open(status(503), {
      retry: retry({
        delay: () => {
          throw new Error('mine')
        },
      }),
    })
    expect(await throwing.outcome(throwing.get())).toMatchObject({ name: 'CallbackError', cause: { message: 'mine' } })
    for (const nonsense of [Number.NaN, -5, 'soon' as never]) {
      const { log, outcome, get } = open(inTurn(status(503), ok), { retry: retry({ delay: () => nonsense }) })
      await outcome(get())
      expect(log()[1]).toMatch(/^0 /)
    }
  })
})

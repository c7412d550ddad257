import { poll, RestEndpoint } from '@roundtable/core'
import { connection, type HttpWireOptions, live, longPoll, ndjson, type Wire, webSocket } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { describe, expect, test, vi } from 'vitest'
import { HANGS } from '../../hangs.js'
import { openBoard, Todo } from '../engine/todo-board.js'
import { openLive } from './hand-wire.js'

const SECOND = 1_000

const http: readonly (readonly [string, (options?: HttpWireOptions) => Wire, string])[] = [
  ['sse', sse, 'text/event-stream'],
  ['ndjson', ndjson, 'application/x-ndjson'],
  ['longPoll', longPoll, 'application/json'],
]

/** A message that cannot be read and one that can, as each of them travels. */
const halfBad: Readonly<Record<string, string>> = {
  sse: 'event: changed\ndata: {"id":"1","title":"ONE"}\n\nevent: changed\ndata: {\nid: 9\n\n',
  ndjson: '{\n{"type":"changed","data":{"id":"1","title":"ONE"},"id":"9"}\n',
  longPoll: '[5,{"type":"changed","data":{"id":"1","title":"ONE"},"id":"9"}]',
}

/** A response whose body goes on after these pieces; that of a long poll ends. */
function streaming(name: string, type: string, ...pieces: readonly string[]) {
  const seen = { isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      if (name === 'longPoll') controller.close()
    },
    cancel() {
      seen.isCancelled = true
    },
  })
  const respond = (headers: object = {}) => new Response(body, { headers: { 'content-type': type, ...headers } })
  return { respond, seen }
}

/** A source whose server gives these responses, one after the other, and then none. */
async function connect(wire: Wire, ...responses: readonly (() => Response)[]) {
  const sent: RequestInit[] = []
  const board = openLive(
    { wire },
    {
      transport: async (_, init) => {
        const respond = responses[sent.length]
        sent.push(init)
        return respond === undefined ? new Promise<Response>(() => {}) : respond()
      },
    },
  )
  board.subscribe()
  await board.clock.advance(0)
  return { ...board, sent }
}

describe.each(http)('%s', (name, wireOf, type) => {
  const wire = wireOf()

  test('without the call is reported once, with what to write, and not connected again', async () => {
    const { sent, clock, reported, status } = await connect(wireOf as never)
    expect(status()).toMatchObject({ status: 'refused', error: { name: 'OptionError' } })
    expect(reported).toMatchObject([{ option: 'live.wire', reason: expect.stringContaining('wire: sse()') }])
    await clock.advance(600_000)
    expect([sent.length, reported.length]).toEqual([0, 1])
  })

  test.each([204, 401, 403, 404, 410])('a server that answers %i is not asked again before a reset', async (status) => {
    const { sent, clock, controller, reported, status: of } = await connect(wire, () => new Response(null, { status }))
    expect(of()).toMatchObject({ status: 'refused', error: { name: 'LiveRefusedError', status } })
    await clock.advance(600_000)
    expect([sent.length, reported.length]).toEqual([1, 1])
    controller.resetEntireStore()
    await clock.advance(0)
    expect(sent).toHaveLength(2)
  })

  test.each([
    [
      'a page',
      () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
      'ResponseParseError',
    ],
    ['an error', () => new Response('', { status: 500 }), 'NetworkError'],
  ])('a server that answers %s is asked again', async (_name, respond, error) => {
    const { sent, clock, status } = await connect(wire, respond)
    expect(status()).toMatchObject({ status: 'waiting', attempt: 1, error: { name: error } })
    await clock.advance(1_000)
    expect(sent).toHaveLength(2)
  })

  test('a message that is no JSON is reported, and the rest of the stream goes on', async () => {
    const { clock, controller, reported, sent } = await connect(
      wire,
      streaming(name, type, halfBad[name] as string).respond,
      () => new Response('', { status: 500 }),
    )
    await clock.advance(16)
    expect(reported.map((error) => error.name)).toEqual(['ResponseParseError'])
    expect(controller.get(Todo, { id: '1' })?.title).toBe('ONE')
    // Its place in the stream counts.
    for (let s = 0; s < 60 && sent.length < 2; s++) await clock.advance(SECOND)
    expect(new Headers(sent[1]?.headers).get('last-event-id')).toBe('9')
  })

  test('a connection that brings a longer text than may be is cut, and made again after a pause', async () => {
    const long = streaming(name, type, 'data: [', 'x'.repeat(60), 'x'.repeat(60))
    const { clock, status, sent } = await connect(wireOf({ maxLength: 100 }), long.respond)
    await clock.advance(0)
    expect(status()).toMatchObject({ status: 'waiting', attempt: 1, error: { name: 'TransportError' } })
    expect([sent.length, long.seen.isCancelled]).toEqual([1, name !== 'longPoll'])
    await clock.advance(SECOND)
    expect(sent).toHaveLength(2)
  })

  test('a server that sends nothing, not even headers, is given up after 45 s', async () => {
    const { clock, status, sent } = await connect(wire)
    await clock.advance(45 * SECOND)
    expect([sent.length, status()]).toMatchObject([1, { status: 'waiting', error: { name: 'TimeoutError' } }])
    expect(sent[0]?.signal?.aborted).toBe(true)
    await clock.advance(SECOND)
    expect(sent).toHaveLength(2)
  })

  test('a body that a proxy holds back for 10 s is waited for, and counts as open with its first byte', async () => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller
      },
    })
    const { clock, status, sent } = await connect(
      wire,
      () => new Response(stream, { headers: { 'content-type': type } }),
    )
    await clock.advance(10 * SECOND - 1)
    expect(status().status).toBe(name === 'longPoll' ? 'connecting' : 'open')
    await clock.advance(1)
    expect(status().status).toBe('waiting')
    body?.enqueue(new TextEncoder().encode(name === 'longPoll' ? '[]' : '\n'))
    if (name === 'longPoll') body?.close()
    await new Promise((resolve) => setImmediate(resolve))
    expect([status().status, sent[0]?.signal?.aborted]).toEqual(['open', false])
  })

  test('a server that ends each response at once is not asked in a loop', async () => {
    const empty = () => new Response(name === 'longPoll' ? '[]' : '', { headers: { 'content-type': type } })
    const { clock, sent } = await connect(wire, ...new Array<() => Response>(500).fill(empty))
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(sent.length).toBeLessThanOrEqual(2)
    await clock.advance(90 * SECOND)
    // After 0.5, 1, 2, 4, 8 s, and then each 15 s. A long poll has not failed by it: once a second, after the first.
    expect(sent.length).toBeLessThanOrEqual(name === 'longPoll' ? 92 : 11)
    expect(sent.length).toBeGreaterThan(5)
  })

  test('the last event is sent as UTF-8, and the headers of the source with it', async () => {
    const { hand, clock, subscribe } = openLive({ headers: () => ({ authorization: 'a' }) })
    subscribe()
    await clock.advance(0)
    let init: RequestInit = {}
    const { context } = hand.last
    const send = async (_url: string, given: RequestInit) => {
      init = given
      return new Response('[]', { headers: { 'content-type': type } })
    }
    for await (const _messages of wire({ ...context, lastEventId: 'ключ', send })) break
    const headers = init.headers as Headers
    const bytes = Uint8Array.from(headers.get('last-event-id') ?? '', (letter) => letter.charCodeAt(0))
    expect([headers.get('authorization'), new TextDecoder().decode(bytes)]).toEqual(['a', 'ключ'])
    expect(init.cache).toBe('no-store')
  })
})

test.each([
  ['ndjson', ndjson(), '{"id":"41"}\n{"id":"42\\nx-evil: 1"}\n'],
  ['longPoll', longPoll(), '[{"id":"41"},{"id":"42\\nx-evil: 1"}]'],
])('over %s an id with line breaks is not sent back', async (name, wire, text) => {
  const type = http.find(([other]) => other === name)?.[2] as string
  const { sent, clock } = await connect(wire, streaming(name, type, text).respond)
  for (let s = 0; s < 60 && sent.length < 2; s++) await clock.advance(SECOND)
  expect(new Headers(sent[1]?.headers).get('last-event-id')).toBe('41')
})

test('server-sent events say by `retry` how long the next connection has to wait', async () => {
  const text = 'retry: 7000\n\ndata\n\n'
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      controller.close()
    },
  })
  const { sent, clock } = await connect(
    sse(),
    () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
  )
  await clock.advance(6_900)
  expect(sent).toHaveLength(1)
  await clock.advance(100)
  expect(sent).toHaveLength(2)
})

test('responses and streams say an event in the header that the source names', async () => {
  const asked: string[] = []
  const { controller, clock } = openBoard({
    transport: async (input, init) => {
      const url = `${input}`
      const headers = new Headers(init.headers)
      asked.push(`${url} ${headers.get('last-event-id') ?? ''}`)
      const said = { 'x-event-id': '1', 'x-seen': '41' }
      if (url.endsWith('/todos')) return Response.json([], { headers: said })
      return streaming('sse', 'text/event-stream', ':\n\n').respond(said)
    },
  })
  const getTodos = new RestEndpoint({
    path: '/todos',
    urlPrefix: 'https://api.test',
    schema: [Todo],
    ...live({ name: 'todos', url: 'https://api.test/events', wire: sse(), messages: {}, eventIdHeader: 'x-seen' }),
  })
  controller.watch(getTodos).subscribe(() => {})
  controller.observe(poll, getTodos).subscribe(() => {})
  const status = controller.observe(connection, getTodos)
  // The stream goes on behind the response, so nothing is missing.
  const turn = async (): Promise<void> => {
    await clock.advance(0)
    expect(status.getSnapshot()?.status).toBe('open')
  }
  await vi.waitFor(turn, { timeout: HANGS, interval: 1 })
  expect(asked).toEqual(['https://api.test/todos ', 'https://api.test/events 41'])
  controller.dispose()
})

/** A socket by hand. */
class HandSocket {
  static last: HandSocket
  readonly url: string
  readonly sent: string[] = []
  isClosed = false
  readonly #listeners = new Map<string, (event: never) => void>()

  constructor(url: string) {
    this.url = url
    HandSocket.last = this
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.isClosed = true
  }

  addEventListener(name: string, listener: (event: never) => void): void {
    this.#listeners.set(name, listener)
  }

  happen(name: string, event: object = {}): void {
    this.#listeners.get(name)?.(event as never)
  }
}

describe('webSocket', () => {
  const wire = webSocket({ WebSocket: HandSocket, hello: () => ({ token: 'a' }) })

  test.each([1008, 4400, 4401, 4499])('a server that closes with %i is not asked again', async (code) => {
    const { clock, status } = await connect(wire)
    const socket = HandSocket.last
    expect(socket.url).toBe('wss://api.test/events')
    socket.happen('open')
    expect(socket.sent).toEqual(['{"token":"a"}'])
    socket.happen('close', { code })
    await clock.advance(600_000)
    expect(status()).toMatchObject({ status: 'refused', error: { closeCode: code } })
    expect(HandSocket.last).toBe(socket)
  })

  test('one whose server says where the stream begins is open, however long nothing happens', async () => {
    const { clock, status } = await connect(wire)
    HandSocket.last.happen('message', { data: '{"type":"opened","id":"4"}' })
    await clock.advance(44 * SECOND)
    expect(status()).toMatchObject({ status: 'open', attempt: 0 })
  })

  test.each([1000, 1006, 1011, 4500])('after a close with %i it connects again', async (code) => {
    const { clock, status } = await connect(wire)
    const socket = HandSocket.last
    socket.happen('close', { code })
    await clock.advance(0)
    expect(status().status).toBe('waiting')
    await clock.advance(1_000)
    expect(HandSocket.last).not.toBe(socket)
  })

  test('texts that are no messages are reported, and the rest goes on', async () => {
    const { clock, reported, status } = await connect(wire)
    const socket = HandSocket.last
    for (const data of ['{', '[]', '5', '{"type":5}', '{"type":"changed","data":{"id":"1"},"id":"9"}'])
      socket.happen('message', { data })
    await clock.advance(16)
    expect(reported.map(({ name }) => name)).toEqual(Array(4).fill('ResponseParseError'))
    expect(status().status).toBe('open')
    socket.happen('close', { code: 1006 })
    await clock.advance(1_000)
    expect(HandSocket.last.url).toBe('wss://api.test/events?lastEventId=9')
    expect(socket.isClosed).toBe(true)
  })
})

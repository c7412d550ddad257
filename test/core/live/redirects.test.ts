import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { longPoll, ndjson, type Wire, webSocket } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { HANGS } from '../../hangs.js'
import { Todo } from '../engine/todo-board.js'
import { openLive } from './hand-wire.js'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A server on this machine, and what it was asked. */
async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** A source with a token, which is connected by the global `fetch`. */
function connect(url: string, wire: Wire) {
  const board = openLive({ url, wire, headers: () => ({ authorization: 'Bearer secret' }) })
  ends.push(() => board.controller.dispose())
  board.subscribe()
  return board
}

/** Turns the clock until something holds. */
function until({ clock }: ReturnType<typeof connect>, check: () => void): Promise<unknown> {
  const turn = async (): Promise<void> => {
    await clock.advance(16)
    check()
  }
  return vi.waitFor(turn, { timeout: HANGS, interval: 5 })
}

const http: readonly (readonly [string, Wire, string, string])[] = [
  ['sse', sse(), 'text/event-stream', 'event: changed\ndata: {"id":"1","title":"one"}\n\n'],
  ['ndjson', ndjson(), 'application/x-ndjson', '{"type":"changed","data":{"id":"1","title":"one"}}\n'],
  ['longPoll', longPoll(), 'application/json', '[{"type":"changed","data":{"id":"1","title":"one"}}]'],
]

describe.each(http)('over %s', (_, wire, type, text) => {
  test('a redirect to the page of a login is an error, and the page is not asked for in a loop', async () => {
    const { url, asked } = await serve((request, response) => {
      if (request.url === '/login') response.writeHead(200, { 'content-type': 'text/html' }).end('<form>')
      else response.writeHead(302, { location: '/login' }).end()
    })
    const board = connect(`${url}/events`, wire)
    await until(board, () => expect(board.status().status).toBe('waiting'))
    expect(board.status()).toMatchObject({ attempt: 1, error: { name: 'ResponseParseError' } })
    expect(asked.map((request) => request.url)).toEqual(['/events', '/login'])
  })

  test('a redirect in a circle is an error, and asked for again after a pause', async () => {
    const { url } = await serve((_request, response) => response.writeHead(302, { location: '/events' }).end())
    const board = connect(`${url}/events`, wire)
    await until(board, () => expect(board.status().status).toBe('waiting'))
    expect(board.status()).toMatchObject({ attempt: 1, error: { name: 'TypeError' } })
  })

  test('a redirect to another origin is followed, and does not tell it the token', async () => {
    const other = await serve(
      (_request, response) => void response.writeHead(200, { 'content-type': type }).write(text),
    )
    const { url, asked } = await serve((_request, response) =>
      response.writeHead(307, { location: `${other.url}/stream` }).end(),
    )
    const board = connect(`${url}/events`, wire)
    await until(board, () => expect([asked.length, other.asked.length]).toEqual([1, 1]))
    expect(asked[0]?.headers.authorization).toBe('Bearer secret')
    expect(other.asked[0]?.headers.authorization).toBeUndefined()
    // The response of a long poll has no end here.
    if (type !== 'application/json')
      await until(board, () => expect(board.controller.get(Todo, { id: '1' })?.title).toBe('one'))
  })
})

test.each([
  ['a redirect', 302],
  ['a page', 200],
])('a server that answers a WebSocket by %s is asked again after a pause, and not elsewhere', async (_, status) => {
  const { url, asked } = await serve((_request, response) => response.writeHead(status, { location: '/login' }).end())
  const board = connect(`${url}/events`, webSocket({ WebSocket }))
  await until(board, () => expect(board.status()).toMatchObject({ status: 'waiting', attempt: 1 }))
  expect(asked.map((request) => request.url)).toEqual(['/events'])
})

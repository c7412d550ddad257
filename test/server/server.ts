import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from './routes.js'

/** A request as the server saw it. */
export interface Seen {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A running server. */
export interface TestServer {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  /** All requests since the start or the last `forget`, in their order. */
  readonly seen: readonly Seen[]
  /** The last request. */
  last(): Seen
  forget(): void
  /** The number of responses that are still being sent. */
  unfinished(): number
  close(): Promise<void>
}

/** Starts a real HTTP server on a free port of this machine; `routes` decides on its responses. */
export async function startServer(): Promise<TestServer> {
  const seen: Seen[] = []
  const unfinished = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    unfinished.add(response)
    response.on('close', () => unfinished.delete(response))
    void answer(request, response, seen)
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  // It listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    last() {
      const last = seen.at(-1)
      if (!last) throw new Error('The server has seen no request.')
      return last
    },
    forget() {
      seen.length = 0
    },
    unfinished: () => unfinished.size,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, seen: Seen[]): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const body = await bodyOf(request)
  const one: Seen = { method, url, headers, body }
  seen.push(one)
  const { pathname, searchParams } = new URL(url, 'http://server.test')
  const name = pathname.split('/')[1] ?? ''
  const route = routes[name] ?? routes.echo
  route?.(one, response, searchParams)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

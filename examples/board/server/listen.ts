import { once } from 'node:events'
import { createAdaptorServer, type ServerType } from '@hono/node-server'

/** Answers a request: the `fetch` of an app. */
export type Answer = Parameters<typeof createAdaptorServer>[0]['fetch']

/** A server that listens. */
export interface Listening {
  readonly port: number
  /** Lets running requests end, at most three seconds, and closes. */
  close(): Promise<void>
}

const TRIES = 100
const PATIENCE = 3000

/**
 * Listens on the port, or on the next free one above it.
 *
 * Without a host it is this machine alone, at both of its addresses: a browser may take "localhost" for either, and
 * must not find another program on the same port.
 *
 * @throws Error when none of a hundred ports is free, or the first cannot be used at all.
 */
export async function listen(answer: Answer, port: number, host: string | undefined): Promise<Listening> {
  const hosts = host === undefined ? ['127.0.0.1', '::1'] : [host]
  for (let candidate = port; candidate < port + TRIES && candidate < 65_536; candidate++) {
    const servers = await listenAt(answer, candidate, hosts)
    if (servers !== undefined) return { port: portOf(servers), close: () => closeAll(servers) }
  }
  throw new Error(`No port from ${port} to ${Math.min(port + TRIES - 1, 65_535)} is free. Name another in PORT.`)
}

async function listenAt(answer: Answer, port: number, hosts: string[]): Promise<ServerType[] | undefined> {
  const servers: ServerType[] = []
  for (const host of hosts) {
    try {
      // For port 0 the system chooses; the second address takes the same.
      servers.push(await start(answer, servers.length > 0 ? portOf(servers) : port, host))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      const hasNoSuchAddress = code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'
      if (hasNoSuchAddress && servers.length > 0) continue
      await closeAll(servers)
      if (code === 'EADDRINUSE') return undefined
      throw error
    }
  }
  return servers
}

async function start(answer: Answer, port: number, host: string): Promise<ServerType> {
  const server = createAdaptorServer({ fetch: answer })
  server.listen(port, host)
  await once(server, 'listening')
  return server
}

function portOf([server]: ServerType[]): number {
  const address = server?.address()
  if (typeof address !== 'object' || address === null) throw new TypeError('The server does not listen on a port.')
  return address.port
}

async function closeAll(servers: ServerType[]): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
  // A connection whose request has ended stays open for the next one, which will not come.
  const sweep = setInterval(() => servers.forEach(closeIdle), 50)
  const cut = setTimeout(() => servers.forEach(closeEvery), PATIENCE)
  await Promise.all(closed)
  clearInterval(sweep)
  clearTimeout(cut)
}

function closeIdle(server: ServerType): void {
  if ('closeIdleConnections' in server) server.closeIdleConnections()
}

function closeEvery(server: ServerType): void {
  if ('closeAllConnections' in server) server.closeAllConnections()
}

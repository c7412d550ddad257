import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startServer, type TestServer } from '../server/server.js'

/** Runs a real HTTP server for the tests of a file; what it has seen is forgotten before each of them. */
export function withServer(): TestServer {
  let running: TestServer | undefined
  beforeAll(async () => {
    running = await startServer()
  })
  beforeEach(() => running?.forget())
  afterAll(() => running?.close())
  const server = (): TestServer => {
    if (!running) throw new Error('The server runs inside of tests only.')
    return running
  }
  return {
    get url() {
      return server().url
    },
    get seen() {
      return server().seen
    },
    last: () => server().last(),
    forget: () => server().forget(),
    unfinished: () => server().unfinished(),
    close: () => server().close(),
  }
}

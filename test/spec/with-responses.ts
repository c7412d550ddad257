import { Controller, type ControllerOptions, type Observer, RestEndpoint } from '@roundtable/core'
import { HandClock } from '@roundtable/core/testing'
import { afterEach, beforeEach, vi } from 'vitest'
import { HANGS } from '../hangs.js'
import type { TestServer } from '../server/server.js'

/** A response that is not just JSON with status 200. */
interface Stub {
  readonly status?: number
  readonly type?: string
  readonly text?: string
}

/**
 * A real controller, its clock turned by hand, and endpoints whose requests the real server answers with the stubs of a
 * test.
 */
interface Bench {
  readonly controller: Controller
  readonly clock: HandClock
  /** Goes into an endpoint's options: its requests are sent to the server, for the stubs below. */
  readonly http: { readonly fetchResponse: (input: string | URL | Request, init: RequestInit) => Promise<Response> }
  /** The JSON that the server answers from now on, by method and path with query: `'GET /todos/1'`. */
  json(request: string, data: unknown): void
  /** As `json`, for any status, type and text. */
  stub(request: string, stubs: Stub): void
  /** The requests that the server has seen, as method and path. */
  sent(): readonly string[]
  /** Another controller on the same clock. */
  open(options: ControllerOptions): Controller
  /** Subscribes until the test ends; the returned function ends it earlier. */
  mount(observer: Observer<unknown>): () => void
}

/** Separates the query of the request from the stub for the server. */
const MARK = 'told='

/** Waits until the check holds, however busy the machine is. */
export function soon(check: () => void): Promise<void> {
  return vi.waitFor(check, HANGS)
}

/** Opens a bench for each test of a file. */
export function withResponses(server: TestServer): Bench {
  const stubs = new Map<string, Stub>()
  const ends: (() => void)[] = []
  let clock = new HandClock()
  let controller = new Controller({ env: clock })
  const open = (options: ControllerOptions): Controller => {
    const opened = new Controller({ env: clock, ...options })
    ends.push(() => opened.dispose())
    return opened
  }
  beforeEach(() => {
    stubs.clear()
    clock = new HandClock()
    controller = open({})
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })

  function fetchResponse(this: RestEndpoint, input: string | URL | Request, init: RequestInit): Promise<Response> {
    const response = stubs.get(`${init.method ?? 'GET'} ${input}`)
    if (response === undefined) throw new Error(`The test tells no answer for ${init.method} ${input}`)
    const { status = 200, type = 'application/json', text = '' } = response
    const query = new URLSearchParams({ status: String(status), type, body: text })
    const url = `${server.url}/answer${input}${String(input).includes('?') ? '&' : '?'}${MARK}&${query}`
    return RestEndpoint.prototype.fetchResponse.call(this, url, init)
  }

  return {
    get controller() {
      return controller
    },
    get clock() {
      return clock
    },
    http: { fetchResponse },
    json: (request, data) => void stubs.set(request, { text: JSON.stringify(data) }),
    stub: (request, response) => void stubs.set(request, response),
    sent: () => server.seen.map(({ method, url }) => `${method} ${url.slice('/answer'.length, url.indexOf(MARK) - 1)}`),
    open,
    mount(observer) {
      const stop = observer.subscribe(() => {})
      ends.unshift(stop)
      return stop
    },
  }
}

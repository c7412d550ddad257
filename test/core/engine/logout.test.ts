import { inspect } from 'node:util'
import {
  Controller,
  Endpoint,
  LogoutManager,
  type LogoutOptions,
  type RefusedRequest,
  RestEndpoint,
} from '@roundtable/core'
import { inspect as inspectController } from '@roundtable/core/inspect'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { fakeTransport } from './fake-transport.js'
import { ending } from './todo-board.js'

const urlPrefix = 'https://api.test'

/** A server that refuses what `refuses` names, and answers all other requests. */
const open = (options: LogoutOptions = {}) => {
  const refuses = new Set<string>()
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname } = new URL(url)
    return refuses.has(pathname) ? new Response('', { status: 401 }) : Response.json({ at: pathname })
  })
  let logouts = 0
  const handleLogout = (): void => {
    logouts++
  }
  const controller = new Controller({
    env: new HandClock(),
    managers: [new LogoutManager({ handleLogout, ...options })],
  })
  const send = async (path: string, init: RequestInit = {}, method = 'GET') => {
    const endpoint = new RestEndpoint({ urlPrefix, path, method, requestInit: init, body: undefined })
    await controller.fetch(endpoint).catch(() => {})
  }
  return { controller, refuses, send, logouts: () => logouts }
}

afterEach(() => vi.unstubAllGlobals())

describe('a LogoutManager', () => {
  test('does not take a wrong password for the end of the session', async () => {
    const { refuses, send, logouts } = open()
    await send('/issues')
    refuses.add('/login')
    await send('/login', {}, 'POST')
    await send('/login', { headers: { 'content-type': 'application/json', 'X-CSRF-Token': 'x' } }, 'POST')
    expect(logouts()).toBe(0)
  })

  test.each(['Authorization', 'authorization', 'Access-Token', 'X-Auth-Token', 'X-API-Key', 'X-Session-Id'])(
    'logs out when a request with %s is refused, also the first of all',
    async (name) => {
      const { refuses, send, logouts } = open()
      refuses.add('/me')
      await send('/me', { headers: { [name]: 'secret' } })
      expect(logouts()).toBe(1)
    },
  )

  test('ignores a read that was sent without any session', async () => {
    const { refuses, send, logouts } = open()
    refuses.add('/me')
    await send('/public')
    await send('/me', { credentials: 'omit' })
    expect(logouts()).toBe(0)
  })

  test.each(['same-origin', 'include', undefined] as const)(
    'logs out when a read is refused with which cookies may have been sent: credentials %s',
    async (credentials) => {
      const { refuses, send, logouts } = open()
      refuses.add('/me')
      await send('/me', credentials && { credentials })
      expect(logouts()).toBe(1)
    },
  )

  test('counts a mutation with credentials alone only once a request has succeeded since the last logout', async () => {
    const { refuses, send, logouts } = open()
    refuses.add('/login').add('/todos')
    await send('/login', { credentials: 'include' }, 'POST')
    expect(logouts()).toBe(0)
    refuses.delete('/login')
    await send('/login', { credentials: 'include' }, 'POST')
    await send('/todos', { credentials: 'include' }, 'POST')
    expect(logouts()).toBe(1)
    refuses.add('/login')
    await send('/login', { credentials: 'include' }, 'POST')
    expect(logouts()).toBe(1)
  })

  test('acts once, and again only after a request has succeeded since', async () => {
    const { refuses, send, logouts } = open()
    const init = { headers: { Authorization: 'Bearer x' } }
    refuses.add('/me')
    await send('/me', init)
    await send('/me', init)
    expect(logouts()).toBe(1)
    await send('/public')
    await send('/me', init)
    expect(logouts()).toBe(2)
  })

  test('acts once for a guest whose page reads public data too, and again when a session has ended', async () => {
    const { transport, log } = fakeTransport(async ({ url }) => {
      if (!url.endsWith('/me')) return Response.json({ at: url })
      // After everything that is public.
      await settle()
      return isGuest ? new Response('', { status: 401 }) : Response.json({ name: 'Ann' })
    })
    let isGuest = true
    let logouts = 0
    const clock = new HandClock()
    const handleLogout = (all: Controller): void => {
      if (++logouts < 5) all.resetEntireStore()
    }
    const controller = new Controller({ env: clock, transport, managers: [new LogoutManager({ handleLogout })] })
    const me = new RestEndpoint({ urlPrefix, path: '/me' })
    for (const endpoint of [new RestEndpoint({ urlPrefix, path: '/public' }), me]) {
      controller.watch(endpoint).subscribe(() => {})
    }
    for (let i = 0; i < 10; i++) await clock.advance(10)
    expect(logouts).toBe(1)
    expect(log()).toHaveLength(4)
    isGuest = false
    controller.resetEntireStore()
    await clock.advance(10)
    isGuest = true
    await controller.watch(me).refetch()
    expect(logouts).toBe(2)
  })

  /** A page of a guest or of somebody with a session in a cookie: everything private is refused to the guest. */
  const cookiePage = (options?: LogoutOptions) => {
    const session = { isThere: false }
    const { transport, log } = fakeTransport(async ({ url }) =>
      session.isThere ? Response.json({ at: url }) : new Response('', { status: 401 }),
    )
    let resets = 0
    const controller = new Controller({ env: new HandClock(), transport, managers: [new LogoutManager(options)] })
    controller.on('reset', () => resets++)
    const read = (path: string) => controller.watch(new RestEndpoint({ urlPrefix, path })).subscribe(() => {})
    return { controller, session, read, log, resets: () => resets }
  }

  test.each([undefined, { shouldLogout: () => true }])(
    'has nobody to log out while the store is empty: a guest asks once who is signed in (%o)',
    async (options) => {
      const { read, log, resets } = cookiePage(options)
      read('/me')
      read('/issues')
      await settle()
      expect(log()).toHaveLength(2)
      expect(resets()).toBe(0)
    },
  )

  test('nor after a logout by the application: what goes out then and is refused empties the store no second time', async () => {
    const { controller, session, read, log, resets } = cookiePage()
    session.isThere = true
    read('/me')
    read('/issues')
    await settle()
    session.isThere = false
    controller.resetEntireStore()
    await settle()
    expect(log()).toHaveLength(4)
    expect(resets()).toBe(1)
  })

  test('a session that ends while there is data is logged out, and so is a token that is refused first of all', async () => {
    const { session, read, resets } = cookiePage()
    session.isThere = true
    read('/me')
    await settle()
    session.isThere = false
    read('/issues')
    await settle()
    expect(resets()).toBe(1)
    const other = cookiePage()
    other.controller
      .watch(new RestEndpoint({ urlPrefix, path: '/a', getHeaders: (headers) => ({ ...headers, Authorization: 'x' }) }))
      .subscribe(() => {})
    await settle()
    expect(other.resets()).toBe(1)
  })

  test('ignores every status but 401', async () => {
    const { controller, logouts } = open()
    vi.stubGlobal('fetch', async () => new Response('', { status: 403 }))
    const endpoint = new RestEndpoint({ urlPrefix, path: '/me', getHeaders: () => ({ Authorization: 'x' }) })
    await controller.fetch(endpoint).catch(() => {})
    expect(logouts()).toBe(0)
  })

  test('calls shouldLogout with the request: its endpoint, key, headers and credentials', async () => {
    const requested: RefusedRequest[] = []
    const { refuses, send, logouts } = open({
      shouldLogout: (error, request) => {
        requested.push(request)
        return 'status' in error && request.key === 'GET https://api.test/b'
      },
    })
    refuses.add('/a').add('/b')
    await send('/a', { headers: { Authorization: 'x' }, credentials: 'include' })
    await send('/c')
    await send('/b')
    expect(logouts()).toBe(1)
    expect(requested).toMatchObject([
      { key: 'GET https://api.test/a', credentials: 'include', hasSucceeded: false, args: [] },
      { key: 'GET https://api.test/b', credentials: undefined, hasSucceeded: true },
    ])
    expect(requested[0]?.headers?.get('authorization')).toBe('x')
    expect(requested[0]?.endpoint).toHaveProperty('path', '/a')
  })

  test('gets the headers that getHeaders and getRequestInit add, also late', async () => {
    const { controller, refuses, logouts } = open()
    refuses.add('/me')
    const endpoint = new RestEndpoint({
      urlPrefix,
      path: '/me',
      getHeaders: async (headers) => ({ ...headers, Authorization: 'Bearer x' }),
    })
    await ending(controller.fetch(endpoint).catch(() => {}))
    await expect.poll(logouts).toBe(1)
  })

  test('credentials of a request are hidden from whoever logs the event', async () => {
    const { controller, send } = open()
    const events: object[] = []
    controller.on('settle', (event) => events.push(event))
    await send('/a', { headers: { Authorization: 'secret' } })
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(Object.keys(events[0] ?? {})).not.toContain('sent')
    expect(events[0]).toHaveProperty('sent')
  })

  test('and so is what a login sent, and tokens in keys', async () => {
    const controller = new Controller({ onError: () => {} })
    const events: object[] = []
    for (const name of ['fetch', 'settle', 'error'] as const) controller.on(name, (event) => events.push(event))
    const login = new RestEndpoint({
      urlPrefix,
      path: '/login',
      method: 'POST',
      body: {} as { password: string },
      searchParams: {} as { token: string },
      transport: async () => new Response(null, { status: 401 }),
      requestInit: { headers: { Authorization: 'hunter2' } },
    })
    const search = new Endpoint(async (_: { password: string }) => Promise.reject(new Error('refused')), {
      name: 'search',
    })
    await controller.fetch(login, { token: 'hunter2' }, { password: 'hunter2' }).catch(() => {})
    await controller.fetch(search, { password: 'hunter2' }).catch(() => {})
    expect(events).toHaveLength(6)
    expect(inspect(events, { depth: 9 }) + JSON.stringify(events)).not.toContain('hunter2')
    expect(events[0]).toMatchObject({
      name: `${urlPrefix}/login`,
      args: [{ token: 'hunter2' }, { password: 'hunter2' }],
    })
    expect(events[0]).toHaveProperty('key', `POST ${urlPrefix}/login?token=hunter2`)
  })

  test.each(['as it is', 'inspected'])('and so are the keys of what is done and committed: a controller %s', (how) => {
    const controller = new Controller()
    const inspection = how === 'inspected' ? inspectController(controller) : undefined
    const events: object[] = []
    for (const name of ['action', 'commit'] as const) controller.on(name, (event) => events.push(event))
    const getFiles = new RestEndpoint({ urlPrefix, path: '/files', searchParams: {} as { token: string } })
    const key = getFiles.key({ token: 'hunter2' })
    controller.setResponse(getFiles, { token: 'hunter2' }, ['a'])
    controller.invalidate(getFiles, { token: 'hunter2' })
    expect(inspect(events, { depth: 9 }) + JSON.stringify(events)).not.toContain('hunter2')
    expect(events.map((event) => ({ ...event }))).toMatchObject([{ type: 'set' }, {}, { type: 'invalidate' }, {}])
    expect(events).toMatchObject([{ key }, { keys: [key] }, { key }, { keys: [key] }])
    inspection?.stop()
  })

  test('an endpoint’s own onSend is called too', async () => {
    const { controller } = open()
    const onSend = vi.fn()
    await controller.fetch(new RestEndpoint({ urlPrefix, path: '/a', onSend }))
    expect(onSend).toHaveBeenCalledWith(expect.objectContaining({ method: 'GET' }))
  })
})

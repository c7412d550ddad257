import {
  Collection,
  Controller,
  Entity,
  OptionError,
  poll,
  RestEndpoint,
  resource,
  TimeoutError,
  type Transport,
  TransportError,
} from '@roundtable/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { fakeTransport } from './fake-transport.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo })
const getTodos = new RestEndpoint({
  path: '/todos',
  searchParams: {} as { page?: number },
  schema: new Collection([Todo]),
  paginationField: 'page',
})

afterEach(() => vi.restoreAllMocks())

/** A controller whose transport answers by itself; the global fetch must not be called. */
function openController(respond = () => Response.json({ id: 1, title: 'Milk' }), more: object = {}) {
  const global = vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.reject(new Error('not this one')))
  const clock = new HandClock()
  const fake = fakeTransport(respond, clock)
  const controller = new Controller({ env: clock, transport: fake.transport, onError: () => {}, ...more })
  return { controller, clock, global, ...fake }
}

/** A controller with a transport that is no fake. */
const withTransport = (transport: Transport, clock = new HandClock()) =>
  new Controller({ env: clock, transport, onError: () => {} })

describe('new Controller({ transport })', () => {
  test('sends what a query, a fetch, a poll, a page and a mutation ask for', async () => {
    const { controller, clock, global, log } = openController(() => Response.json([{ id: 1, title: 'Milk' }]))
    const one = getTodo.extend({ process: () => ({ id: 1, title: 'Milk' }), pollFrequency: 1_000 })
    controller.watch(getTodos).subscribe(() => {})
    await settle()
    await controller.fetch(getTodos.getPage, { page: 2 })
    await controller.fetch(getTodos.push.extend({ process: () => ({ id: 9 }) }), { title: 'New' })
    const stop = controller.observe(poll, one, { id: 1 }).subscribe(() => {})
    await clock.advance(0)
    stop()
    await controller.fetch(one, { id: 1 })
    expect(log().map((line) => line.slice(2))).toEqual([
      'GET /todos',
      'GET /todos?page=2',
      'POST /todos',
      'GET /todos/1',
      'GET /todos/1',
    ])
    expect(global).not.toHaveBeenCalled()
  })

  test('gets the URL, the init with signal and headers, and the endpoint', async () => {
    const transport = vi.fn<Transport>(async () => Response.json({ id: 1 }))
    const save = new RestEndpoint({ path: '/todos/:id', method: 'PUT', schema: Todo, name: 'save' })
    await withTransport(transport).fetch(save, { id: 1 }, { title: 'Milk' })
    const [input, init, endpoint] = transport.mock.calls[0] ?? []
    expect(input).toBe('/todos/1')
    expect(init).toMatchObject({ method: 'PUT', headers: { 'content-type': 'application/json' } })
    expect(init?.signal).toBeInstanceOf(AbortSignal)
    expect(endpoint?.name).toBe('save')
  })

  test('is not called for a request that ended while its headers were prepared', async () => {
    const { controller, log } = openController()
    let prepared = (): void => {}
    const withToken = getTodo.extend({
      getHeaders: (headers: Record<string, string>) =>
        new Promise<Record<string, string>>((resolve) => {
          prepared = () => resolve({ ...headers, authorization: 'of who has left' })
        }),
    })
    const outcome = controller.fetch(withToken, { id: 1 }).catch((error: Error) => error.name)
    await settle()
    controller.resetEntireStore()
    prepared()
    expect(await outcome).toBe('ResetError')
    await settle()
    expect(log()).toEqual([])
  })

  test('gives two controllers of one server the cookies of their own users, for the same endpoint', async () => {
    const seen: string[] = []
    const forUser = (cookie: string) =>
      withTransport(async (input, init) => {
        seen.push(`${new Headers({ ...init.headers, cookie }).get('cookie')} ${input}`)
        return Response.json({ id: 1, title: cookie })
      })
    const [ann, bob] = [forUser('ann'), forUser('bob')]
    const titles = await Promise.all([ann.fetch(getTodo, { id: 1 }), bob.fetch(getTodo, { id: 1 })])
    expect(titles.map(({ title }) => title)).toEqual(['ann', 'bob'])
    expect(seen).toEqual(['ann /todos/1', 'bob /todos/1'])
  })

  test('wins over the transport of an endpoint, which a controller without one uses', async () => {
    const own = fakeTransport(() => Response.json({ id: 1, title: 'own' }))
    const endpoint = getTodo.extend({ transport: own.transport })
    const { controller } = openController()
    expect(await controller.fetch(endpoint, { id: 1 })).toMatchObject({ title: 'Milk' })
    expect(await new Controller().fetch(endpoint, { id: 1 })).toMatchObject({ title: 'own' })
  })

  test('is not needed: the global fetch is looked up at each call', async () => {
    const controller = new Controller()
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ id: 1, title: 'global' }))
    expect(await controller.fetch(getTodo, { id: 1 })).toMatchObject({ title: 'global' })
  })

  test('may be a fetch that works on no object but its own', async () => {
    function strict(this: unknown) {
      if (this !== undefined) throw new TypeError('Illegal invocation')
      return Promise.resolve(Response.json({ id: 1, title: 'bound' }))
    }
    expect(await withTransport(strict).fetch(getTodo, { id: 1 })).toMatchObject({ title: 'bound' })
  })

  test('is refused if it is no function, with the option and what was found', () => {
    expect(() => new Controller({ transport: 'https://api.test' as never })).toThrow(
      'Option \'transport\' must be a function, found the text "https://api.test"',
    )
  })
})

describe('RestEndpoint({ transport })', () => {
  test('serves calls without a controller, also of resources and of classes', async () => {
    const { transport, log } = fakeTransport(() => Response.json([{ id: 1 }]))
    class Api extends RestEndpoint {
      override readonly transport = transport
    }
    await getTodo.extend({ transport })({ id: 1 })
    await resource({ path: '/r/:id', schema: Todo, transport }).getList()
    await new Api({ path: '/class' })()
    expect(log()).toEqual(['0 GET /todos/1', '0 GET /r', '0 GET /class'])
  })
})

describe('a response whose headers may not be read', () => {
  const secretive = (text: string): Response => {
    const response = new Response(text)
    vi.spyOn(response.headers, 'get').mockImplementation((name) => {
      throw new Error(`Failed to get response header "${name}"`)
    })
    return response
  }

  test('is JSON if there is a schema', async () => {
    const controller = withTransport(async () => secretive('{"id":1,"title":"Milk"}'))
    expect(await controller.fetch(getTodo, { id: 1 })).toMatchObject({ title: 'Milk' })
  })

  test('that is no JSON then fails as such', async () => {
    const controller = withTransport(async () => secretive('oops'))
    await expect(controller.fetch(getTodo, { id: 1 })).rejects.toMatchObject({ name: 'ResponseParseError' })
  })
})

describe('a transport that misbehaves leaves nothing open', () => {
  /** The error of a fetch and of a query. */
  async function failures(transport: Transport, endpoint = getTodo) {
    const clock = new HandClock()
    const controller = withTransport(transport, clock)
    const query = controller.watch(endpoint, { id: 2 })
    query.subscribe(() => {})
    const fetched = controller.fetch(endpoint, { id: 1 }).then(
      () => undefined,
      (error: Error) => error,
    )
    await clock.advance(10_000)
    const isFetching = controller.fetching(endpoint, { id: 1 }).getSnapshot()
    return { error: await fetched, snapshot: query.getSnapshot(), isFetching }
  }

  test('it throws: TransportError with the cause', async () => {
    const cause = new Error('no network here')
    const { error, snapshot, isFetching } = await failures(() => {
      throw cause
    })
    expect(error).toBeInstanceOf(TransportError)
    expect(error?.cause).toBe(cause)
    expect(snapshot).toMatchObject({ status: 'failed', error: { name: 'TransportError' } })
    expect(isFetching).toBe(false)
  })

  test.each([
    ['nothing', undefined, 'found undefined'],
    ['data', { id: 1, title: 'Milk' }, 'found an object'],
    ['text', '{"id":1}', 'found a string'],
    ['null', null, 'found null'],
  ])('it resolves with %s: OptionError', async (_, value, found) => {
    const { error, snapshot, isFetching } = await failures(async () => value as never)
    expect(error).toBeInstanceOf(OptionError)
    expect(error?.message).toContain("Option 'transport' must resolve with a Response")
    expect(error?.message).toContain(found)
    expect(snapshot).toMatchObject({ status: 'failed', error: { name: 'OptionError' } })
    expect(isFetching).toBe(false)
  })

  test('it resolves twice: the first response counts', async () => {
    const twice = {
      // biome-ignore lint/suspicious/noThenProperty: a thenable that calls back twice is what is tested.
      then(done: (response: Response) => void) {
        done(Response.json({ id: 1, title: 'first' }))
        done(Response.json({ id: 1, title: 'second' }))
      },
    }
    const controller = withTransport(() => twice as never)
    expect(await controller.fetch(getTodo, { id: 1 })).toMatchObject({ title: 'first' })
  })

  test('it never settles: the timeout of the endpoint ends the request', async () => {
    const { error, snapshot, isFetching } = await failures(
      () => new Promise(() => {}),
      getTodo.extend({ timeout: 5_000 }),
    )
    expect(error).toBeInstanceOf(TimeoutError)
    expect(snapshot).toMatchObject({ status: 'failed', error: { name: 'TimeoutError' } })
    expect(isFetching).toBe(false)
  })
})

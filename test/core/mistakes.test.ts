import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  OptionError,
  poll,
  RestEndpoint,
  resource,
} from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import { describe, expect, test, vi } from 'vitest'
import { FakeServer } from './engine/fake-server.js'
import { ending } from './engine/todo-board.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

function open() {
  const server = new FakeServer()
  const send = server.on<[{ id: number }], unknown>('todo')
  const TodoResource = resource({ path: '/todos/:id', schema: Todo, fetch: send } as never) as never as Record<
    'get' | 'getList' | 'create',
    RestEndpoint
  >
  const getTodo = new Endpoint(send, { name: 'getTodo', schema: Todo })
  return { server, send, getTodo, TodoResource, controller: new Controller() }
}

/** The verbs as JavaScript sees them: whatever is given. */
type Verb = (given: unknown, ...args: readonly unknown[]) => unknown
const verb = (of: unknown): Verb => of as Verb
const takerOf = (controller: Controller, name: (typeof endpointVerbs)[number]): Verb =>
  name === 'observe'
    ? (...given) => verb(controller.observe).call(controller, poll, ...given)
    : verb(controller[name]).bind(controller)

const endpointVerbs = [
  'fetch',
  'fetchIfStale',
  'getResponse',
  'getError',
  'setResponse',
  'setError',
  'invalidate',
  'query',
  'peek',
  'observe',
  'fetching',
] as const

class Ref {
  readonly held: unknown
  constructor(held: unknown) {
    this.held = held
  }
}

/** A value that is no endpoint: its description in the error, and what to do. */
const noEndpoints: readonly [found: string, given: (of: ReturnType<typeof open>) => unknown, hint: RegExp][] = [
  ['undefined', () => undefined, /paginationField/],
  ['null', () => null, /paginationField/],
  ['a function', ({ send }) => send, /new Endpoint\(/],
  ['a function', () => async () => 1, /new Endpoint\(/],
  ['a promise', () => Promise.resolve(1), /without calling it/],
  ['a resource', ({ TodoResource }) => TodoResource, /\.get, .*\.getList/],
  ['an array', ({ getTodo }) => [getTodo, { id: 1 }], /useSuspense/],
  ['an object', ({ getTodo }) => ({ ...getTodo, key: () => 'getTodo' }), /extend/],
  // An instance that holds an endpoint, as a ref of Vue does, is no resource.
  ['a Ref', ({ getTodo }) => new Ref(getTodo), /its value/],
  ['the entity Todo', () => Todo, /useQuery/],
  ['a schema', () => new All(Todo), /useQuery/],
  ['a string', () => 'getTodo', /endpoint/],
]

describe('a value that is no endpoint', () => {
  for (const name of endpointVerbs) {
    test.each(noEndpoints)(`${name}: %s`, async (found, given, hint) => {
      const board = open()
      const { controller, server } = board
      let error: unknown
      try {
        const result = takerOf(controller, name)(given(board), { id: 1 }, {})
        error = await Promise.resolve(result).then(
          () => undefined,
          (reason: unknown) => reason,
        )
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(OptionError)
      expect(error).toMatchObject({ option: 'endpoint', reason: expect.stringContaining(found) })
      expect((error as Error).message).toContain(`found ${found}`)
      expect((error as Error).message).toMatch(hint)
      expect(server.requests).toHaveLength(0)
    })
  }

  test.each(['invalidateAll', 'expireAll'] as const)('%s: an object without a key', (name) => {
    const { controller } = open()
    expect(() => verb(controller[name]).call(controller, undefined)).toThrow('found undefined')
    expect(() => verb(controller[name]).call(controller, Todo)).toThrow('found the entity Todo')
  })

  test('a snapshot reports it too', () => {
    const { controller } = open()
    const snapshot = controller.snapshot()
    expect(() => verb(snapshot.getResponse)(undefined)).toThrow('found undefined')
    expect(() => verb(snapshot.get)(undefined)).toThrow('found undefined')
  })

  test('in production the error has its facts, and nothing else', () => {
    const { controller } = open()
    vi.stubEnv('NODE_ENV', 'production')
    try {
      expect(() => verb(controller.query).call(controller, undefined)).toThrow(
        /^An endpoint is expected, found undefined\.$/,
      )
      expect(() => verb(controller.select).call(controller, undefined)).toThrow(
        /^A schema is expected, found undefined\.$/,
      )
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('a value that is no schema', () => {
  const schemaVerbs = ['get', 'set', 'select', 'invalidateBy', 'expireBy'] as const
  const noSchemas: readonly [found: string, given: (of: ReturnType<typeof open>) => unknown, hint: RegExp][] = [
    ['undefined', () => undefined, /import/],
    ['the endpoint getTodo', ({ getTodo }) => getTodo, /useQuery\(Todo/],
    ['the endpoint', ({ TodoResource }) => TodoResource.get, /useQuery\(Todo/],
    ['a resource', ({ TodoResource }) => TodoResource, /Entity/],
    ['an array', () => [Todo], /new All\(Todo\)/],
    ['a promise', () => Promise.resolve(1), /Entity/],
    ['a string', () => 'Todo', /Entity/],
    ['a function', () => (value: string) => new Date(value), /Entity/],
  ]
  for (const name of schemaVerbs) {
    test.each(noSchemas)(`${name}: %s`, (found, given, hint) => {
      const board = open()
      const call = (): unknown => verb(board.controller[name]).call(board.controller, given(board), { id: 1 }, {})
      expect(call).toThrow(OptionError)
      expect(call).toThrow(expect.objectContaining({ option: 'schema', reason: expect.stringContaining(found) }))
      expect(call).toThrow(`found ${found}`)
      expect(call).toThrow(hint)
    })
  }
})

describe('a mutation in place of a read', () => {
  const send = async (): Promise<unknown> => {
    throw new Error('sent')
  }
  const mutations = {
    'by sideEffect': new Endpoint(send, { name: 'save', sideEffect: true }),
    'by its method': new RestEndpoint({ path: '/todos', method: 'POST', name: 'save', fetch: send } as never),
    'of a read': new Endpoint(send, { name: 'save' }).extend({ sideEffect: true }),
  }
  for (const [how, save] of Object.entries(mutations)) {
    test.each(['query', 'peek', 'observe'] as const)(`%s refuses it, ${how}`, (name) => {
      const controller = new Controller()
      const call = (): unknown => takerOf(controller, name)(save, { title: 'x' })
      expect(call).toThrow(OptionError)
      expect(call).toThrow(expect.objectContaining({ option: 'sideEffect' }))
      expect(call).toThrow(/save.*mutation.*controller\.fetch/)
    })

    test(`fetchIfStale refuses it, ${how}`, async () => {
      const end = ending(verb(Controller.prototype.fetchIfStale).call(new Controller(), save, {}) as Promise<unknown>)
      await settle()
      expect(end.error).toMatchObject({ name: 'OptionError', option: 'sideEffect' })
    })
  }

  test('also under a key that a read has', () => {
    const controller = new Controller()
    const read = new Endpoint(send, { name: 'save' })
    const query = controller.query(read)
    expect(() => verb(controller.query).call(controller, mutations['of a read'])).toThrow('mutation')
    expect(controller.query(read)).toBe(query)
  })

  test('a read that is sent by POST is no mutation', () => {
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} as { q: string } })
    expect(new Controller().query(search, { q: 'x' }).getSnapshot().status).toBe('pending')
  })

  test('a mutation may be passed to fetching', () => {
    expect(new Controller().fetching(mutations['by sideEffect']).getSnapshot()).toBe(false)
  })
})

describe('a process that returns undefined', () => {
  const getList = new RestEndpoint({
    path: '/todos',
    schema: { data: new Collection([Todo]) },
    process: (value: { data: unknown }) => value.data as never,
  })

  test('is reported in development if a response was lost by it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const controller = new Controller({ transport: async () => Response.json({ id: 1, title: 'Milk' }) })
    await controller.fetch(getList.extend({ method: 'POST', schema: Todo }))
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/^process\(\) of .*\/todos returned undefined for an object/)],
    ])
    warn.mockRestore()
  })

  test('is right for an empty response, a deletion, and an endpoint without a schema', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const controller = new Controller({ transport: async () => Response.json({ id: 1 }) })
    const empty = new Controller({ transport: async () => new Response(null, { status: 204 }) })
    const process = () => undefined as never
    const create = new RestEndpoint({ path: '/todos', method: 'POST', schema: Todo, process })
    await empty.fetch(create)
    await controller.fetch(create.extend({ method: 'DELETE' }))
    await controller.fetch(create.extend({ schema: undefined }))
    expect(warn.mock.calls).toEqual([])
    warn.mockRestore()
  })
})

test('a relative URL outside a page: the error asks for urlPrefix, and not for the connection', async () => {
  const error = await new RestEndpoint({ path: '/todos' })().catch((thrown) => thrown)
  expect(error.message).toContain('GET /todos got no response. Is urlPrefix missing?')
  expect(error.message).not.toContain('connection')
})

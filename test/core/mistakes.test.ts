import {
  All,
  batch,
  Collection,
  Controller,
  countBy,
  Endpoint,
  Entity,
  LogoutManager,
  NetworkError,
  OptionError,
  poll,
  Query,
  RestEndpoint,
  resource,
  retry,
  revalidate,
} from '@roundtable/core'
import { backend } from '@roundtable/core/backend'
import { checkServer } from '@roundtable/core/check'
import { http, withHttp } from '@roundtable/core/http'
import { live } from '@roundtable/core/live'
import { offline, outbox } from '@roundtable/core/offline'
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
  'watch',
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
      expect(() => verb(controller.watch).call(controller, undefined)).toThrow(
        /^An endpoint is expected, found undefined\.$/,
      )
      expect(() => verb(controller.view).call(controller, undefined)).toThrow(
        /^A schema is expected, found undefined\.$/,
      )
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('an option of another kind', () => {
  const getTodo = new RestEndpoint({ path: '/todos/:id', schema: Todo, name: 'getTodo' })
  const listWith = (options: object) => () => new Collection([Todo], options)
  test.each<[what: string, make: () => unknown, message: RegExp]>([
    ['compare', listWith({ compare: 'title' }), /'compare' of a Collection must be a function, found the text "title"/],
    ['belongs', listWith({ belongs: true }), /'belongs' of a Collection must be a function, found boolean true/],
    ['argsKey', listWith({ argsKey: {} }), /'argsKey' of a Collection must be a function, found an object/],
    ['nonFilterArgumentKeys', listWith({ nonFilterArgumentKeys: 'sort' }), /must be an array of names, a pattern or/],
    ['schema', () => getTodo.extend({ schema: getTodo as never }), /of getTodo has the endpoint getTodo at \$\. Use/],
    [
      'schema',
      () => new RestEndpoint({ path: '/a', schema: { todo: getTodo } as never }),
      /of \/a has the endpoint getTodo at \$\.todo/,
    ],
  ])('%s is refused where it is written', (option, make, message) => {
    expect(make).toThrow(OptionError)
    expect(make).toThrow(message)
    expect(make).toThrow(expect.objectContaining({ option }))
    vi.stubEnv('NODE_ENV', 'production')
    expect(make).not.toThrow()
    vi.unstubAllEnvs()
  })

  test('what a Collection may have instead is not', () => {
    const names = ['sort', /sort/, () => true]
    for (const nonFilterArgumentKeys of names.map((name) => (typeof name === 'string' ? [name] : name)))
      expect(listWith({ nonFilterArgumentKeys, compare: undefined })).not.toThrow()
  })

  test('a body without JSON, and a getRequestInit that returns nothing, are errors that say so', async () => {
    const transport = vi.fn(async () => Response.json({}))
    const save = new RestEndpoint({ path: '/todos', method: 'POST', transport })
    const ring: { self?: object } = {}
    ring.self = ring
    const wrong = expect.objectContaining({ name: 'OptionError', option: 'body', cause: expect.any(TypeError) })
    await expect(save(ring)).rejects.toEqual(wrong)
    await expect(save({ size: 5n })).rejects.toThrow(/'body' cannot be JSON \(TypeError: .*BigInt.*Pass plain data/)
    await expect(new Controller().fetch(save, ring)).rejects.toEqual(wrong)
    const silent = save.extend({ getRequestInit: (() => {}) as never })
    await expect(silent({})).rejects.toThrow("'getRequestInit' must return the options of fetch, found undefined.")
    expect(transport).not.toHaveBeenCalled()
  })

  test('the error of a response without URL has its sentence', () => {
    expect(new NetworkError(new Response(null, { status: 422 })).message).toMatch(/^GET responded with 422\./)
    const sent = { method: 'PUT', url: 'https://api.test/a' }
    expect(new NetworkError(new Response(null, { status: 500 }), sent).message).toMatch(
      /^PUT https:\/\/api.test\/a responded with 500\./,
    )
  })
})

describe('a value that is no schema', () => {
  const schemaVerbs = ['get', 'set', 'view', 'invalidateBy', 'expireBy'] as const
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
    test.each(['watch', 'peek', 'observe'] as const)(`%s refuses it, ${how}`, (name) => {
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
    const query = controller.watch(read)
    expect(() => verb(controller.watch).call(controller, mutations['of a read'])).toThrow('mutation')
    expect(controller.watch(read)).toBe(query)
  })

  test('a read that is sent by POST is no mutation', () => {
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body: {} as { q: string } })
    expect(new Controller().watch(search, { q: 'x' }).getSnapshot().status).toBe('pending')
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

describe('a wrong option', () => {
  /** What JavaScript may hand over. */
  const wrong = (options: unknown): never => options as never

  test.each<[option: string, value: unknown, needed: string]>([
    ['path', 5, 'a string, found number 5'],
    ['urlPrefix', 5, 'a string, found number 5'],
    ['pollFrequency', '5', 'a number, found the text "5"'],
    ['invalidIfStale', 'yes', 'a boolean, found the text "yes"'],
    ['errorPolicy', 'soft', 'a function, found the text "soft"'],
    ['getHeaders', {}, 'a function, found an object'],
    ['retry', 3, 'an object, found number 3'],
    ['parts', {}, 'a list, found an object: write parts: [also(…)]'],
    ['requestInit', 'cors', 'an object, found the text "cors"'],
  ])('%s: %j is refused where it is written', (option, value, needed) => {
    const make = () => new RestEndpoint(wrong({ name: 'getTodos', path: '/todos', [option]: value }))
    const extend = () => new RestEndpoint({ path: '/todos' }).extend(wrong({ [option]: value }))
    for (const define of [make, extend]) {
      expect(define).toThrow(OptionError)
      expect(define).toThrow(expect.objectContaining({ option }))
      expect(define).toThrow(`must be ${needed}.`)
    }
    expect(make).toThrow(`Option '${option}' of getTodos`)
  })

  test.each(['retry', 'batch', 'scope', 'signal'])('%s: null is none', async (name) => {
    const getTime = new Endpoint(async () => 'now', { name: 'getTime', [name]: null })
    expect(await getTime()).toBe('now')
    const controller = new Controller()
    expect(await controller.fetch(getTime)).toBe('now')
    controller.dispose()
  })

  test('undefined is none, and nothing is checked in production', () => {
    const none = { urlPrefix: undefined, errorPolicy: undefined, requestInit: undefined, retry: undefined }
    expect(new RestEndpoint(wrong({ path: '/todos', ...none })).urlPrefix).toBe('')
    vi.stubEnv('NODE_ENV', 'production')
    expect(() => new RestEndpoint(wrong({ path: '/todos', retry: 3 }))).not.toThrow()
    vi.unstubAllEnvs()
  })

  test.each([undefined, null, '/todos'])('options that are %j', (options) => {
    expect(() => new RestEndpoint(wrong(options))).toThrow("Options must be an object, as in { path: '/todos' }, found")
    expect(() => new RestEndpoint({ path: '/todos' }).extend(wrong(options))).toThrow(OptionError)
  })

  test('a resource without a path', () => {
    expect(() => resource(wrong({ schema: Todo }))).toThrow("as in '/todos/:id'")
  })

  test('a fetchResponse that returns the data', async () => {
    const error = await new RestEndpoint({ path: '/todos', fetchResponse: async () => wrong({ id: 5 }) })().catch(
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ name: 'OptionError', option: 'fetchResponse' })
  })
})

test('a relative URL outside a page: the error asks for urlPrefix, and not for the connection', async () => {
  const error = await new RestEndpoint({ path: '/todos' })().catch((thrown) => thrown)
  expect(error.message).toContain('GET /todos got no response. Is urlPrefix missing?')
  expect(error.message).not.toContain('connection')
})

test.each([5, null, 'title', {}])(
  '%j in place of a function of a schema is an OptionError where it is defined',
  (given) => {
    // What JavaScript lets through.
    const wrong = given as never
    for (const define of [
      () => new Collection([Todo], { compare: wrong }),
      () => new Collection([Todo], { belongs: wrong }),
      () => new All(Todo, { compare: wrong }),
      () => new All(Todo, { belongs: wrong }),
      () => new Query(new All(Todo), wrong),
      () => countBy(new All(Todo), wrong),
    ])
      expect(define).toThrow(OptionError)
  },
)

test('an endpoint without REST may have members of its author’s own with the names of REST’s options', async () => {
  const own = { url: '/time', content: 5, method: 7, path: ['a'], process: 'daily', getHeaders: null }
  const getTime = new Endpoint(async (zone: string) => `noon in ${zone}`, { name: 'getTime', ...own })
  expect({ ...getTime }).toMatchObject(own)
  expect(await new Controller({ retry: retry(1) }).fetch(getTime.extend({ content: 6 }), 'UTC')).toBe('noon in UTC')
  const broken = new Endpoint(() => Promise.reject(Object.assign(new Error('busy'), { status: 503 })), {
    name: 'broken',
    sideEffect: true,
    ...own,
  })
  await expect(new Controller({ retry: retry({ limit: 1, delay: () => 0 }) }).fetch(broken)).rejects.toThrow('busy')
  expect(() => new RestEndpoint({ ...own, path: '/todos' } as never)).toThrow(OptionError)
})

test.each([
  ['a manager without a list', revalidate(), 'must be a list, found an object.'],
  ['a function that was not called', [revalidate], 'must be a list of managers, found a function in it.'],
  ['a class without new', [LogoutManager], 'must be a list of managers, found a function in it.'],
  ['nothing, as from a condition', [undefined], 'must be a list of managers, found undefined in it.'],
])('%s among the managers of a controller is refused', (_, managers, text) => {
  const make = (): Controller => new Controller({ managers: managers as never })
  expect(make).toThrow(OptionError)
  expect(make).toThrow(text)
})

test('live without messages, and offline without options, say what is missing', () => {
  const wire = async function* () {} as never
  expect(() => live({ name: 'todos', url: '/events', wire } as never)).toThrow(
    "'live.messages' must be schemas by the names of messages, found nothing.",
  )
  expect(() => offline(undefined as never)).toThrow("'offline.log' is missing.")
})

describe('a function of an entry point that is called with something else', () => {
  const TodoResource = resource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo })
  const rest = RestEndpoint
  test.each<[call: string, make: (wrong: never) => unknown, wrong: unknown, message: string]>([
    ['batch()', batch, undefined, "options of batch must be an object, found nothing: write batch({ path: '/todos?id="],
    [
      'batch(path)',
      batch,
      '/todos?id=:ids',
      'options of batch must be an object, found the text "/todos?id=:ids": write',
    ],
    ['http()', http, undefined, 'options of http must be an object, found nothing: write http({ cache: true }).'],
    [
      'withHttp(options)',
      withHttp as never,
      { etag: true },
      'class of withHttp must be RestEndpoint or a subclass, found',
    ],
    ['withHttp()', withHttp as never, undefined, 'or a subclass, found nothing: write withHttp(RestEndpoint, { etag'],
    [
      'withHttp(resource)',
      (it) => withHttp(it, {}),
      TodoResource,
      'must be RestEndpoint or a subclass, found an object',
    ],
    [
      'withHttp(endpoint)',
      (it) => withHttp(it, {}),
      TodoResource.get,
      'must be RestEndpoint or a subclass, found func',
    ],
    [
      'withHttp(entity)',
      (it) => withHttp(it, {}),
      Todo,
      'must be RestEndpoint or a subclass, found function Todo: write',
    ],
    ['withHttp(class)', (it) => withHttp(rest, it), undefined, 'options of withHttp must be an object, found nothing'],
    [
      'withHttp(class, true)',
      (it) => withHttp(rest, it),
      true,
      'options of withHttp must be an object, found boolean true',
    ],
    ['live()', live, undefined, 'options of live must be an object, found nothing: write live({ name, url'],
    [
      'outbox({ entity })',
      outbox,
      { Todo },
      "'outbox.Todo' must be a resource or an endpoint, found function Todo. Write",
    ],
    [
      'outbox(entity)',
      outbox,
      Todo,
      "'outbox' must be resources and endpoints by name, found function Todo. Write outbox(",
    ],
    ['outbox([resource])', outbox, [TodoResource], "'outbox' must be resources and endpoints by name, found an array."],
    [
      'outbox({ text })',
      outbox,
      { todos: '/todos' },
      `'outbox.todos' must be a resource or an endpoint, found the text`,
    ],
    [
      'backend(entity)',
      backend,
      Todo,
      "'resources' of a backend have no endpoint, found function Todo. Pass resources or",
    ],
    [
      'backend(…, null)',
      (it) => backend({ TodoResource }, it),
      null,
      'options of backend must be an object, found null',
    ],
    [
      'a seed',
      (seed) => backend({ TodoResource }, { seed }),
      { Todo: { id: 1 } },
      'have a list of rows for Todo, found an',
    ],
    [
      'answers',
      (answers) => backend({ TodoResource }, { answers }),
      {},
      "'answers' of a backend must be a list, found an",
    ],
    [
      'an answer',
      (it) => backend({ TodoResource }, { answers: [it] }),
      null,
      "'response' of an answer of a backend must",
    ],
  ])('%s', (_, make, wrong, message) => {
    const define = () => make(wrong as never)
    expect(define).toThrow(OptionError)
    expect(define).toThrow(message)
  })

  test.each<[what: string, wrong: unknown, found: string]>([
    ['a class', Todo, 'found function Todo. Pass what resource() returns.'],
    ['a function', (): void => {}, 'found a function. Pass what resource() returns.'],
    ['nothing', undefined, 'found nothing. Pass what resource() returns.'],
  ])('checkServer of %s', async (_, wrong, found) => {
    const error: Error = await checkServer(wrong as never).then(
      () => new Error('none'),
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(OptionError)
    expect(error.message).toContain(found)
  })

  test('whatever has endpoints is right: modules with entities beside them, and lists for a backend', async () => {
    const module = Object.assign(Object.create(null), { TodoResource, Todo, [Symbol.toStringTag]: 'Module' })
    expect(outbox(module).endpoints).toBe(module)
    expect(outbox({ TodoResource, getTodo: TodoResource.get })).toBeDefined()
    const api = backend([TodoResource], { seed: { Todo: [{ id: 1, title: 'Milk' }] } })
    const controller = new Controller({ transport: api.transport })
    expect(await controller.fetch(TodoResource.getList)).toMatchObject([{ id: 1, title: 'Milk' }])
    controller.dispose()
  })

  test('in production nothing is checked', () => {
    vi.stubEnv('NODE_ENV', 'production')
    try {
      expect(() => outbox({ Todo })).not.toThrow()
      expect(() => batch(undefined as never)).not.toThrow(OptionError)
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

import {
  All,
  Controller,
  Endpoint,
  type EndpointInterface,
  Entity,
  OptionError,
  poll,
  RestEndpoint,
  resource,
  type Schema,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { FakeServer } from './fake-server.js'
import { ending, openBoard, Todo } from './todo-board.js'

// Scripts and `any` hand in what types refuse.
const anything = (value: unknown): never => value as never
type Verb = Exclude<keyof Controller, 'snapshot'>
const untyped = (controller: Controller) =>
  controller as unknown as Record<Verb, (...args: readonly unknown[]) => Promise<unknown>>

describe('input that cannot be read is refused, and no request is sent', () => {
  const reads: Record<string, (controller: Controller, given: unknown) => unknown> = {
    query: (controller, given) => untyped(controller).watch(given, { id: '1' }),
    peek: (controller, given) => untyped(controller).peek(given, { id: '1' }),
    'observe(poll)': (controller, given) => untyped(controller).observe(poll, given, { id: '1' }),
  }

  test.each(Object.entries(reads))(
    'a mutation given to %s: an error that names it and says what to write',
    async (_, take) => {
      const { controller, patch, server } = openBoard()
      const read = () => take(controller, patch)
      expect(read).toThrow(OptionError)
      expect(read).toThrow(/patch.*controller\.fetch/)
      await settle()
      expect(server.requests).toHaveLength(0)
    },
  )

  test('a mutation given to fetchIfStale: a rejection', async () => {
    const { controller, patch, server } = openBoard()
    const end = ending(untyped(controller).fetchIfStale(patch, { id: '1' }))
    await settle()
    expect(end.error).toBeInstanceOf(OptionError)
    expect(server.requests).toHaveLength(0)
  })

  test('every mutation of a resource, by its accessors too', () => {
    const { controller } = openBoard()
    const R = resource({ path: '/todos/:id', schema: Todo })
    const mutations = [R.create, R.update, R.partialUpdate, R.delete, R.getList.push, R.getList.move, R.getList.remove]
    for (const mutation of mutations)
      expect(() => untyped(controller).watch(mutation, { id: '1' }, {})).toThrow(OptionError)
    expect(() => controller.watch(R.get, { id: 1 })).not.toThrow()
    const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false })
    expect(() => untyped(controller).watch(search, { text: 'a' })).not.toThrow()
  })

  const strangers: Record<string, unknown> = {
    undefined: undefined,
    null: null,
    'a function': () => Promise.resolve(1),
    'a promise': Promise.resolve(1),
    'a resource': resource({ path: '/todos/:id', schema: Todo }),
    'an array': [],
    'an entity class': Todo,
    'a text': '/todos',
  }

  test.each(Object.entries(strangers))('%s in place of an endpoint: an error that reports it', async (_, given) => {
    const { controller } = openBoard()
    for (const read of Object.values(reads)) expect(() => read(controller, given)).toThrow(/endpoint is expected/)
    for (const verb of ['fetching', 'getResponse', 'getError', 'invalidate'] as const) {
      expect(() => untyped(controller)[verb](given, { id: '1' })).toThrow(/endpoint is expected/)
    }
    const end = ending(untyped(controller).fetch(given))
    await settle()
    expect(end.error).toBeInstanceOf(OptionError)
  })

  test('an endpoint, or nothing, in place of a schema: an error that names it', () => {
    const { controller, getTodo } = openBoard()
    for (const given of [getTodo, undefined]) {
      expect(() => untyped(controller).view(given, { id: '1' })).toThrow(/schema is expected/)
      expect(() => untyped(controller).get(given, { id: '1' })).toThrow(/schema is expected/)
      expect(() => untyped(controller).set(given, { id: '1' }, {})).toThrow(/schema is expected/)
    }
    expect(() => controller.view(new All(Todo))).not.toThrow()
  })
})

test('every verb may be detached from a controller', async () => {
  const server = new FakeServer()
  const getTodo = new Endpoint(server.on<[{ id: string }]>('getTodo'), { name: 'getTodo', schema: Todo })
  const { fetch, set, get, watch, notifyOnce, resetEntireStore, on, dispose, ...others } = new Controller({
    env: new HandClock(),
  }) as Controller & Record<string, unknown>
  expect(Object.keys(others)).toEqual([])
  const events: string[] = []
  on('commit', () => events.push('commit'))
  notifyOnce(() => set(Todo, { id: '1' }, { title: 'set' }))
  expect(get(Todo, { id: '1' })?.title).toBe('set')
  const end = ending(fetch(getTodo, { id: '1' }))
  await server.one('getTodo').answer({ id: '1', title: 'fetched' })
  expect(end.value).toMatchObject({ title: 'fetched' })
  expect(watch(getTodo, { id: '1' }).getSnapshot()).toMatchObject({ status: 'ready' })
  resetEntireStore()
  expect(get(Todo, { id: '1' })).toBeUndefined()
  dispose()
  expect(events.length).toBeGreaterThan(0)
})

test('each public verb is bound, also one that a subclass overrides', () => {
  class Mine extends Controller {
    override resetEntireStore(): void {
      this.set(Todo, { id: '1' }, { title: 'mine' })
    }
  }
  const controller = new Mine({ env: new HandClock() })
  const { resetEntireStore, get } = controller
  resetEntireStore()
  expect(get(Todo, { id: '1' })?.title).toBe('mine')
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(Controller.prototype))) {
    if (name !== 'constructor' && typeof value === 'function') expect(Object.hasOwn(controller, name), name).toBe(true)
  }
})

test('a manager whose stop throws is reported; all others stop, and so do polls', async () => {
  const cause = new Error('mine')
  const stopped: string[] = []
  const bad = { start: () => () => void throwIt(cause) }
  const good = { start: () => () => void stopped.push('good') }
  const { controller, clock, getTodo, server, reported } = openBoard({ managers: [bad, good] })
  controller.observe(poll, getTodo.extend({ pollFrequency: 1_000 }), { id: '1' }).subscribe(() => {})
  await settle()
  const sent = server.requests.length
  controller.dispose()
  await clock.advance(60_000)
  expect(stopped).toEqual(['good'])
  expect(reported).toMatchObject([{ name: 'CallbackError', cause }])
  expect(server.requests).toHaveLength(sent)
  expect(clock.pending).toBe(0)
})

function throwIt(error: Error): never {
  throw error
}

describe('H17: an entity class with a method then', () => {
  class Step extends Entity {
    static override key = 'Step'
    id = ''
    // biome-ignore lint/suspicious/noThenProperty: what is tested
    then(): string {
      return 'next'
    }
  }

  const open = (schema: Schema) => {
    const { controller, server } = openBoard()
    const getStep: EndpointInterface<() => Promise<unknown>, undefined, undefined> = anything(
      new Endpoint(server.on<[]>('getStep'), { name: 'getStep', schema }),
    )
    return { controller, server, getStep }
  }

  test('fetch rejects with the reason; readers show it', async () => {
    const { controller, server, getStep } = open(Step)
    const end = ending(controller.fetch(getStep))
    await server.one('getStep').answer({ id: '1' })
    expect(end.error).toMatchObject({ name: 'SchemaError', message: expect.stringContaining("method 'then'") })
    expect(controller.watch(getStep).getSnapshot().data).toBeInstanceOf(Step)
    const again = ending(controller.fetchIfStale(getStep))
    await settle()
    expect(again.error).toMatchObject({ name: 'SchemaError' })
  })

  test('in a list it does no harm', async () => {
    const { controller, server, getStep } = open([Step])
    const end = ending(controller.fetch(getStep))
    await server.one('getStep').answer([{ id: '1' }])
    expect(end.value).toMatchObject([{ id: '1' }])
  })
})

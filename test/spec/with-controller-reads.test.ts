import { Collection, Entity, ExpiryStatus, NetworkError, poll, type RequestError, RestEndpoint } from '@roundtable/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { soon, withResponses } from './with-responses.js'
import { withServer } from './with-server.js'

const server = withServer()
const bench = withResponses(server)
const { http, json, stub, sent, mount } = bench

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  get shout(): string {
    return `${this.title}!`
  }
}

const getTodo = new RestEndpoint({ ...http, path: '/todos/:id', schema: Todo })
const getTodos = new RestEndpoint({
  ...http,
  path: '/todos',
  searchParams: {} as { a?: number; b?: number } | undefined,
  schema: new Collection([Todo]),
})
const one = { id: '1' }

beforeEach(() => {
  json('GET /todos/1', { id: '1', title: 'Milk' })
  json('GET /todos', [
    { id: '1', title: 'Milk' },
    { id: '2', title: 'Eggs' },
  ])
})

/** Mounts a read and waits until it shows something. */
async function shown(endpoint: typeof getTodo) {
  const query = bench.controller.watch(endpoint, one)
  mount(query)
  await soon(() => expect(query.getSnapshot().status).not.toBe('pending'))
  return query
}

/** Waits until nothing is on its way. */
async function quiet(endpoint: typeof getTodo): Promise<void> {
  await bench.clock.advance(0)
  await soon(() => expect(bench.controller.fetching(endpoint, one).getSnapshot()).toBe(false))
}

describe('What a read returns', () => {
  test('when an endpoint has a schema, Controller.fetch returns values shaped by the schema', async () => {
    const todo = await bench.controller.fetch(getTodo, one)
    expect(todo).toBeInstanceOf(Todo)
    expect(todo.shout).toBe('Milk!')
    const todos = await bench.controller.fetch(getTodos)
    expect(todos.map(({ shout }) => shout)).toEqual(['Milk!', 'Eggs!'])
    expect(todos[0]).toBe(bench.controller.get(Todo, one))
  })

  test('when an endpoint has a schema, data-binding hooks return values shaped by the schema', async () => {
    const query = await shown(getTodo)
    expect(query.getSnapshot().data).toBeInstanceOf(Todo)
    expect(bench.controller.peek(getTodo, one).getSnapshot()).toBe(query.getSnapshot().data)
  })

  test('with a schema, process shapes the result of calling the endpoint directly', async () => {
    const renamed = getTodo.extend({ process: (value: { title: string }) => ({ ...value, title: 'processed' }) })
    const direct = await renamed(one)
    expect(direct).not.toBeInstanceOf(Todo)
    expect(direct).toEqual({ id: '1', title: 'processed' })
    expect(await bench.controller.fetch(renamed, one)).toBeInstanceOf(Todo)
  })

  test('without a schema, process determines the resolution value', async () => {
    const getTitle = new RestEndpoint({
      ...http,
      path: '/todos/:id',
      process: ({ title }: { title: string }, { id }: { id: string }) => `${id} ${title}`,
    })
    expect(await bench.controller.fetch(getTitle, one)).toBe('1 Milk')
    expect(bench.controller.getResponse(getTitle, one).data).toBe('1 Milk')
  })

  test('process may add a missing primary key to the value from the URL parameters', async () => {
    json('GET /todos/7', { title: 'Tea' })
    const withId = getTodo.extend({ process: (value: object, { id }: { id: string }) => ({ ...value, id }) })
    expect(await bench.controller.fetch(withId, { id: '7' })).toEqual(Todo.fromJS({ id: '7', title: 'Tea' }))
    expect(bench.controller.get(Todo, { id: '7' })?.title).toBe('Tea')
  })
})

describe('Lifetimes and errors', () => {
  test('dataExpiryLength and errorExpiryLength: the default is the value set in the network manager', async () => {
    const controller = bench.open({ dataExpiryLength: 5_000, errorExpiryLength: 70 })
    await controller.fetch(getTodo, one)
    expect(controller.getResponse(getTodo, one).expiresAt).toBe(bench.clock.now() + 5_000)
    stub('GET /todos/2', { status: 500 })
    const failing = controller.watch(getTodo, { id: '2' })
    const stop = mount(failing)
    await soon(() => expect(failing.getSnapshot().status).toBe('failed'))
    stop()
    await bench.clock.advance(69)
    expect(failing.getSnapshot().status).toBe('failed')
    await bench.clock.advance(1)
    expect(failing.getSnapshot().status).toBe('pending')
  })

  test("dataExpiryLength: custom data cache lifetime for this endpoint; overrides the manager's value", async () => {
    const short = getTodo.extend({ dataExpiryLength: 300 })
    await bench.controller.fetchIfStale(short, one)
    await bench.clock.advance(299)
    await bench.controller.fetchIfStale(short, one)
    expect(sent()).toHaveLength(1)
    await bench.clock.advance(1)
    await bench.controller.fetchIfStale(short, one)
    expect(sent()).toHaveLength(2)
  })

  test('errorExpiryLength sets how long an error is stored', async () => {
    stub('GET /todos/1', { status: 500 })
    const query = await shown(getTodo.extend({ errorExpiryLength: 5_000 }))
    expect(query.getSnapshot().status).toBe('failed')
    await bench.clock.advance(4_999)
    mount(query)
    await quiet(getTodo)
    expect(sent()).toHaveLength(1)
    json('GET /todos/1', { id: '1', title: 'Back' })
    await bench.clock.advance(1)
    mount(query)
    await soon(() => expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'Back' } }))
    expect(sent()).toHaveLength(2)
  })

  /** Stale data is on screen, and asking again fails. */
  async function failOver(endpoint: typeof getTodo, status: number) {
    await bench.controller.fetch(endpoint, one)
    await bench.clock.advance(60_000)
    stub('GET /todos/1', { status })
    const query = await shown(endpoint)
    expect(query.getSnapshot().data?.title).toBe('Milk')
    await soon(() => expect(sent()).toHaveLength(2))
    await quiet(endpoint)
    return query
  }
  const soft = getTodo.extend({
    errorPolicy: (error: RequestError) => (error.status >= 500 ? 'soft' : undefined),
  })

  test("error and errorPolicy returns 'soft': stale data is used", async () => {
    const query = await failOver(soft, 503)
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'Milk' } })
    expect(bench.controller.getError(soft, one)).toBeUndefined()
  })

  test("error and errorPolicy returns 'soft': stale data is used if it exists, else the error surfaces", async () => {
    stub('GET /todos/1', { status: 503 })
    const query = await shown(soft)
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 503 } })
  })

  test('error and errorPolicy returns undefined: the error surfaces', async () => {
    const query = await failOver(soft, 404)
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 404 } })
  })

  test('error and errorPolicy is absent: the error surfaces', async () => {
    const query = await failOver(getTodo, 503)
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 503 } })
    expect(bench.controller.getError(getTodo, one)).toBeInstanceOf(NetworkError)
  })

  test('an error always reaches the caller of Controller.fetch, whatever the policy', async () => {
    stub('GET /todos/1', { status: 503 })
    await expect(bench.controller.fetch(soft, one)).rejects.toBeInstanceOf(NetworkError)
  })

  test('invalidIfStale: true means stale data is unusable and is not returned from the cache', async () => {
    const strict = getTodo.extend({ invalidIfStale: true })
    await bench.controller.fetch(strict, one)
    expect(bench.controller.getResponse(strict, one).expiryStatus).toBe(ExpiryStatus.InvalidIfStale)
    await bench.clock.advance(60_000)
    expect(bench.controller.watch(strict, one).getSnapshot()).toMatchObject({ status: 'pending', data: undefined })
    expect(bench.controller.watch(getTodo, one).getSnapshot()).toMatchObject({ status: 'ready' })
  })

  test('pollFrequency only has an effect when used with useSubscription() or useLive()', async () => {
    const polled = getTodo.extend({ pollFrequency: 1_000 })
    await shown(polled)
    await bench.clock.advance(10_000)
    expect(sent()).toHaveLength(1)
    const stop = mount(bench.controller.observe(poll, polled, one))
    await bench.clock.advance(0)
    await soon(() => expect(sent()).toHaveLength(2))
    await quiet(polled)
    json('GET /todos/1', { id: '1', title: 'Polled' })
    await bench.clock.advance(999)
    expect(sent()).toHaveLength(2)
    await bench.clock.advance(1)
    await soon(() => expect(bench.controller.get(Todo, one)?.title).toBe('Polled'))
    await quiet(polled)
    stop()
    await bench.clock.advance(10_000)
    expect(sent()).toHaveLength(3)
  })
})

describe('Related records: entity', () => {
  class Money {
    readonly cents: number
    constructor(text: string) {
      this.cents = Math.round(Number(text) * 100)
    }
  }
  class Ticket extends Entity {
    static override key = 'Ticket'
    static override schema = { opened: Date, votes: Number, fee: Money, day: (iso: string) => iso.slice(0, 10) }
    project = ''
    number = 0
    opened: Date = new Date(0)
    votes = 0
    fee: Money = new Money('0')
    day = ''
    override pk(): string {
      return `${this.project}-${this.number}`
    }
  }
  const getTicket = new RestEndpoint({ ...http, path: '/tickets/:number', schema: Ticket })
  const iso = '2026-01-02T03:04:05.000Z'
  beforeEach(() => {
    json('GET /tickets/7', { project: 'RT', number: 7, opened: iso, votes: '5', fee: '1.25', day: iso })
  })

  test('has a primary-key method pk() returning a string', async () => {
    const ticket = await bench.controller.fetch(getTicket, { number: 7 })
    expect(ticket.pk()).toBe('RT-7')
    expect(bench.controller.get(Ticket, { project: 'RT', number: 7 })).toBe(ticket)
    expect(bench.controller.get(Ticket, { project: 'RT', number: 8 })).toBeUndefined()
  })

  test('static key: string name of the entity kind', async () => {
    class Preview extends Entity {
      static override key = 'Ticket'
      project = ''
      number = 0
      override pk(): string {
        return `${this.project}-${this.number}`
      }
    }
    class Other extends Preview {
      static override key = 'Other'
    }
    await bench.controller.fetch(getTicket, { number: 7 })
    expect(bench.controller.get(Preview, { project: 'RT', number: 7 })).toMatchObject({ project: 'RT', number: 7 })
    expect(bench.controller.get(Other, { project: 'RT', number: 7 })).toBeUndefined()
  })

  test('static schema: a deserializer is a constructor or a function taking the serialized value', async () => {
    const ticket = await bench.controller.fetch(getTicket, { number: 7 })
    expect(ticket.opened).toEqual(new Date(iso))
    expect(ticket.votes).toBe(5)
    expect(ticket.fee).toEqual(new Money('1.25'))
    expect(ticket.fee).toBeInstanceOf(Money)
    expect(ticket.day).toBe('2026-01-02')
  })

  test('the static schema is optional', async () => {
    expect(Todo.schema).toEqual({})
    expect(await bench.controller.fetch(getTodo, one)).toMatchObject({ id: '1', title: 'Milk' })
  })
})

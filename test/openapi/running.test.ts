import { Controller, pagesOf } from '@roundtable/core'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import * as payments from './generated/payments/roundtable.gen.js'
import * as pets from './generated/pets/roundtable.gen.js'
import * as tasks from './generated/tasks/roundtable.gen.js'

const controllers: Controller[] = []
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.dispose()
})

/** A controller that sends its requests to a server in memory. */
function controllerOf(app: Hono): Controller {
  const transport = async (input: string | URL | Request, init: RequestInit) =>
    app.fetch(new Request(new URL(String(input), 'http://localhost'), init))
  const controller = new Controller({ transport })
  controllers.push(controller)
  return controller
}

describe('the code of tasks, in the manner of FastAPI, with a server', () => {
  const ada = { id: 1, name: 'Ada', email: null }
  const task = (id: string, owner_id = 1) => ({
    id,
    title: `Task ${id}`,
    owner_id,
    owner: ada,
    done: false,
    created_at: '2026-01-01T00:00:00Z',
  })

  function server(): Hono {
    const all = new Map([1, 2, 3].map((n) => [`t${n}`, task(`t${n}`)]))
    const app = new Hono()
    app.get('/users/', (c) => c.json([ada].slice(Number(c.req.query('skip') ?? 0))))
    app.get('/users/1', (c) => c.json({ ...ada, tasks: [...all.values()] }))
    app.patch('/users/1', async (c) => c.json({ ...ada, ...(await c.req.json()) }))
    app.delete('/users/1', (c) => c.json({ ok: true }))
    app.get('/tasks/', (c) => {
      const items = [...all.values()]
      const from = c.req.query('cursor') === undefined ? 0 : 2
      const next_cursor = from === 0 ? 'after-2' : null
      return c.json({ items: items.slice(from, from + 2), total: items.length, next_cursor })
    })
    app.post('/tasks/', async (c) => {
      const made = { ...task('t9'), ...(await c.req.json()) }
      all.set('t9', made)
      return c.json(made, 201)
    })
    app.post('/tasks/:id/complete', (c) => c.json({ ...task(c.req.param('id')), done: true }))
    app.delete('/tasks/:id', (c) => c.body(null, all.delete(c.req.param('id')) ? 204 : 404))
    app.post('/token', async (c) => {
      const { username } = await c.req.parseBody()
      return c.json({ access_token: `of ${username}`, token_type: c.req.header('content-type')?.split(';')[0] })
    })
    return app
  }

  test('one row is one object in lists, details and other rows, whichever class shows it', async () => {
    const controller = controllerOf(server())
    await controller.fetch(tasks.readTasksTasksGet)
    const user = await controller.fetch(tasks.readUserUsersUserIdGet, { id: 1 })
    const list = controller.getResponse(tasks.readTasksTasksGet).data?.items
    expect(user.tasks[0]).toBe(list?.[0])
    expect(user.tasks[0]).toBeInstanceOf(tasks.TaskPublic)
    await controller.fetch(tasks.updateUserUsersUserIdPatch, { id: 1 }, { name: 'Ada Lovelace' })
    expect(controller.get(tasks.TaskPublic, { id: 't1' })?.owner?.name).toBe('Ada Lovelace')
    expect(controller.getResponse(tasks.readUserUsersUserIdGet, { id: 1 }).data?.name).toBe('Ada Lovelace')
  })

  test('what is created enters its list, what is completed changes there, and what is deleted leaves it', async () => {
    const controller = controllerOf(server())
    await controller.fetch(tasks.readTasksTasksGet, { owner_id: 1 })
    const ids = () => controller.getResponse(tasks.readTasksTasksGet, { owner_id: 1 }).data?.items?.map(({ id }) => id)
    await controller.fetch(tasks.createTaskTasksPost, { title: 'New', owner_id: 1 })
    expect(ids()).toEqual(['t1', 't2', 't9'])
    await controller.fetch(tasks.createTaskTasksPost, { title: 'Of another', owner_id: 2 })
    await controller.fetch(tasks.completeTaskTasksTaskIdCompletePost, { task_id: 't2' })
    expect(controller.get(tasks.TaskPublic, { id: 't2' })?.done).toBe(true)
    await controller.fetch(tasks.deleteTaskTasksTaskIdDelete, { id: 't1' })
    expect(ids()).not.toContain('t1')
  })

  test('a deletion takes the row away whatever the server answers', async () => {
    const controller = controllerOf(server())
    await controller.fetch(tasks.readUsersUsersGet)
    await controller.fetch(tasks.deleteUserUsersUserIdDelete, { id: 1 })
    expect(controller.getResponse(tasks.readUsersUsersGet).data).toEqual([])
  })

  test('pages go on by the cursor of the response, to the last one', async () => {
    const controller = controllerOf(server())
    const pages = pagesOf(controller, tasks.readTasksTasksGet, {})
    await pages.load()
    expect(pages.getSnapshot()).toMatchObject({ hasNext: true, data: { total: 3 } })
    await pages.fetchNext()
    expect(pages.getSnapshot().data?.items?.map(({ id }) => id)).toEqual(['t1', 't2', 't3'])
    expect(pages.getSnapshot().hasNext).toBe(false)
  })

  test('a form is sent as one', async () => {
    const token = await controllerOf(server()).fetch(tasks.loginTokenPost, { username: 'ada & co', password: 'x' })
    expect(token).toEqual({ access_token: 'of ada & co', token_type: 'application/x-www-form-urlencoded' })
  })
})

describe('the code of payments, in the manner of Stripe, with a server', () => {
  const customer = (id: string) => ({ id, object: 'customer', created: 5, email: `${id}@test`, metadata: {} })

  function server(log: string[] = []): Hono {
    const app = new Hono()
    app.use(async (c, next) => {
      const body = c.req.method === 'POST' ? ` ${decodeURIComponent(await c.req.text())}` : ''
      log.push(`${c.req.method} ${decodeURIComponent(c.req.url.replace(/^https?:\/\/[^/]*/, ''))}${body}`)
      await next()
    })
    app.get('/v1/customers', (c) => {
      const isFirst = c.req.query('starting_after') === undefined
      const data = isFirst ? [customer('a'), customer('b')] : [customer('c')]
      return c.json({ object: 'list', url: '/v1/customers', has_more: isFirst, data })
    })
    app.post('/v1/customers', (c) => c.json(customer('d')))
    app.delete('/v1/customers/:id', (c) => c.json({ id: c.req.param('id'), object: 'customer', deleted: true }))
    app.get('/v1/customers/:id', (c) => {
      const source = { id: 'card_1', object: 'card', last4: '4242' }
      const bank = { id: 'ba_1', object: 'bank_account', bank_name: 'Test' }
      const sources = { data: [bank, source], has_more: false }
      return c.json({ ...customer(c.req.param('id')), default_source: source, sources })
    })
    app.get('/v1/charges/:id', (c) => c.json({ id: c.req.param('id'), object: 'charge', amount: 7, customer: 'a' }))
    return app
  }

  test('an id is the row as soon as somebody has fetched it', async () => {
    const controller = controllerOf(server())
    const charge = await controller.fetch(payments.getChargesCharge, { id: 'ch_1' })
    expect(charge.customer).toBeUndefined()
    const fetched = await controller.fetch(payments.getCustomersCustomer, { id: 'a' })
    expect(controller.get(payments.Charge, { id: 'ch_1' })?.customer).toBe(fetched)
  })

  test('alternatives are rows of their kinds', async () => {
    const found = await controllerOf(server()).fetch(payments.getCustomersCustomer, { id: 'a' })
    if ('deleted' in found) throw new Error('It is not deleted.')
    expect(found.default_source).toBeInstanceOf(payments.Card)
    expect(found.sources?.data.map((source) => source.constructor)).toEqual([payments.BankAccount, payments.Card])
    expect(found.sources?.has_more).toBe(false)
  })

  test('lists are in their envelope, with all pages, what is created and without what is deleted', async () => {
    const log: string[] = []
    const controller = controllerOf(server(log))
    const pages = pagesOf(controller, payments.getCustomers, { created: { gt: 5 }, expand: ['data.sources'], limit: 2 })
    await pages.load()
    await pages.fetchNext()
    const ids = () => pages.getSnapshot().data?.data?.map(({ id }) => id)
    expect(ids()).toEqual(['a', 'b', 'c'])
    expect(pages.getSnapshot().hasNext).toBe(false)
    expect(log).toEqual([
      'GET /v1/customers?created[gt]=5&expand[0]=data.sources&limit=2',
      'GET /v1/customers?created[gt]=5&expand[0]=data.sources&limit=2&starting_after=b',
    ])
    await controller.fetch(payments.deleteCustomersCustomer, { id: 'b' })
    expect(ids()).toEqual(['a', 'c'])
    await controller.fetch(payments.getCustomers)
    await controller.fetch(payments.postCustomers, { metadata: { plan: 'b' }, preferred_locales: ['de', 'en'] })
    expect(log.at(-1)).toBe('POST /v1/customers metadata[plan]=b&preferred_locales[0]=de&preferred_locales[1]=en')
    const all = controller.getResponse(payments.getCustomers).data
    expect(all?.data?.map(({ id }) => id)).toContain('d')
  })
})

test('files, texts and separated arrays of pets arrive as the description says', async () => {
  const app = new Hono()
  app.put('/v1/pets/:id/photo', async (c) => {
    const { file, ...others } = await c.req.parseBody({ all: true })
    return c.json({ id: Number(c.req.param('id')), name: `${(file as File).size} bytes`, ...others })
  })
  app.get('/v1/terms', (c) => c.text('Be kind'))
  app.get('/v1/pets', (c) => c.json([{ id: 1, name: c.req.query('tags') ?? '' }]))
  app.get('/v1/feed', (c) =>
    c.json([
      { id: 'x', kind: 'adoption', pet: { id: 1, name: 'Rex' } },
      { id: 'y', kind: 'visit' },
    ]),
  )
  const controller = controllerOf(app)
  const body = { file: new Blob(['12345']), labels: ['a', 'b'] }
  expect(await controller.fetch(pets.uploadPhoto, { petId: 7 }, body)).toMatchObject({
    id: 7,
    name: '5 bytes',
    labels: ['a', 'b'],
  })
  expect(await controller.fetch(pets.terms)).toBe('Be kind')
  expect(await controller.fetch(pets.listPets, { tags: ['quiet', 'old'] })).toMatchObject([{ name: 'quiet,old' }])
  const [adoption, visit] = await controller.fetch(pets.feed)
  expect(adoption).toBeInstanceOf(pets.Adoption)
  expect(visit).toBeInstanceOf(pets.Visit)
})

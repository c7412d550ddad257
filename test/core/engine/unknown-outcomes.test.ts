import { Collection, Controller, RestEndpoint, resource, retry, scope } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { refusal } from './fake-server.js'
import { fakeTransport, noConnection } from './fake-transport.js'
import { ending, ids, openBoard, Todo, type TodoData, titles, watch } from './todo-board.js'

const MILK = { id: '1', title: 'Milk', userId: '1', votes: 0 }
const TEA = { id: '2', title: 'Tea', userId: '1', votes: 0 }

/** A page that shows a list and a row of another list. */
async function open() {
  const board = openBoard()
  const { controller, server, getTodos, getTodo } = board
  const list = watch(controller.watch(getTodos, { userId: '1' }))
  const other = watch(controller.watch(getTodo, { id: '9' }))
  await settle()
  await server.one('getTodos').answer([MILK, TEA])
  await server.one('getTodo').answer({ id: '9', title: 'Other', userId: '2' })
  server.requests.length = 0
  return { ...board, list, other, sent: () => server.requests.map(({ name }) => name) }
}

describe('a mutation of which nobody knows whether the server has done it', () => {
  test.each(['patch', 'patchNow'] as const)('%s is rolled back, and the readers of its row ask once', async (name) => {
    const { controller, server, list, sent, ...board } = await open()
    const patched = ending(controller.fetch(board[name], { id: '1' }, { title: 'Oats' }))
    await server.one('patch').fail(new TypeError('connection lost'))
    expect(patched.error).toEqual(new TypeError('connection lost'))
    expect(titles(list.now)).toEqual(['Milk', 'Tea'])
    expect(sent()).toEqual(['patch', 'getTodos'])
    await server.one('getTodos').answer([{ ...MILK, title: 'Oats' }, TEA])
    expect(titles(list.now)).toEqual(['Oats', 'Tea'])
    expect(sent()).toEqual(['patch', 'getTodos'])
  })

  test.each(['create', 'createNow'] as const)('%s: the readers of its list ask once', async (name) => {
    const { controller, server, list, sent, ...board } = await open()
    ending(controller.fetch(board[name], { userId: '1' }, { title: 'Oats' }))
    await server.one('create').fail(new TypeError('connection lost'))
    expect(sent()).toEqual(['create', 'getTodos'])
    await server.one('getTodos').answer([MILK, TEA, { ...MILK, id: '3', title: 'Oats' }])
    expect(ids(list.now)).toEqual(['1', '2', '3'])
    expect(sent()).toEqual(['create', 'getTodos'])
  })

  test.each([
    ['lost', { title: 'Oats', userId: '1' }],
    ['lost', [{ title: 'Oats', userId: '1' }, { userId: '1' }]],
    ['empty', { title: 'Oats', userId: '1' }],
  ] as const)(
    'an addition whose answer is %s, with the body %o: the lists that its row may have entered ask once',
    async (outcome, body) => {
      const { controller, server, sent, create, getTodos } = await open()
      const owned = new Collection([Todo], { belongs: () => expect.unreachable(), argsKey: () => ({ mine: 'yes' }) })
      for (const [endpoint, args] of [
        [getTodos, {}],
        [getTodos, { userId: '2' }],
        [getTodos.extend({ name: 'getOwned', schema: owned }), {}],
      ] as const) {
        watch(controller.watch(endpoint, args))
        await settle()
        await server.one('getTodos', -1).answer([])
      }
      server.requests.length = 0
      ending(controller.fetch(create, {}, body as TodoData))
      if (outcome === 'empty') await server.one('create').answer(null)
      else await server.one('create').fail(new TypeError('connection lost'))
      expect(sent()).toEqual(['create', 'getTodos', 'getTodos', 'getTodos'])
      expect(server.of('getTodos').map(({ args: [args] }) => args)).toEqual([{}, { userId: '1' }, {}])
    },
  )

  test.each(['a row of a list', 'a row that no list contains'])(
    'a move without an optimistic response, of %s: the readers of the row and of the lists that it may have left or entered ask once',
    async (what) => {
      const { controller, server, list, other, sent, move, getTodos } = await open()
      const [target, third] = ['3', '4'].map((userId) => watch(controller.watch(getTodos, { userId })))
      await settle()
      for (const request of server.of('getTodos').slice(-2)) await request.answer([])
      server.requests.length = 0
      const isListed = what === 'a row of a list'
      ending(controller.fetch(move, { id: isListed ? '1' : '9' }, { userId: '3' }))
      await server.one('move').fail(new TypeError('connection lost'))
      const asked = isListed ? [{ userId: '1' }, { userId: '3' }] : [{ userId: '3' }]
      expect(server.of('getTodos').map(({ args: [args] }) => args)).toEqual(asked)
      expect(server.of('getTodo').map(({ args: [args] }) => args)).toEqual(isListed ? [] : [{ id: '9' }])
      const moved = isListed ? { ...MILK, userId: '3' } : { id: '9', title: 'Other', userId: '3' }
      if (isListed) await server.one('getTodos', 0).answer([TEA])
      else await server.one('getTodo').answer(moved)
      await server.one('getTodos', -1).answer([moved])
      expect([list, target, third].map((one) => ids(one?.now ?? { data: undefined }))).toEqual(
        isListed ? [['2'], ['1'], []] : [['1', '2'], ['9'], []],
      )
      expect(other.now.data).toMatchObject({ userId: isListed ? '2' : '3' })
      expect(sent()).toHaveLength(3)
    },
  )

  test('a removal from lists without an optimistic response: the lists that contain the row ask once', async () => {
    const { controller, server, list, sent, takeOut } = await open()
    ending(controller.fetch(takeOut, { id: '1' }))
    await server.one('takeOut').fail(new TypeError('connection lost'))
    expect(sent()).toEqual(['takeOut', 'getTodos'])
    await server.one('getTodos').answer([TEA])
    expect(ids(list.now)).toEqual(['2'])
    expect(sent()).toHaveLength(2)
  })

  test('a deletion without an optimistic response: the list that contains the row asks once', async () => {
    const { controller, server, list, sent, remove } = await open()
    ending(controller.fetch(remove, { id: '1' }))
    await server.one('remove').fail(new TypeError('connection lost'))
    expect([ids(list.now), sent()]).toEqual([
      ['1', '2'],
      ['remove', 'getTodos'],
    ])
    await server.one('getTodos').answer([TEA])
    expect(ids(list.now)).toEqual(['2'])
    expect(sent()).toHaveLength(2)
  })

  test('a deletion: the list that has shown the row again asks once', async () => {
    const { controller, server, list, sent, removeNow } = await open()
    ending(controller.fetch(removeNow, { id: '1' }))
    expect(ids(list.now)).toEqual(['2'])
    await server.one('remove').fail(new TypeError('connection lost'))
    expect(ids(list.now)).toEqual(['1', '2'])
    await server.one('getTodos').answer([TEA])
    expect(ids(list.now)).toEqual(['2'])
    expect(sent()).toEqual(['remove', 'getTodos'])
  })

  test('a server error counts, since the server may have got far; a refusal does not', async () => {
    const { controller, server, sent, patchNow } = await open()
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'Oats' }))
    await server.one('patch').fail(refusal)
    expect(sent()).toEqual(['patch'])
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'Oats' }))
    await server.one('patch', 1).fail(Object.assign(new Error(), { status: 500 }))
    expect(sent()).toEqual(['patch', 'patch', 'getTodos'])
  })

  test('a response that cannot be read counts, since the server has done it', async () => {
    const { controller, server, sent, patch } = await open()
    ending(controller.fetch(patch, { id: '1' }, { title: 'Oats' }))
    await server.one('patch').answer('<!doctype html>')
    expect(sent()).toEqual(['patch', 'getTodos'])
  })

  test('one that is aborted after it was sent counts, and one that waits for its turn does not', async () => {
    const { controller, server, sent, patchNow } = await open()
    const inTurn = patchNow.extend({ scope: scope('row') })
    const [first, second] = [new AbortController(), new AbortController()]
    ending(controller.fetch(inTurn.extend({ signal: first.signal }), { id: '1' }, { title: 'a' }))
    ending(controller.fetch(inTurn.extend({ signal: second.signal }), { id: '1' }, { title: 'b' }))
    await settle()
    second.abort()
    await settle()
    expect(sent()).toEqual(['patch'])
    first.abort()
    await settle()
    expect(sent()).toEqual(['patch', 'getTodos'])
    expect(server.one('patch').isAborted).toBe(true)
  })

  test('several of one row: its readers ask when the last one is over, once', async () => {
    const { controller, server, list, sent, patchNow } = await open()
    const bodies: readonly TodoData[] = [{ title: 'a' }, { title: 'b' }, { title: 'c' }]
    for (const body of bodies) ending(controller.fetch(patchNow, { id: '1' }, body))
    for (const request of [...server.requests]) await request.fail(new TypeError('connection lost'))
    expect(sent()).toEqual(['patch', 'patch', 'patch', 'getTodos'])
    await server.one('getTodos').answer([{ ...MILK, title: 'b' }, TEA])
    expect(titles(list.now)).toEqual(['b', 'Tea'])
    expect(sent()).toHaveLength(4)
  })

  test('without readers nobody asks, and the next one to mount does', async () => {
    const { controller, server, list, other, sent, patch, getTodos } = await open()
    list.stop()
    other.stop()
    ending(controller.fetch(patch, { id: '1' }, { title: 'Oats' }))
    await server.one('patch').fail(new TypeError('connection lost'))
    expect(sent()).toEqual(['patch'])
    watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    expect(sent()).toEqual(['patch', 'getTodos'])
  })
})

const path = '/todos/:id'

test('the first attempt got no response, and the second is refused: its list asks', async () => {
  const clock = new HandClock()
  const TodoResource = resource({ path, schema: Todo, optimistic: true, urlPrefix: 'https://a.test' })
  let deletions = 0
  const { transport, log } = fakeTransport(({ method }) => {
    if (method !== 'DELETE') return Response.json(deletions === 0 ? [MILK, TEA] : [TEA])
    return deletions++ === 0 ? noConnection() : new Response(null, { status: 403 })
  })
  const again = retry({ limit: 1, delay: () => 100, methods: ['DELETE'] })
  const controller = new Controller({ env: clock, transport, retry: again })
  const list = watch(controller.watch(TodoResource.getList, {}))
  await settle()
  const deleted = ending(controller.fetch(TodoResource.delete, { id: '1' }))
  await clock.advance(200)
  expect(deleted.error).toMatchObject({ status: 403 })
  expect(log().map((line) => line.slice(2))).toEqual([
    'GET https://a.test/todos',
    'DELETE https://a.test/todos/1',
    'DELETE https://a.test/todos/1',
    'GET https://a.test/todos',
  ])
  expect(ids(list.now)).toEqual(['2'])
})

test('without a network the screen stays, and its readers ask less and less often until somebody answers', async () => {
  const clock = new HandClock()
  const get = new RestEndpoint({ path, schema: Todo, urlPrefix: 'https://a.test' })
  const patch = get.extend({ method: 'PATCH', body: {} as TodoData })
  let isDown = false
  const { transport, seen } = fakeTransport(() => (isDown ? noConnection() : Response.json(MILK)), clock)
  const controller = new Controller({ env: clock, transport })
  const shown = watch(controller.watch(get, { id: '1' }))
  await settle()
  isDown = true
  const patched = ending(controller.fetch(patch, { id: '1' }, { title: 'Oats' }))
  await settle()
  expect(patched.error).toMatchObject({ name: 'TransportError' })
  await clock.advance(600_000)
  expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'Milk' } })
  const asked = seen.filter(({ method }) => method === 'GET').length
  expect(asked).toBeGreaterThan(2)
  expect(asked).toBeLessThan(50)
  isDown = false
  await clock.advance(120_000)
  const last = seen.length
  await clock.advance(600_000)
  expect(seen).toHaveLength(last)
})

test.each([
  ['is given up', () => new Promise<never>(() => {}), {}, 'AbortError'],
  ['fails', () => Promise.reject(new Error('no token')), {}, 'Error'],
  ['takes too long', () => new Promise<never>(() => {}), { timeout: 1_000 }, 'TimeoutError'],
])(
  'one that %s before its HTTP request was sent changes nothing, and nobody asks',
  async (_, exchange, options, name) => {
    const get = new RestEndpoint({ path, schema: Todo, urlPrefix: 'https://a.test' })
    const { transport, log } = fakeTransport(() => Response.json(MILK))
    const clock = new HandClock()
    const controller = new Controller({ env: clock, transport })
    watch(controller.watch(get, { id: '1' }))
    await settle()
    const abort = new AbortController()
    const { signal } = abort
    const parts = [{ name: 'wait', exchange }]
    const waits = get.extend({ method: 'PATCH', body: {} as TodoData, signal, parts, ...options })
    const patched = ending(controller.fetch(waits, { id: '1' }, { title: 'Oats' }))
    await settle()
    await clock.advance(2_000)
    abort.abort()
    await settle()
    expect(patched.error).toMatchObject({ name })
    expect(log()).toHaveLength(1)
  },
)

test('one that its own fetchResponse has begun to send may have been applied if it is given up', async () => {
  const get = new RestEndpoint({ path, schema: Todo, urlPrefix: 'https://a.test' })
  const { transport, log } = fakeTransport(() => Response.json(MILK))
  const controller = new Controller({ env: new HandClock(), transport })
  watch(controller.watch(get, { id: '1' }))
  await settle()
  const abort = new AbortController()
  const upload = get.extend({
    method: 'PATCH',
    body: {} as TodoData,
    signal: abort.signal,
    fetchResponse: () => new Promise(() => {}),
  })
  const patched = ending(controller.fetch(upload, { id: '1' }, { title: 'Oats' }))
  await settle()
  abort.abort()
  await settle()
  expect(patched.error).toMatchObject({ name: 'AbortError' })
  expect(log()).toHaveLength(2)
})

test.each([404, 500])(
  'one whose arguments have no key, such as a form, ends with the error of its request: %s',
  async (status) => {
    const controller = new Controller({ transport: async () => new Response('', { status }) })
    const Forms = resource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo })
    const form = new FormData()
    form.append('userId', '1')
    await expect(controller.fetch(Forms.getList.push, form as never)).rejects.toMatchObject({ status })
  },
)

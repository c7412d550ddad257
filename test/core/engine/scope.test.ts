import {
  batch,
  Controller,
  CreationError,
  Endpoint,
  Entity,
  OptionError,
  RestEndpoint,
  resource,
  retry,
  scope,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { refusal } from './fake-server.js'
import { fakeTransport, noConnection } from './fake-transport.js'
import { ending, ids, openBoard, Todo, type TodoData, titles, watch } from './todo-board.js'

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first) => orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]))
}

/** A client that shows one todo, and mutations of one row that wait for each other. */
async function open() {
  const board = openBoard()
  const { controller, server, patchNow, removeNow, getTodos } = board
  const list = watch(controller.watch(getTodos, {}))
  await settle()
  await server.requests[0]?.answer([
    { id: '1', title: 'Milk', userId: '1' },
    { id: '2', title: 'Tea', userId: '1' },
  ])
  return {
    ...board,
    list,
    patch: patchNow.extend({ scope: scope('row') }),
    remove: removeNow.extend({ scope: scope('row') }),
    /** What was sent: names, and the title of the body. */
    sent: () =>
      server.requests
        .slice(1)
        .map(({ name, args: [, body] }) => `${name} ${(body as TodoData | undefined)?.title ?? ''}`.trim()),
  }
}

describe("scope('row')", () => {
  test('sends mutations of one row one after the other, in the order of their calls, and shows all at once', async () => {
    const { controller, server, patch, remove, list, sent } = await open()
    const ends = ['a', 'b', 'c'].map((title) => ending(controller.fetch(patch, { id: '1' }, { title })))
    await settle()
    expect(titles(list.now)).toEqual(['c', 'Tea'])
    expect(sent()).toEqual(['patch a'])
    await server.requests[1]?.answer({ id: '1', title: 'a' })
    expect(sent()).toEqual(['patch a', 'patch b'])
    expect(titles(list.now)).toEqual(['c', 'Tea'])
    // Endpoints share the scope.
    const removed = ending(controller.fetch(remove, { id: '1' }))
    expect(titles(list.now)).toEqual(['Tea'])
    await server.requests[2]?.answer({ id: '1', title: 'b' })
    await server.requests[3]?.answer({ id: '1', title: 'c' })
    expect(sent()).toEqual(['patch a', 'patch b', 'patch c', 'remove'])
    await server.requests[4]?.answer({ id: '1' })
    expect([...ends, removed].map(({ isOver, error }) => isOver && error === undefined)).toEqual([
      true,
      true,
      true,
      true,
    ])
    // None of them overlapped another: nothing is asked again.
    expect(sent()).toHaveLength(4)
  })

  test('does not hold up another row, a read, or a mutation without a scope', async () => {
    const { controller, server, patch, patchNow, getTodo } = await open()
    void controller.fetch(patch, { id: '1' }, { title: 'a' })
    void controller.fetch(patch, { id: '1' }, { title: 'b' })
    void controller.fetch(patch, { id: '2' }, { title: 'c' })
    void controller.fetch(patchNow, { id: '1' }, { title: 'd' })
    void controller.fetch(getTodo.extend({ scope: scope('row') }), { id: '1' })
    await settle()
    expect(server.requests.slice(1).map(({ name, args }) => [name, ...args])).toEqual([
      ['patch', { id: '1' }, { title: 'a' }],
      ['patch', { id: '2' }, { title: 'c' }],
      ['patch', { id: '1' }, { title: 'd' }],
      ['getTodo', { id: '1' }],
    ])
  })

  test('what waits shows, and is the last word, though a later mutation without a scope is answered before', async () => {
    const { controller, server, patch, patchNow, list, sent } = await open()
    void controller.fetch(patch, { id: '1' }, { title: 'a' })
    void controller.fetch(patch, { id: '1' }, { title: 'b' })
    void controller.fetch(patchNow, { id: '1' }, { votes: 1 })
    await settle()
    await server.requests[2]?.answer({ id: '1', title: 'Milk', votes: 1 })
    expect(titles(list.now)).toEqual(['b', 'Tea'])
    await server.requests[1]?.answer({ id: '1', title: 'a', votes: 1 })
    await server.requests[3]?.answer({ id: '1', title: 'b', votes: 1 })
    expect(titles(list.now)).toEqual(['b', 'Tea'])
    expect(sent().slice(0, 3)).toEqual(['patch a', 'patch', 'patch b'])
  })

  test('knows the row by its URL where there is no schema', async () => {
    const { seen, transport } = fakeTransport(() => Response.json({}))
    const controller = new Controller({ transport })
    const put = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/todos/:id',
      method: 'PUT',
      body: {} as { title: string },
      scope: scope('row'),
    })
    const first = controller.fetch(put, { id: 1 }, { title: 'a' })
    const second = controller.fetch(put, { id: 1 }, { title: 'b' })
    void controller.fetch(put, { id: 2 }, { title: 'c' })
    await settle()
    await Promise.all([first, second])
    expect(seen.map(({ url, body }) => `${url} ${body}`)).toEqual([
      'https://api.test/todos/1 {"title":"a"}',
      'https://api.test/todos/2 {"title":"c"}',
      'https://api.test/todos/1 {"title":"b"}',
    ])
  })

  test('two moves of one row end in one list, in every order in which responses and a list arrive', async () => {
    for (const order of orders(['moves', 'one', 'two', 'three'] as const)) {
      const rows = new Map([['1', { id: '1', title: 'Milk', userId: '1' }]])
      const { controller, server, getTodos: asked, move: moved } = openBoard()
      const of = (userId: string) => [...rows.values()].filter((row) => row.userId === userId)
      const getTodos = new Endpoint(
        server.on<[{ userId?: string }]>('getTodos', ({ userId = '' }) => of(userId)),
        {
          name: asked.name,
          schema: asked.schema,
        },
      )
      const move = new Endpoint(
        server.on<[{ id: string }, TodoData]>('move', ({ id }, body) => {
          rows.set(id, { ...rows.get(id), ...body } as { id: string; title: string; userId: string })
          return rows.get(id)
        }),
        {
          name: 'move',
          schema: moved.schema,
          sideEffect: true,
          scope: scope('row'),
          getOptimisticResponse: (_: unknown, { id }: { id: string }, body: TodoData) => ({ id, ...body }),
        },
      )
      const lists = ['1', '2', '3'].map((userId) => watch(controller.watch(getTodos, { userId })))
      await settle()
      for (const request of server.requests) await request.deliver()
      const from = server.requests.length
      void controller.fetch(move, { id: '1' }, { userId: '2' })
      void controller.fetch(move, { id: '1' }, { userId: '3' })
      expect(lists.map(({ now }) => ids(now))).toEqual([[], [], ['1']])
      const refetches = new Map(
        (['one', 'two', 'three'] as const).map((name, i) => {
          void controller.fetch(getTodos, { userId: `${i + 1}` })
          return [name, server.requests.at(-1)] as const
        }),
      )
      for (const what of order) {
        if (what === 'moves') {
          await server.requests[from]?.deliver()
          expect(server.of('move')).toHaveLength(2)
        } else {
          await refetches.get(what)?.deliver()
        }
        expect(
          lists.map(({ now }) => ids(now)),
          `${order}: ${what}`,
        ).toEqual([[], [], ['1']])
      }
      for (let at = from; at < server.requests.length; at++) await server.requests[at]?.deliver()
      expect(
        lists.map(({ now }) => ids(now)),
        `${order}`,
      ).toEqual([[], [], ['1']])
      controller.dispose()
    }
  })
})

describe('a scope is left', () => {
  const ways: Record<string, (client: Awaited<ReturnType<typeof open>>, abort: AbortController) => unknown> = {
    'by a mutation that fails': ({ server }) => server.requests[1]?.fail(),
    'by a mutation whose response cannot be read': ({ server }) =>
      server.requests[1]?.answer({ title: 'no key', id: null }),
    'by a mutation that its caller aborts': (_, abort) => abort.abort(),
    'by a mutation that takes too long': ({ clock }) => clock.advance(5_000),
  }
  test.each(Object.keys(ways))('%s: those behind it are sent', async (way) => {
    const client = await open()
    const { controller, server, patch, sent, list } = client
    const abort = new AbortController()
    const first = ending(
      controller.fetch(patch.extend({ signal: abort.signal, timeout: 5_000 }), { id: '1' }, { title: 'a' }),
    )
    const second = ending(controller.fetch(patch, { id: '1' }, { title: 'b' }))
    await settle()
    await ways[way]?.(client, abort)
    await settle()
    expect(first.error).toBeInstanceOf(Error)
    expect(sent().filter((line) => /^patch/.test(line))).toEqual(['patch a', 'patch b'])
    await server.of('patch')[1]?.answer({ id: '1', title: 'b' })
    expect(second.value).toMatchObject({ title: 'b' })
    expect(titles(list.now)).toEqual(['b', 'Tea'])
  })

  test('by one that waits: it is not sent, and those behind it still wait for those before it', async () => {
    const { controller, server, patch, sent } = await open()
    const abort = new AbortController()
    void controller.fetch(patch, { id: '1' }, { title: 'a' })
    const left = ending(controller.fetch(patch.extend({ signal: abort.signal }), { id: '1' }, { title: 'b' }))
    void controller.fetch(patch, { id: '1' }, { title: 'c' })
    abort.abort()
    void controller.fetch(patch, { id: '1' }, { title: 'd' })
    await settle()
    expect(left.error).toMatchObject({ name: 'AbortError' })
    expect(sent()).toEqual(['patch a'])
    await server.requests[1]?.answer({ id: '1', title: 'a' })
    expect(sent()).toEqual(['patch a', 'patch c'])
    await server.requests[2]?.answer({ id: '1', title: 'c' })
    expect(sent()).toEqual(['patch a', 'patch c', 'patch d'])
  })

  test.each(['resetEntireStore', 'dispose'] as const)('by all at %s: nothing of them is sent any more', async (end) => {
    const { controller, server, patch, sent, list } = await open()
    const ends = ['a', 'b'].map((title) => ending(controller.fetch(patch, { id: '1' }, { title })))
    await settle()
    list.stop()
    controller[end]()
    await settle()
    await server.requests[1]?.answer({ id: '1', title: 'a' })
    expect(ends.map(({ error }) => (error as Error).name)).toEqual(
      Array(2).fill(end === 'dispose' ? 'DisposedError' : 'ResetError'),
    )
    expect(sent().filter((line) => /^patch/.test(line))).toEqual(['patch a'])
    if (end === 'dispose') return
    void controller.fetch(patch, { id: '1' }, { title: 'new' })
    await settle()
    expect(sent().at(-1)).toBe('patch new')
  })

  test('one whose optimistic response throws is not in its way', async () => {
    const { controller, patch, sent } = await open()
    const broken = patch.extend({
      getOptimisticResponse: () => {
        throw new Error('broken')
      },
    })
    const first = ending(controller.fetch(broken, { id: '1' }, { title: 'a' }))
    void controller.fetch(patch, { id: '1' }, { title: 'b' })
    await settle()
    expect(first.error).toBeInstanceOf(Error)
    expect(sent()).toEqual(['patch b'])
  })
})

describe('a scope by a function', () => {
  test('is a text of the arguments; undefined is none', async () => {
    const { controller, server, patchNow } = await open()
    const patch = patchNow.extend({
      scope: scope(({ id }: { id: string }, { title }: TodoData) => (title === 'free' ? undefined : `list of ${id}`)),
    })
    for (const title of ['a', 'b', 'free']) void controller.fetch(patch, { id: '1' }, { title })
    void controller.fetch(patch, { id: '2' }, { title: 'c' })
    await settle()
    expect(server.requests.slice(1).map(({ args: [, body] }) => (body as TodoData).title)).toEqual(['a', 'free', 'c'])
  })

  test('that throws refuses the call, and nothing is shown or sent', async () => {
    const { controller, patchNow, sent, list } = await open()
    const cause = new Error('broken')
    const patch = patchNow.extend({
      scope: scope(() => {
        throw cause
      }),
    })
    await expect(controller.fetch(patch, { id: '1' }, { title: 'a' })).rejects.toMatchObject({
      code: 'CALLBACK',
      cause,
    })
    expect(titles(list.now)).toEqual(['Milk', 'Tea'])
    expect(sent()).toEqual([])
  })

  test('of two controllers are two scopes', async () => {
    const { seen, transport } = fakeTransport(() => new Promise<Response>(() => {}))
    const post = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/a',
      method: 'POST',
      body: undefined,
      scope: scope(() => 'all'),
    })
    const controllers = [new Controller({ transport }), new Controller({ transport })]
    const ends = controllers.flatMap((controller) => [ending(controller.fetch(post)), ending(controller.fetch(post))])
    await settle()
    expect(seen).toHaveLength(2)
    for (const controller of controllers) controller.dispose()
    await settle()
    expect(ends.every(({ isOver }) => isOver)).toBe(true)
  })
})

describe('beside other options', () => {
  const urlPrefix = 'https://api.test'

  test('retry: those behind wait for all attempts, also while the device is offline', async () => {
    const clock = new HandClock()
    let isOnline = false
    const fake = fakeTransport(() => (isOnline ? Response.json({ id: '1' }) : noConnection()), clock)
    const controller = new Controller({ env: clock, transport: fake.transport, retry: retry(2) })
    const put = resource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true }).update.extend({
      scope: scope('row'),
    })
    const ends = ['a', 'b'].map((title) => ending(controller.fetch(put, { id: '1' }, { title })))
    clock.announce({ online: false })
    await clock.advance(60_000)
    expect(fake.seen.map(({ body }) => body)).toEqual(['{"title":"a"}'])
    isOnline = true
    clock.announce({ online: true })
    await clock.advance(60_000)
    expect(fake.seen.map(({ body }) => body)).toEqual(['{"title":"a"}', '{"title":"a"}', '{"title":"b"}'])
    expect(ends.map(({ isOver, error }) => isOver && error === undefined)).toEqual([true, true])
  })

  test('timeout: the time of a mutation begins when it is sent', async () => {
    const { controller, server, patch, clock } = await open()
    const patient = patch.extend({ timeout: 1_000 })
    void controller.fetch(patch, { id: '1' }, { title: 'a' })
    const second = ending(controller.fetch(patient, { id: '1' }, { title: 'b' }))
    await clock.advance(5_000)
    expect(second.isOver).toBe(false)
    await server.requests[1]?.answer({ id: '1', title: 'a' })
    await clock.advance(999)
    expect(second.isOver).toBe(false)
    await clock.advance(1)
    expect(second.error).toMatchObject({ name: 'TimeoutError' })
  })

  test('batch, and a resource: reads are batched, and mutations have the scope', async () => {
    const fake = fakeTransport(({ method, url }) =>
      Response.json(method === 'PATCH' ? { id: '1' } : [{ id: '1' }, { id: url }]),
    )
    const controller = new Controller({ transport: fake.transport })
    const Todos = resource({
      urlPrefix,
      path: '/todos/:id',
      schema: Todo,
      batch: batch({ path: '/todos?id=:ids' }),
      mutationOptions: { scope: scope('row') },
    })
    const reads = [controller.fetch(Todos.get, { id: '1' }), controller.fetch(Todos.get, { id: '2' })].map(ending)
    const first = controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'a' })
    const second = controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'b' })
    await Promise.all([first, second])
    await settle()
    expect(reads.every(({ isOver }) => isOver)).toBe(true)
    expect(fake.seen.filter(({ url }) => url.includes('?'))).toHaveLength(1)
    expect(fake.seen.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      '{"title":"a"}',
      '{"title":"b"}',
    ])
  })

  test.each([false, true])(
    'all mutations of a resource have its mutationOptions (optimistic: %s)',
    async (optimistic) => {
      const sent: string[] = []
      const answers: (() => void)[] = []
      const controller = new Controller({
        transport: (_, { method = '' }) => {
          sent.push(method)
          return new Promise((resolve) => answers.push(() => resolve(Response.json({ id: '1' }))))
        },
      })
      const mutationOptions = { scope: scope('row') }
      const Todos = resource({ urlPrefix, path: '/todos/:id', schema: Todo, mutationOptions, optimistic })
      void controller.fetch(Todos.update, { id: '1' }, { title: 'a' })
      void controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'b' })
      void controller.fetch(Todos.getList.move, { id: '1' }, { title: 'c' })
      void controller.fetch(Todos.delete, { id: '1' })
      const order = ['PUT', 'PATCH', 'PATCH', 'DELETE']
      for (let i = 1; i <= order.length; i++) {
        await settle()
        expect(sent).toEqual(order.slice(0, i))
        answers[i - 1]?.()
      }
    },
  )

  test('the scope of an endpoint replaces that of its resource', async () => {
    const { controller, patch, server } = await open()
    const free = patch.extend({ scope: scope(({ id }: { id: string }, { title }: TodoData) => `${id} ${title}`) })
    void controller.fetch(free, { id: '1' }, { title: 'a' })
    void controller.fetch(free, { id: '1' }, { title: 'b' })
    await settle()
    expect(server.requests.slice(1)).toHaveLength(2)
  })

  test('a row that is new: what names it waits for its key, and then for its turn', async () => {
    const { controller, server, list, patch, createNow } = await open()
    const creation = ending(controller.fetch(createNow, {}, { title: 'Juice', userId: '1' }))
    const id = ids(list.now)?.at(-1) as string
    for (const title of ['a', 'b']) void controller.fetch(patch, { id }, { title })
    await settle()
    expect(server.requests.slice(1).map(({ name }) => name)).toEqual(['create'])
    expect(titles(list.now)?.at(-1)).toBe('b')
    await server.requests[1]?.answer({ id: '7', title: 'Juice', userId: '1' })
    expect(creation.value).toMatchObject({ id: '7' })
    // By its own key, and by the one from before.
    void controller.fetch(patch, { id: '7' }, { title: 'c' })
    void controller.fetch(patch, { id }, { title: 'd' })
    await settle()
    for (const [at, title] of ['a', 'b', 'c', 'd'].entries()) {
      expect(server.of('patch')).toHaveLength(at + 1)
      expect(server.of('patch')[at]?.args).toEqual([{ id: '7' }, { title }])
      await server.of('patch')[at]?.answer({ id: '7', title })
    }
    expect(titles(list.now)).toEqual(['Milk', 'Tea', 'd'])
  })

  test('a row that is never created: all that wait fail', async () => {
    const { controller, server, list, patch, createNow } = await open()
    const creation = ending(controller.fetch(createNow, {}, { title: 'Juice', userId: '1' }))
    const id = ids(list.now)?.at(-1) as string
    const edits = ['a', 'b'].map((title) => ending(controller.fetch(patch, { id }, { title })))
    await settle()
    await server.requests[1]?.fail()
    expect(creation.error).toBeInstanceOf(Error)
    expect(edits.map(({ error }) => error instanceof CreationError)).toEqual([true, true])
    expect(server.of('patch')).toHaveLength(0)
    expect(titles(list.now)).toEqual(['Milk', 'Tea'])
  })
})

test('three edits of two fields: the screen shows the last ones, and equals the server, in every order of success and failure', async () => {
  const outcomes = [true, false]
  for (const a of outcomes) {
    for (const b of outcomes) {
      for (const c of outcomes) {
        const { controller, server, patch, list } = await open()
        const known = { id: '1', title: 'Milk', userId: '1', votes: 0 }
        const bodies: readonly TodoData[] = [{ title: 'a', votes: 1 }, { title: 'b' }, { votes: 3 }]
        for (const body of bodies) void controller.fetch(patch, { id: '1' }, body).catch(() => {})
        await settle()
        expect(list.now.data?.[0]).toMatchObject({ title: 'b', votes: 3 })
        for (const [at, isFine] of [a, b, c].entries()) {
          expect(server.of('patch')).toHaveLength(at + 1)
          if (isFine) await server.of('patch')[at]?.answer(Object.assign(known, bodies[at]))
          else await server.of('patch')[at]?.fail(refusal)
        }
        expect(list.now.data?.[0], `${[a, b, c]}`).toMatchObject(known)
        expect(server.requests).toHaveLength(4)
        controller.dispose()
      }
    }
  }
})

test('what is neither a row nor a function is refused where it is written', () => {
  for (const given of [undefined, null, 'rows', 5, {}]) {
    // @ts-expect-error `scope` takes 'row' or a function.
    expect(() => scope(given)).toThrow(OptionError)
  }
  // @ts-expect-error The option is a part.
  expect(() => new RestEndpoint({ path: '/a', method: 'POST', scope: 'row' })).toThrow(
    'must be an object, found the text "row"',
  )
  // @ts-expect-error A scope is a text.
  scope(() => 5)
  // @ts-expect-error An Entity is no scope.
  expect(() => scope(new (class extends Entity {})())).toThrow(OptionError)
})

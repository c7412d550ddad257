import { type AlsoResult, also, Endpoint, SchemaError } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { settle } from './clock.js'
import { ids, openBoard, Todo, Todos, titles, watch } from './todo-board.js'

interface Both {
  readonly todo: { readonly id: string; readonly title?: string }
  readonly todos: readonly { readonly id: string; readonly title?: string }[]
  readonly stats: unknown
}

/** A board whose `create` responds with the todo, the whole list and a count. */
function openWithAlso(results?: (response: Both, ...args: never[]) => readonly AlsoResult[]) {
  const board = openBoard()
  const { server, getTodos, getPlain } = board
  const create = new Endpoint(server.on<[object, object]>('create'), {
    name: 'create',
    schema: { todo: Todos.push },
    sideEffect: true,
  }).extend({
    parts: [
      also(
        results ??
          (({ todos, stats }: Both) => [
            [getTodos, [{}], todos],
            [getPlain, [], stats],
          ]),
      ),
    ],
  })
  // Its responses have another form, and its calls are the same.
  return { ...board, create: create as unknown as typeof board.create }
}

const answer: Both = { todo: { id: '1', title: 'Milk' }, todos: [{ id: '0' }, { id: '1', title: 'Milk' }], stats: 2 }

describe('also(results)', () => {
  test('writes other results with the response, in one commit: one notification, and nothing is fetched', async () => {
    const { controller, create, getTodos, getPlain, server } = openWithAlso()
    const commits = vi.fn()
    controller.on('commit', commits)
    const done = controller.fetch(create, {}, { title: 'Milk' })
    await server.one('create').answer(answer)
    await done
    expect(commits).toHaveBeenCalledTimes(1)
    const list = watch(controller.watch(getTodos, {}))
    const stats = watch(controller.watch(getPlain))
    await settle()
    expect(controller.watch(getTodos, {}).getSnapshot()).toMatchObject({
      data: [{ id: '0' }, { id: '1', title: 'Milk' }],
    })
    expect(controller.watch(getPlain).getSnapshot()).toMatchObject({ data: 2 })
    expect(server.requests).toHaveLength(1)
    expect([list.notified, stats.notified]).toEqual([0, 0])
  })

  test('gets the arguments of the call', async () => {
    const seen: unknown[] = []
    const { controller, create, server } = openWithAlso((_, ...args) => {
      seen.push(args)
      return []
    })
    controller.fetch(create, { userId: '7' }, { title: 'Milk' })
    await server.one('create').answer(answer)
    expect(seen).toEqual([[{ userId: '7' }, { title: 'Milk' }]])
  })

  test('has the lifetime of the other endpoint', async () => {
    const { controller, create, getPlain, server, clock } = openWithAlso(({ stats }) => [
      [getPlain.extend({ dataExpiryLength: 1_000 }), [], stats],
    ])
    controller.fetch(create, {}, {})
    await server.one('create').answer(answer)
    await clock.advance(1_001)
    controller.watch(getPlain).subscribe(() => {})
    await settle()
    expect(server.of('getPlain')).toHaveLength(1)
  })

  describe.each([
    ['alone', false],
    ['beside another request', true],
  ])('of a mutation, which is in flight %s,', (_, isBeside) => {
    function openWithRow() {
      const board = openWithAlso()
      const { controller, getTodo, getTodos } = board
      controller.setResponse(getTodos, {}, [{ id: '0', title: 'Bread' }])
      if (isBeside) void controller.fetch(getTodo, { id: '5' })
      return { ...board, list: watch(controller.watch(getTodos, {})) }
    }

    test('know of what it has added: the list has the members that the server has told', async () => {
      const { controller, create, server, list } = openWithRow()
      void controller.fetch(create, {}, {})
      await server.one('create').answer({ ...answer, todos: [{ id: '0' }] })
      expect(ids(list.now)).toEqual(['0'])
    })

    test('tell of the fields that its own response lacks', async () => {
      const { controller, create, server, list } = openWithRow()
      void controller.fetch(create, {}, {})
      const todos = [{ id: '1' }, { id: '0', title: 'Rye bread' }]
      await server.one('create').answer({ ...answer, todo: { id: '0' }, todos })
      expect(titles(list.now)).toEqual(['', 'Rye bread'])
      expect(server.of('getTodos')).toHaveLength(0)
    })

    test('count what `update` has guessed', async () => {
      const { controller, create, getPlain, server } = openWithRow()
      controller.setResponse(getPlain, 1)
      const counting = create.extend({ update: () => ({ [getPlain.key()]: (count: unknown) => Number(count) + 1 }) })
      void controller.fetch(counting, {}, {})
      await server.one('create').answer({ ...answer, stats: 7 })
      expect(controller.getResponse(getPlain).data).toBe(7)
    })
  })

  test('never overwrites what was requested later', async () => {
    const { controller, create, getPlain, server } = openWithAlso()
    controller.fetch(create, {}, {})
    const later = controller.fetch(getPlain)
    await server.one('getPlain').answer('later')
    await later
    await server.one('create').answer(answer)
    expect(controller.getResponse(getPlain).data).toBe('later')
  })

  test.each<[string, unknown, string]>([
    ['no list', 5, 'also of create'],
    ['a mutation', [['self', [], 1]], 'must return a list of [endpoint that reads, arguments, response]'],
    ['no endpoint', [[undefined, [], 1]], 'must return a list of [endpoint that reads, arguments, response]'],
    ['arguments that are no list', [['plain', { id: 1 }, 1]], 'must return a list of [endpoint that reads'],
  ])('that returns %s is reported, and the response is stored', async (_, returned, message) => {
    const board = openWithAlso(() => {
      if (!Array.isArray(returned)) return returned as never
      const endpointOf = (name: unknown): unknown => (name === 'self' ? board.create : name && board.getPlain)
      return returned.map(([name, args, data]) => [endpointOf(name), args, data]) as never
    })
    const { controller, create, server, reported } = board
    const done = controller.fetch(create, {}, {})
    await server.one('create').answer(answer)
    expect(await done).toBeDefined()
    expect(reported).toHaveLength(1)
    expect(`${reported[0]?.message} ${reported[0]?.cause}`).toContain(message)
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'Milk' })
  })

  test('whose data does not fit its schema is reported; the response and the other results are stored', async () => {
    const { controller, create, getTodos, getPlain, server, reported } = openWithAlso(({ stats }) => [
      [getTodos, [{}], 'no list'],
      [getPlain, [], stats],
    ])
    controller.fetch(create, {}, {})
    await server.one('create').answer(answer)
    expect(reported[0]).toMatchObject({ name: 'CallbackError', callback: 'also' })
    expect(reported[0]?.cause).toBeInstanceOf(SchemaError)
    expect(controller.getResponse(getPlain).data).toBe(2)
    expect(controller.get(Todo, { id: '1' })).toBeDefined()
  })

  test('that throws is reported', async () => {
    const { controller, create, server, reported } = openWithAlso(() => {
      throw new Error('mine')
    })
    const done = controller.fetch(create, {}, {})
    await server.one('create').answer(answer)
    expect(await done).toBeDefined()
    expect(reported[0]).toMatchObject({ name: 'CallbackError', cause: { message: 'mine' } })
  })

  test('writes nothing if the request fails', async () => {
    const { controller, create, getPlain, server } = openWithAlso()
    controller.fetch(create, {}, {}).catch(() => {})
    await server.one('create').fail()
    expect(controller.getResponse(getPlain).data).toBeUndefined()
  })
})

import { Collection, Controller, Endpoint, Entity, RestEndpoint, Values } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from '../engine/clock.js'
import { ending, watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Plain extends Entity {
  static override key = 'Plain'
  id = ''
  title = ''
}
class Grouped extends Entity {
  static override key = 'Grouped'
  id = ''
  title = ''
  group = ''
}

/** A list for each group over HTTP: five has 10, ten has 20. The next response of a mutation is given by hand. */
async function groups(Item: typeof Plain | typeof Grouped) {
  const controller = new Controller({ env: new HandClock() })
  let answered: (response: Response) => void = () => {}
  const sent: string[] = []
  class Api<O extends { readonly path: string }> extends RestEndpoint<O> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      sent.push(`${init.method} ${url}`)
      return new Promise((resolve) => {
        answered = resolve
      })
    }
  }
  const list = new Api({
    path: '/g/:group/items',
    movePath: '/g/:group/items/:id',
    schema: new Collection([Item]),
  })
  const answer = async (body: unknown): Promise<void> => {
    answered(body === undefined ? new Response(null, { status: 204 }) : Response.json(body))
    await settle()
  }
  const load = async (group: string, id: string) => {
    const query = watch(controller.watch(list, { group }))
    await settle()
    await answer([{ id, title: `of ${group}`, ...(Item === Grouped ? { group } : {}) }])
    return query
  }
  const five = await load('five', '10')
  const ten = await load('ten', '20')
  sent.length = 0
  const shown = (): string =>
    `five[${five.now.data?.map(({ id }) => id)}] ten[${[...(ten.now.data ?? [])].map(({ id }) => id).sort()}]`
  return { controller, list, answer, shown, sent }
}

const responses = [
  ['the member whole', { id: '10', title: 'm', group: 'ten' }],
  ['without the field that the body changed', { id: '10', title: 'm' }],
  ['204', undefined],
] as const
const kinds = [
  ['lacks the field', Plain],
  ['has the field', Grouped],
] as const
const table = responses.flatMap(([said, answer]) =>
  kinds.flatMap(([has, Item]) => [
    { said, has, answer, Item, now: false },
    { said, has, answer, Item, now: true },
  ]),
)

describe('move matches by the row, merged with the body, merged with the response', () => {
  test.each(table)('response: $said, where the class $has, optimistic: $now', async ({ answer, Item, now }) => {
    const { controller, list, answer: reply, shown } = await groups(Item)
    const move = now ? list.move.extend({ getOptimisticResponse: () => ({ id: '10', group: 'ten' }) }) : list.move
    const end = ending(controller.fetch(move, { group: 'five', id: '10' }, { group: 'ten' } as never))
    if (now) expect(shown()).toBe('five[] ten[10,20]')
    await settle()
    await reply(answer)
    expect(end.isOver).toBe(true)
    expect(end.error).toBeUndefined()
    expect(shown()).toBe('five[] ten[10,20]')
  })

  test('the response overrides the body', async () => {
    const { controller, list, answer, shown } = await groups(Grouped)
    void controller.fetch(list.move, { group: 'five', id: '10' }, { group: 'ten' })
    await settle()
    await answer({ id: '10', group: 'five' })
    expect(shown()).toBe('five[10] ten[20]')
  })

  test('a row that differs from the body is fetched once', async () => {
    const { controller, list, answer, sent, shown } = await groups(Grouped)
    void controller.fetch(list.move, { group: 'five', id: '10' }, { group: 'ten' })
    await settle()
    sent.length = 0
    await answer({ id: '10', title: 'm' })
    expect(sent).toEqual(['GET /g/ten/items'])
    await answer([
      { id: '20', group: 'ten' },
      { id: '10', group: 'ten' },
    ])
    expect(shown()).toBe('five[] ten[10,20]')
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['lists by their arguments', new Collection([Grouped])],
    [
      'predicate lists',
      new Collection([Grouped], { belongs: (row, { group }: { readonly group?: string }) => row.group === group }),
    ],
  ])('%s: the body of a move does not win over what a later mutation has settled', async (_, list) => {
    const controller = new Controller({ env: new HandClock() })
    const replies: Record<string, (response: unknown) => void> = {}
    const pending = (name: string) => () =>
      new Promise<never>((resolve) => {
        replies[name] = resolve as (response: unknown) => void
      })
    const getList = new Endpoint(async (_: { readonly group: string }) => [] as unknown, { name: 'list', schema: list })
    type Call = (args: { readonly id: string }, body: { readonly group: string }) => Promise<never>
    const move = new Endpoint<Call>(pending('move'), { name: 'move', schema: list.move, sideEffect: true } as never)
    const patch = new Endpoint<Call>(pending('patch'), { name: 'patch', schema: Grouped, sideEffect: true } as never)
    controller.setResponse(getList, { group: 'five' }, [{ id: '10', group: 'five' }] as never)
    controller.setResponse(getList, { group: 'ten' }, [] as never)
    void controller.fetch(move, { id: '10' }, { group: 'ten' })
    void controller.fetch(patch, { id: '10' }, { group: 'five' })
    await settle()
    replies.patch?.({ id: '10', group: 'five' })
    await settle()
    replies.move?.({ id: '10', title: 'moved' })
    await settle()
    const ids = (group: string) => controller.get(list, { group })?.map(({ id }) => id)
    expect([ids('five'), ids('ten')]).toEqual([['10'], []])
  })

  test('a form as body', async () => {
    const { controller, list, answer, shown } = await groups(Plain)
    const form = new FormData()
    form.set('group', 'ten')
    void controller.fetch(list.move, { group: 'five', id: '10' }, form)
    await settle()
    await answer({ id: '10', title: 'm' })
    expect(shown()).toBe('five[] ten[10,20]')
  })

  test('each of several bodies decides for its own member', async () => {
    const board = open()
    const lists = new Collection([Plain])
    const five = await board.load('five', lists, [{ id: '10' }, { id: '11' }], { group: 'five' })
    const ten = await board.load('ten', lists, [{ id: '20' }], { group: 'ten' })
    const bodies = [
      { id: '20', group: 'five' },
      { id: '10', group: 'ten' },
    ]
    await board.run(
      'move',
      lists.move,
      [
        { id: '10', title: 'a' },
        { id: '20', title: 'b' },
      ],
      {},
      bodies,
    )
    expect([five, ten].map(({ now }) => now.data?.map(({ id }) => id))).toEqual([['11', '20'], ['10']])
  })

  test('also with a filter of one’s own', async () => {
    const board = open()
    const lists = new Collection([Plain], {
      createCollectionFilter:
        (params: { group?: string } = {}) =>
        (args) =>
          args.group === params.group,
    })
    const five = await board.load('five', lists, [{ id: '10' }], { group: 'five' })
    const ten = await board.load('ten', lists, [], { group: 'ten' })
    await board.run('move', lists.move, { id: '10', title: 'm' }, { id: '10', group: 'five' }, { group: 'ten' })
    expect([five, ten].map(({ now }) => now.data?.length)).toEqual([0, 1])
  })

  test('a list that was first requested before the move, and loaded after it, gets the member as well', async () => {
    const board = open()
    const lists = new Collection([Plain])
    const five = await board.load('five', lists, [{ id: '10' }], { group: 'five' })
    const ten = board.mount('ten', lists, { group: 'ten' })
    await settle()
    await board.run('move', lists.move, { id: '10', title: 'm' }, { id: '10', group: 'five' }, { group: 'ten' })
    await board.server.one('ten').answer([{ id: '20' }])
    expect([five, ten].map(({ now }) => now.data?.map(({ id }) => id))).toEqual([[], ['20', '10']])
  })
})

describe('predicate lists', () => {
  const all = new Collection([Grouped])
  const open10 = { id: '10', title: 'a', group: 'five' }

  test('a move that changes nothing in the row keeps its place in them', async () => {
    const board = open()
    // `status` is no field of the row: the plain Collection’s move takes the member for none of this list.
    const openOnes = new Collection([Grouped], { belongs: (row, args) => row.group === args.group })
    const list = await board.load('open', openOnes, [open10, { id: '11', group: 'five' }], {
      group: 'five',
      status: 'open',
    })
    await board.run('move', all.move, open10, { id: '10' }, { group: 'five' })
    expect(list.now.data?.map(({ id }) => id)).toEqual(['10', '11'])
    await board.run('move', all.move, undefined, { id: '10' }, { title: 'a' })
    expect(list.now.data?.map(({ id }) => id)).toEqual(['10', '11'])
  })

  test('a push of a row that does not belong leaves them unchanged, even if nothing in the row changed', async () => {
    const board = open()
    const openOnes = new Collection([Grouped], { belongs: (row) => row.group === 'six' })
    await board.run('get', Grouped, open10)
    const list = await board.load('open', openOnes, [], { group: 'five' })
    await board.run('push', all.push, open10, {})
    expect(list.now.data).toEqual([])
  })

  test('follow the body where the response lacks the field', async () => {
    const board = open()
    const known = new Collection([Grouped], { belongs: (row, args) => row.group === args.group })
    const five = await board.load('five', known, [open10], { group: 'five' })
    const ten = await board.load('ten', known, [], { group: 'ten' })
    await board.run('move', all.move, { id: '10', title: 'm' }, { id: '10' }, { group: 'ten' })
    expect([five, ten].map(({ now }) => now.data?.length)).toEqual([0, 1])
  })

  test('a pending member stands in its place also after a refetch that changes the others', async () => {
    class Ranked extends Entity {
      static override key = 'Ranked'
      id = ''
      rank = 0
    }
    const ranked = new Collection([Ranked], { compare: (a, b) => Number(a.rank) - Number(b.rank) })
    const board = open()
    const a1 = { id: 'a', rank: 1 }
    const list = await board.load('list', ranked, [a1, { id: 'b', rank: 2 }])
    const ids = () => list.now.data?.map(({ id }) => id).join('')
    const push = board.writer('push', ranked.push).extend({ getOptimisticResponse: () => ({ id: 'n', rank: 4 }) })
    void board.controller.fetch(push, {})
    expect(ids()).toBe('abn')
    void board.fetchRead('list', ranked, {})
    await board.server.one('list', -1).answer([a1, { id: 'b', rank: 5 }])
    expect(ids()).toBe('anb')
    await board.server.one('push').answer({ id: 'n', rank: 4 })
    expect(ids()).toBe('anb')
  })
})

describe('assign: in a map the key is the place', () => {
  const map = new Collection(new Values(Plain))
  const opened = async () => {
    const board = open()
    const shown = await board.load('map', map, { first: { id: '1' }, second: { id: '2' } })
    const ids = () => Object.fromEntries(Object.entries(shown.now.data ?? {}).map(([key, { id }]) => [key, id]))
    return { ...board, ids }
  }

  test.each([
    ['an entity that the map holds elsewhere', { added: { id: '1' } }, { first: '1', second: '2', added: '1' }],
    ['one over another that the map holds', { first: { id: '2' } }, { first: '2', second: '2' }],
    ['a new one over another', { first: { id: '9' } }, { first: '9', second: '2' }],
    ['one where it is', { second: { id: '2' } }, { first: '1', second: '2' }],
    ['one entity under two keys', { a: { id: '3' }, b: { id: '3' } }, { first: '1', second: '2', a: '3', b: '3' }],
  ])('%s', async (_, body, expected) => {
    const { run, ids } = await opened()
    await run('assign', map.assign, body, {}, body)
    expect(ids()).toEqual(expected)
  })

  test('optimistically, and back', async () => {
    const { controller, writer, server, ids } = await opened()
    const assign = writer('assign', map.assign).extend({ getOptimisticResponse: () => ({ first: { id: '2' } }) })
    const end = ending(controller.fetch(assign, {}))
    expect(ids()).toEqual({ first: '2', second: '2' })
    await server.one('assign').fail()
    expect(ids()).toEqual({ first: '1', second: '2' })
    expect(end.isOver).toBe(true)
  })

  test('of two for one key the one that started later stays, in whatever order they complete', async () => {
    const { mutate, server, ids } = await opened()
    void mutate('assign', map.assign, {})
    void mutate('assign', map.assign, {})
    await server.one('assign', 1).answer({ first: { id: '8' } })
    await server.one('assign', 0).answer({ first: { id: '9' } })
    expect(ids()).toEqual({ first: '8', second: '2' })
  })
})

describe('B17 a function of a Collection that throws while members come and go: the call fails and nothing is written', () => {
  const thrown = new Error('broken')
  const fail = (): never => {
    throw thrown
  }
  const cases = [
    ['nonFilterArgumentKeys', new Collection([Grouped], { nonFilterArgumentKeys: fail })],
    ['createCollectionFilter', new Collection([Grouped], { createCollectionFilter: fail })],
    ['createCollectionFilter', new Collection([Grouped], { createCollectionFilter: () => fail })],
    ['belongs', new Collection([Grouped], { belongs: (row) => (row.title === 'bad' ? fail() : true) })],
    [
      'compare',
      new Collection([Grouped], { compare: (a, b) => (a.title === 'bad' || b.title === 'bad' ? fail() : 0) }),
    ],
  ] as const

  for (const op of ['push', 'move', 'remove'] as const) {
    const able = cases.filter((_, i) => op !== 'remove' || i === 0)
    test.each(able)(`${op}: %s`, async (callback, lists) => {
      const board = open()
      const good = { id: '1', title: 'good', group: 'a' }
      const list = await board.load('list', lists, [{ ...good, id: '0' }, good], { group: 'a' })
      const before = list.now.data
      board.reported.length = 0
      const bad = { id: op === 'push' ? '2' : '1', title: 'bad', group: 'a' }
      const end = ending(board.mutate(op, lists[op], { group: 'a' }, bad))
      await board.server.one(op).answer(bad)
      expect(end.error).toMatchObject({ name: 'CallbackError', callback, cause: thrown })
      expect(list.now.data).toBe(before)
      expect(board.controller.get(Grouped, { id: bad.id })).toEqual(before?.find(({ id }) => id === bad.id))
      expect(board.reported.filter((error) => error !== end.error)).toEqual([])
    })
  }
})

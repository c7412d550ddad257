import { Collection, Endpoint } from '@roundtable/core'
import { expect, test } from 'vitest'
import { settle } from './clock.js'
import type { FakeRequest } from './fake-server.js'
import { ids, openBoard, Todo, type TodoData, Todos, watch } from './todo-board.js'

function orders<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items]
  return items.flatMap((first) => orders(items.filter((item) => item !== first)).map((rest) => [first, ...rest]))
}

/** A server that stores rows and answers with them. */
function openServer() {
  const rows = new Map<string, { id: string; title: string; userId: string }>()
  for (const id of ['1', '2']) rows.set(id, { id, title: `t${id}`, userId: '1' })
  rows.set('3', { id: '3', title: 't3', userId: '2' })
  const board = openBoard()
  board.server.on<[{ userId?: string }]>('getTodos', ({ userId }) =>
    [...rows.values()].filter((row) => row.userId === userId),
  )
  board.server.on<[{ id: string }, TodoData]>('move', ({ id }, body) => {
    rows.set(id, { ...rows.get(id), ...body } as { id: string; title: string; userId: string })
    return rows.get(id)
  })
  return {
    ...board,
    of: (userId: string) => [...rows.values()].filter((row) => row.userId === userId).map((r) => r.id),
  }
}

const steps = orders(['move', 'one', 'two'] as const)
/** The two lists are alike, so only the place of the move counts. */
const starts = steps.filter((order) => order.indexOf('one') < order.indexOf('two'))

test.each([false, true])(
  'R20: a row that moves while both lists are being refetched ends in exactly one, in every order (optimistic: %s)',
  async (isOptimistic) => {
    for (const sent of starts) {
      for (const applied of steps) {
        for (const delivered of steps) {
          const { controller, server, getTodos, move, of } = openServer()
          const moveNow = move.extend({ getOptimisticResponse: (_, { id }, body) => ({ id, ...body }) })
          const one = watch(controller.watch(getTodos, { userId: '1' }))
          const two = watch(controller.watch(getTodos, { userId: '2' }))
          await settle()
          for (const request of server.requests) await request.deliver()
          const flights = new Map<string, FakeRequest | undefined>()
          for (const what of sent) {
            if (what === 'move') void controller.fetch(isOptimistic ? moveNow : move, { id: '1' }, { userId: '2' })
            else void controller.fetch(getTodos, { userId: what === 'one' ? '1' : '2' })
            flights.set(what, server.requests.at(-1))
          }
          for (const what of applied) flights.get(what)?.apply()
          for (const what of delivered) await flights.get(what)?.deliver()
          // Refetches of the engine are answered until there are no more.
          for (let at = 5; at < server.requests.length; at++) await server.requests[at]?.deliver()
          const where = `sent ${sent}, applied ${applied}, delivered ${delivered}`
          expect([...(ids(one.now) ?? [])].sort(), where).toEqual(of('1'))
          expect([...(ids(two.now) ?? [])].sort(), where).toEqual([...of('2')].sort())
        }
      }
    }
  },
)

test('a mutation that a later one has overtaken puts no row into a list that was read since', async () => {
  const { controller, server, getTodos, move } = openBoard()
  const Kept = new Collection([Todo], { belongs: (todo, { userId }) => todo.userId === userId })
  const moveKept = move.extend({ schema: Kept.move })
  const list = watch(controller.watch(getTodos.extend({ schema: Kept }), { userId: '2' }))
  await settle()
  await server.one('getTodos').answer([])
  void controller.fetch(moveKept, { id: '1' }, { userId: '1', votes: 3 })
  void controller.fetch(moveKept, { id: '1' }, { userId: '2' })
  await server.one('move', 1).answer({ id: '1', userId: '2' })
  // Asked for the whole row; meanwhile somebody else has moved it away.
  await server.one('getTodos', 1).answer([{ id: '1', title: 't1', userId: '2' }])
  void controller.fetch(getTodos.extend({ schema: Kept }), { userId: '2' })
  await server.one('getTodos', 2).answer([])
  expect(ids(list.now)).toEqual([])
  await server.one('move', 0).answer({ id: '1', userId: '1' })
  expect(list.seen.map((seen) => ids(seen))).toEqual([[], ['1'], ['1'], []])
  // The two disagree, so the server is asked.
  expect(server.of('getTodos')).toHaveLength(4)
})

test.each(['the list', 'the row'])(
  'an older read of %s puts no row into a list with belongs that a newer read lacks',
  async (what) => {
    const { controller, server, getTodos, getTodo } = openBoard()
    const Kept = new Collection([Todo], { belongs: (todo, { userId }) => todo.userId === userId })
    const getKept = getTodos.extend({ schema: Kept })
    // Sent before somebody else deletes the row, and answered last.
    if (what === 'the list') controller.fetch(getKept, { userId: '2' }).catch(() => {})
    else controller.fetch(getTodo, { id: '1' }).catch(() => {})
    await settle()
    const older = server.requests.at(-1)
    controller.setResponse(getKept, { userId: '2' }, [])
    const list = watch(controller.watch(getKept, { userId: '2' }))
    const row = { id: '1', title: 't1', userId: '2' }
    await older?.answer(what === 'the list' ? [row] : row)
    expect(ids(list.now)).toEqual([])
  },
)

test('what crossing edits have left is not asked for again once anybody has asked', async () => {
  const { controller, server, clock, getTodo, patch } = openBoard({ retention: false })
  const get = getTodo.extend({ dataExpiryLength: 0 })
  controller.setResponse(get, { id: '1' }, { id: '1', title: 't', userId: '1', votes: 0 })
  const shown = watch(controller.watch(get, { id: '1' }))
  await settle()
  const before = server.of('getTodo').length
  await server.requests.at(-1)?.answer({ id: '1', title: 't', userId: '1', votes: 0 })
  for (const title of ['a', 'b']) controller.fetch(patch, { id: '1' }, { title }).catch(() => {})
  await server.one('patch', 1).answer({ id: '1', title: 'b' })
  await server.one('patch', 0).answer({ id: '1', title: 'a' })
  await server.one('getTodo', before).fail()
  controller.fetch(get, { id: '1' }).catch(() => {})
  await server.one('getTodo', before + 1).answer({ id: '1', title: 'a', userId: '1', votes: 0 })
  await clock.advance(120_000)
  expect(server.of('getTodo')).toHaveLength(before + 2)
  expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'a' } })
})

interface PageArgs {
  readonly userId: string
  readonly page: number
}

/** A board whose lists have further pages. */
function openPages() {
  const board = openBoard()
  const getPage = new Endpoint(board.server.on<[PageArgs]>('getPage'), {
    name: 'getPage',
    schema: Todos.paginated(({ page: _, ...list }: PageArgs) => [list]),
  })
  return { ...board, getPage }
}

test('a page from before a creation and a move that crossed does not put the row back, once the list was read again', async () => {
  const { controller, server, getTodos, getPage, create, move } = openPages()
  const list = watch(controller.watch(getTodos, { userId: '2' }))
  await settle()
  await server.one('getTodos').answer([{ id: '1', title: 't1', userId: '2' }])
  void controller.fetch(getPage, { userId: '2', page: 2 })
  void controller.fetch(move, { id: '6' }, { userId: '1' })
  void controller.fetch(create, {}, { title: 'new', userId: '2' })
  await server.one('create').answer({ id: '6', title: 'new', userId: '2' })
  expect(ids(list.now)).toEqual(['1', '6'])
  await server.one('move').answer({ id: '6', title: 'new', userId: '1' })
  // The order in which the server has applied the two is unknown, so it is asked.
  await server.one('getTodos', 1).answer([{ id: '1', title: 't1', userId: '2' }])
  expect(ids(list.now)).toEqual(['1'])
  await server.one('getPage').answer([])
  expect(ids(list.now)).toEqual(['1'])
})

test('a late page leaves out a row that was removed together with one about which mutations disagreed', async () => {
  const { controller, server, getTodos, getPage, patch, takeOut } = openPages()
  const list = watch(controller.watch(getTodos, { userId: '2' }))
  await settle()
  const [one, five, six] = ['1', '5', '6'].map((id) => ({ id, title: 't', userId: '2' }))
  await server.one('getTodos').answer([one, five, six])
  void controller.fetch(getPage, { userId: '2', page: 2 })
  void controller.fetch(patch, { id: '6' }, { title: 'a' })
  void controller.fetch(takeOut, { id: '5' })
  await server.one('takeOut').answer([{ id: '5' }, { id: '6', title: 'b' }])
  await server.one('patch').answer({ ...six, title: 'a' })
  await server.one('getTodos', 1).answer([one])
  expect(ids(list.now)).toEqual(['1'])
  await server.one('getPage').answer([five])
  expect(ids(list.now)).toEqual(['1'])
})

import { Collection, Entity, Invalidate, Union, Values } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { open } from './open.js'

class Task extends Entity {
  static override key = 'Task'
  id = ''
  group = ''
  rank = 0
}

const tasks = new Collection([Task], {
  belongs: (task, args) =>
    args.group === undefined ? true : task.group === undefined ? 'unknown' : task.group === args.group,
  compare: (a, b) => Number(a.rank ?? 0) - Number(b.rank ?? 0),
})
const task = (id: string, group: string, rank: number) => ({ id, group, rank })

async function withLists() {
  const board = open()
  const a = await board.load('a', tasks, [task('3', 'a', 3), task('1', 'a', 1)], { group: 'a' })
  const b = await board.load('b', tasks, [task('2', 'b', 2)], { group: 'b' })
  const all = await board.load('all', tasks, [task('1', 'a', 1), task('2', 'b', 2), task('3', 'a', 3)])
  const ids = () => [a, b, all].map(({ now }) => now.data?.map(({ id }) => id).join('')).join(' ')
  return { ...board, a, b, all, ids }
}

test("compare gets the list's arguments, so one Collection has lists in several orders", async () => {
  const ordered = new Collection([Task], {
    nonFilterArgumentKeys: ['sort'],
    compare: (a, b, { sort }) => (Number(a.rank ?? 0) - Number(b.rank ?? 0)) * (sort === 'down' ? -1 : 1),
  })
  const board = open()
  const up = await board.load('up', ordered, [task('1', 'a', 1), task('3', 'a', 3)], { sort: 'up' })
  const down = await board.load('down', ordered, [task('3', 'a', 3), task('1', 'a', 1)], { sort: 'down' })
  await board.run('push', ordered.push, task('2', 'a', 2))
  const ids = () => [up, down].map(({ now }) => now.data?.map(({ id }) => id).join(''))
  expect(ids()).toEqual(['123', '321'])
  board.controller.set(Task, { id: '1' }, { rank: 9 })
  expect(ids()).toEqual(['231', '132'])
})

describe('a Collection with a predicate (belongs)', () => {
  test('is sorted from the start', async () => {
    expect((await withLists()).ids()).toBe('13 2 123')
  })

  test('gains and loses a row by any write, in one step', async () => {
    const { controller, run, ids, a, b } = await withLists()
    await run('patch', Task, { id: '1', group: 'b' })
    expect(ids()).toBe('3 12 123')
    const notified = [a.notified, b.notified]
    controller.set(Task, { id: '1' }, { group: 'a', rank: 9 })
    expect(ids()).toBe('31 2 231')
    expect([a.notified, b.notified]).toEqual(notified.map((times) => times + 1))
    await run('create', Task, task('0', 'b', 0))
    expect(ids()).toBe('31 02 0231')
    await run('delete', new Invalidate(Task), { id: '0' })
    expect(ids()).toBe('31 2 231')
  })

  test('keeps its references when a write changes nothing of it', async () => {
    const { run, a, b, all } = await withLists()
    const before = [a, b, all].map(({ now }) => now.data)
    await run('patch', Task, task('1', 'a', 1))
    expect([a, b, all].map(({ now }) => now.data)).toEqual(before)
    for (const [i, { now }] of [a, b, all].entries()) expect(now.data).toBe(before[i])
  })

  test('follows an optimistic change, and is restored with it', async () => {
    const { controller, writer, server, ids } = await withLists()
    const patch = writer('patch', Task).extend({ getOptimisticResponse: (_, ...[, body]) => body })
    const first = controller.fetch(patch, {}, { id: '1', group: 'b', rank: 5 }).catch(() => 'failed')
    void controller.fetch(patch, {}, { id: '3', group: 'b', rank: 4 })
    expect(ids()).toBe(' 231 231')
    await server.one('patch', 0).fail()
    expect(await first).toBe('failed')
    expect(ids()).toBe('1 23 123')
    await server.one('patch', 1).answer(task('3', 'b', 0))
    expect(ids()).toBe('1 32 312')
  })

  test('is in order also where pending rows stand beside rows that change, or that another response no longer changes', async () => {
    const { controller, writer, server, ids } = await withLists()
    const patch = writer('patch', Task).extend({ getOptimisticResponse: (_, ...[, body]) => body })
    controller.fetch(patch, {}, { id: '1', rank: 8 }).catch(() => {})
    void controller.fetch(patch, {}, { id: '3', group: 'a', rank: 5 })
    expect(ids()).toBe('31 2 231')
    await server.one('patch', 0).fail()
    expect(ids()).toBe('13 2 123')
    // The server's lists stay as they are; between 3 and 6 stands what is pending.
    controller.set(Task, { id: '1' }, { rank: 6 })
    expect(ids()).toBe('31 2 231')
    controller.set(Task, { id: '1' }, { rank: 4 })
    expect(ids()).toBe('13 2 213')
  })

  test('shows an optimistic creation, and the real row in its place', async () => {
    const { controller, writer, server, ids } = await withLists()
    const create = writer('create', tasks.push).extend({ getOptimisticResponse: () => ({ group: 'a', rank: 2 }) })
    void controller.fetch(create, {}, {})
    expect(ids()).toMatch(/^1optimistic:\d+3 2 1/)
    await server.one('create').answer(task('9', 'a', 2))
    expect(ids()).toBe('193 2 1293')
  })

  test('is fetched again if the row does not decide', async () => {
    const { controller, server, run, ids } = await withLists()
    const requested = server.requests.length
    await run('create', Task, { id: '7', rank: 7 })
    await settle()
    const sent = server.requests.slice(requested + 1).map(({ name }) => name)
    expect(sent.sort()).toEqual(['a', 'b'])
    await server.one('a', -1).answer([task('1', 'a', 1), task('3', 'a', 3), task('7', 'a', 7)])
    await server.one('b', -1).answer([task('2', 'b', 2)])
    expect(ids()).toBe('137 2 1237')
    expect(controller.get(Task, { id: '7' })?.group).toBe('a')
    expect(server.requests).toHaveLength(requested + 3)
  })

  test('is not overruled by a read of a list that started before a change', async () => {
    const { fetchRead, server, run, ids } = await withLists()
    void fetchRead('a', tasks, { group: 'a' })
    await run('patch', Task, { id: '1', group: 'b' })
    await server.one('a', -1).answer([task('1', 'a', 1), task('3', 'a', 3)])
    expect(ids()).toBe('3 12 123')
  })

  test('is left as it is by a read that comes after a later one, also where a mutation came between', async () => {
    const { fetchRead, server, run, ids } = await withLists()
    void fetchRead('a', tasks, { group: 'a' })
    await run('patch', Task, { id: '1', rank: 4 })
    void fetchRead('a', tasks, { group: 'a' })
    // Somebody else has moved it.
    await server.one('a', -1).answer([task('3', 'a', 3)])
    expect(ids()).toBe('3 2 231')
    await server.one('a', -2).answer([task('1', 'a', 1), task('3', 'a', 3)])
    expect(ids()).toBe('3 2 231')
  })

  test('gains rows that were created during its first load', async () => {
    const board = open()
    const query = board.mount('a', tasks, { group: 'a' })
    await settle()
    await board.run('create', Task, task('5', 'a', 0))
    await board.server.one('a').answer([task('1', 'a', 1)])
    expect(query.now.data?.map(({ id }) => id)).toEqual(['5', '1'])
  })

  test('may be of a union, and of Values', async () => {
    class Bug extends Task {
      static override key = 'Bug'
    }
    const both = new Collection(
      [new Union({ task: Task, bug: Bug }, (value: { readonly bug?: boolean }) => (value.bug ? 'bug' : 'task'))],
      {
        belongs: (row, args) => row.group === args.group,
      },
    )
    const map = new Collection(new Values(Task), { belongs: (row, args) => row.group === args.group })
    const board = open()
    const list = await board.load('list', both, [task('1', 'a', 1)], { group: 'a' })
    const values = await board.load('values', map, { x: task('1', 'a', 1) }, { group: 'a' })
    await board.run('bug', Bug, { id: '1', group: 'a' })
    await board.run('task', Task, task('2', 'a', 1))
    expect(list.now.data?.map((row) => row.constructor)).toEqual([Task, Bug, Task])
    expect(Object.keys(values.now.data ?? {})).toEqual(['2', 'x'])
    await board.run('task', Task, task('1', 'c', 1))
    expect(list.now.data).toHaveLength(2)
    expect(Object.keys(values.now.data ?? {})).toEqual(['2'])
  })

  test('a function of it that throws is reported; the response is stored and the list is unchanged', async () => {
    const broken = new Collection([Task], {
      belongs: (row) => {
        if (row.group === 'bad') throw new Error('broken')
        return true
      },
    })
    const board = open()
    const list = await board.load('list', broken, [task('1', 'a', 1)])
    await board.run('patch', Task, task('2', 'bad', 1))
    expect(board.reported).toMatchObject([{ name: 'CallbackError', callback: 'belongs' }])
    expect(list.now.data).toHaveLength(1)
    expect(board.controller.get(Task, { id: '2' })?.group).toBe('bad')
  })
})

test('B17 a user’s own filter that throws refuses the response: nothing of it is stored', async () => {
  const filtered = new Collection([Task], {
    createCollectionFilter: () => () => {
      throw new Error('broken')
    },
  })
  const board = open()
  const list = await board.load('list', filtered, [task('1', 'a', 1)])
  const created = board.mutate('push', filtered.push, {})
  const refused = expect(created).rejects.toMatchObject({ name: 'CallbackError', callback: 'createCollectionFilter' })
  await board.server.one('push').answer(task('2', 'a', 1))
  await refused
  expect(board.controller.get(Task, { id: '2' })).toBeUndefined()
  expect(list.now.data).toHaveLength(1)
  expect(board.reported).toEqual([])
})

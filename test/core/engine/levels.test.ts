import { Collection, Entity, Union } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { open } from '../schemas/open.js'
import { settle } from './clock.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  title = ''
  note = ''
}

/** Its responses never change what is known, but for its first. */
class Fixed extends Entity {
  static override key = 'Fixed'
  id = ''
  title = ''

  static override shouldUpdate(): boolean {
    return false
  }
}

class Broken extends Entity {
  static override key = 'Broken'
  id = ''

  static override merge(): never {
    throw new Error('mine')
  }
}

class Task extends Entity {
  static override key = 'Task'
  id = ''
  group = ''
  rank = 0
}

const items = new Collection([Item])
const tasks = new Collection([Task], {
  belongs: (task, args) => args.group === undefined || task.group === args.group,
  compare: (a, b) => Number(a.rank ?? 0) - Number(b.rank ?? 0),
})
const item = (id: string) => ({ id, title: `t${id}` })
const task = (id: string, group: string, rank = 0) => ({ id, group, rank })
const byPage = ({ page: _, ...rest }: Readonly<Record<string, unknown>>) => [rest]

/** A controller, and mutations that show their body until they are answered. */
function start() {
  const board = open()
  const optimistic = <const S extends Parameters<typeof board.writer>[1]>(name: string, schema: S, body: unknown) => {
    const endpoint = board.writer(name, schema).extend({ getOptimisticResponse: (_, ...[, shown]) => shown })
    board.controller.fetch(endpoint, {}, body).catch(() => {})
    return board.server.one(name, -1)
  }
  return { ...board, optimistic }
}

async function withItems() {
  const board = start()
  const list = await board.load('list', items, [item('a'), item('b')])
  return { ...board, list, ids: () => list.now.data?.map(({ id }) => id).join('') }
}

/** A list of the pages `a b` and `c d`. */
async function withPages() {
  const board = await withItems()
  void board.controller.fetch(board.reader('page', items.paginated(byPage)), { page: 2 })
  await board.server.one('page').answer([item('c'), item('d')])
  return board
}

describe('fields', () => {
  test('that server state lacks are shown as the last layer has them, though a later response left them out', async () => {
    const { controller, optimistic, mutate, server } = await withItems()
    optimistic('first', Item, { id: 'a', note: 'one' })
    optimistic('second', Item, { id: 'a', note: 'two' })
    void mutate('third', Item)
    await server.one('third').answer({ id: 'a', title: 'edited' })
    expect(controller.get(Item, { id: 'a' })).toMatchObject({ title: 'edited', note: 'two' })
  })

  test('leave a layer once a later mutation has completed, also if its response changed nothing', async () => {
    const { controller, optimistic, run } = await withItems()
    optimistic('first', Item, { id: 'a', title: 'pending' })
    expect(controller.get(Item, { id: 'a' })?.title).toBe('pending')
    await run('second', Item, item('a'))
    expect(controller.get(Item, { id: 'a' })?.title).toBe('ta')
  })

  test('of a class with its own order are shown by layers too', async () => {
    const { controller, optimistic, run } = start()
    await run('create', Fixed, { id: '1', title: 'first' })
    await run('patch', Fixed, { id: '1', title: 'second' })
    expect(controller.get(Fixed, { id: '1' })?.title).toBe('first')
    optimistic('patch', Fixed, { id: '1', title: 'pending' })
    expect(controller.get(Fixed, { id: '1' })?.title).toBe('pending')
  })

  test('are not written at all where a merge of the same response throws', async () => {
    const { controller, run, mutate, server } = await withItems()
    const both = new Union({ item: Item, broken: Broken }, ({ kind }: { kind: 'item' | 'broken' }) => kind)
    await run('create', Broken, { id: '1' })
    const sent = mutate('patch', [both]).catch((error: unknown) => error)
    await server.one('patch').answer([
      { kind: 'item', id: 'a', title: 'edited' },
      { kind: 'broken', id: '1' },
    ])
    expect(await sent).toMatchObject({ message: expect.stringContaining('mine') })
    expect(controller.get(Item, { id: 'a' })?.title).toBe('ta')
  })

  test('of a mutation whose response has no body stay without those of the layers below', async () => {
    const { controller, writer, server } = await withItems()
    const more = (name: string) => {
      const endpoint = writer(name, Item).extend({
        getOptimisticResponse: (snapshot) => ({ id: 'a', title: `${snapshot.get(Item, { id: 'a' })?.title}+` }),
      })
      controller.fetch(endpoint).catch(() => {})
    }
    more('first')
    more('second')
    expect(controller.get(Item, { id: 'a' })?.title).toBe('ta++')
    await server.one('second').answer(null)
    await server.one('first').fail()
    expect(controller.get(Item, { id: 'a' })?.title).toBe('ta+')
  })
})

describe('a whole list', () => {
  test('in a read counts although a mutation completed since the read began', async () => {
    const { fetchRead, mutate, server, ids } = await withItems()
    void mutate('order', items)
    void fetchRead('list', items, {})
    await server.one('order').answer([item('b'), item('a')])
    expect(ids()).toBe('ba')
    await server.one('list', -1).answer([item('a'), item('b')])
    expect(ids()).toBe('ab')
  })

  test('of a layer gets members of mutations that started later, not of those before it', async () => {
    const { mutate, server, optimistic, ids } = await withItems()
    void mutate('before', items.push)
    optimistic('order', items, [item('b'), item('a')])
    void mutate('after', items.push)
    await server.one('before').answer(item('c'))
    await server.one('after').answer(item('d'))
    expect(ids()).toBe('bad')
  })

  test('of a layer joins the stored pages, as a response does', async () => {
    const { optimistic, ids } = await withPages()
    expect(ids()).toBe('abcd')
    const sent = optimistic('order', items, [item('b'), item('a')])
    expect(ids()).toBe('bacd')
    await sent.fail()
    expect(ids()).toBe('abcd')
  })

  test('of a layer is skipped once a later mutation returned the list', async () => {
    const { optimistic, run, ids } = await withPages()
    optimistic('order', items, [item('b'), item('a')])
    await run('again', items, [item('a'), item('b')])
    expect(ids()).toBe('abcd')
  })
})

describe('members', () => {
  test('that a layer removed belong to no page any more: pushed again, they stand at the end', async () => {
    const { optimistic, ids } = await withPages()
    optimistic('remove', items.remove, { id: 'a' })
    optimistic('push', items.push, item('a'))
    expect(ids()).toBe('bcda')
    optimistic('order', items, [item('b')])
    expect(ids()).toBe('bcda')
  })

  test('are not removed by a layer once a later mutation added them, also if they were there', async () => {
    const { optimistic, run, ids } = await withItems()
    optimistic('remove', items.remove, { id: 'a' })
    expect(ids()).toBe('b')
    await run('push', items.push, item('a'))
    expect(ids()).toBe('ab')
  })
})

describe('a predicate list', () => {
  async function withTasks(rows: readonly object[]) {
    const board = start()
    const list = await board.load('list', tasks, rows, { group: 'a' })
    return { ...board, ids: () => list.now.data?.map(({ id }) => id).join('') }
  }

  test('checks each row that a layer mentions, and of server state only rows that changed', async () => {
    // A list in a response overrides the predicate.
    const { optimistic, ids } = await withTasks([task('1', 'b', 1), task('2', 'a', 2)])
    expect(ids()).toBe('12')
    const sent = optimistic('patch', Task, task('1', 'b', 1))
    expect(ids()).toBe('2')
    await sent.answer(task('1', 'b', 1))
    expect(ids()).toBe('12')
  })

  test('that a mutation returns whole is checked against its rows, optimistically and on the response', async () => {
    const { controller, writer, server, ids } = await withTasks([])
    const order = writer('order', tasks).extend({ getOptimisticResponse: (_, ...[, shown]) => shown })
    const rows = [task('1', 'a', 1), task('2', 'b', 2)]
    void controller.fetch(order, { group: 'a' }, rows)
    expect(ids()).toBe('1')
    await server.one('order').answer(rows)
    expect(ids()).toBe('1')
  })

  test('is sorted again by layers above one that puts a row into it, when that row changes below', async () => {
    const { controller, optimistic, ids } = await withTasks([])
    optimistic('first', Task, { id: '1', group: 'a' })
    optimistic('second', Task, task('2', 'a', 4))
    expect(ids()).toBe('12')
    controller.set(Task, { id: '1' }, { rank: 6 })
    expect(ids()).toBe('21')
  })

  test('is sorted again by layers above one that fails, also if that one did not change the order', async () => {
    const { optimistic, ids } = await withTasks([task('1', 'a', 1), task('2', 'a', 5), task('3', 'a', 9)])
    const first = optimistic('first', Task, task('1', 'a', 4))
    expect(ids()).toBe('123')
    optimistic('second', Task, task('3', 'a', 3))
    expect(ids()).toBe('312')
    await first.fail()
    await settle()
    expect(ids()).toBe('132')
  })
})

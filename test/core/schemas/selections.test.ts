import {
  All,
  CallbackError,
  Controller,
  countBy,
  Endpoint,
  Entity,
  Invalidate,
  OptionError,
  Query,
} from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { author: User }
  id = ''
  status = 'open'
  rank = 0
  author: User | undefined = undefined
}

const getTodos = new Endpoint(async () => [], { name: 'getTodos', schema: [Todo] })

/** A controller with some todos: rank and id are equal. */
function open(count: number) {
  const reported: Error[] = []
  const clock = new HandClock()
  const controller = new Controller({ env: clock, onError: (error) => reported.push(error) })
  const todos = Array.from({ length: count }, (_, rank) => ({ id: `${rank}`, rank }))
  controller.setResponse(getTodos, todos)
  const idsOf = (rows: readonly Todo[] | undefined): string | undefined => rows?.map(({ id }) => id).join('')
  return { clock, controller, reported, idsOf }
}

describe('a selection', () => {
  test('asks belongs only of rows that changed, and renders nothing for a row outside', () => {
    const { controller } = open(1_000)
    const belongs = vi.fn((todo: Todo) => todo.status === 'open')
    const shown = watch(controller.view(new All(Todo, { belongs })))
    controller.set(Todo, { id: '5' }, { status: 'done' })
    belongs.mockClear()
    const before = shown.now
    controller.set(Todo, { id: '5' }, { status: 'late' })
    expect([belongs.mock.calls.length, shown.notified, shown.now === before]).toEqual([1, 1, true])
    controller.set(Todo, { id: '7' }, { rank: 700 })
    expect([belongs.mock.calls.length, shown.notified]).toEqual([2, 2])
    expect(shown.now?.filter((todo, at) => todo !== before?.[at])).toEqual([controller.get(Todo, { id: '7' })])
  })

  test('finds the place of a row by few comparisons', () => {
    const { controller, idsOf } = open(1_000)
    const compare = vi.fn((a: Todo, b: Todo) => b.rank - a.rank)
    const shown = watch(controller.view(new All(Todo, { compare, limit: 3 })))
    expect(idsOf(shown.now)).toBe('999998997')
    compare.mockClear()
    controller.set(Todo, { id: '3' }, { rank: 998.5 })
    expect(idsOf(shown.now)).toBe('9993998')
    expect(compare.mock.calls.length).toBeLessThan(30)
  })

  test('keeps its array while nothing in its window changes', () => {
    const { controller } = open(10)
    const shown = watch(controller.view(new All(Todo, { limit: 3 })))
    const before = shown.now
    controller.set(Todo, { id: '5' }, { rank: 100 })
    controller.set(User, { id: '1' }, { name: 'Ann' })
    expect([shown.now === before, shown.notified]).toEqual([true, 0])
  })

  test('follows the relations of its rows', () => {
    const { controller, idsOf } = open(3)
    const byAnn = watch(controller.view(new All(Todo, { belongs: (todo) => todo.author?.name === 'Ann' })))
    controller.setResponse(getTodos, [{ id: '1', author: { id: '7', name: 'Ann' } }])
    expect(idsOf(byAnn.now)).toBe('1')
    controller.set(User, { id: '7' }, { name: 'Bob' })
    expect(idsOf(byAnn.now)).toBe('')
  })

  test('is one for all readers with the same arguments', () => {
    const { controller } = open(10)
    const belongs = vi.fn((todo: Todo, { status }: { status: string }) => todo.status === status)
    const ofStatus = new All(Todo, { belongs })
    const first = watch(controller.view(ofStatus, { status: 'open' }))
    const second = watch(controller.view(new Query(ofStatus, (todos) => todos), { status: 'open' }))
    expect(belongs).toHaveBeenCalledTimes(10)
    expect(second.now).toBe(first.now)
    expect(controller.get(ofStatus, { status: 'open' })).toBe(first.now)
    expect(controller.get(ofStatus, { status: 'done' })).toEqual([])
  })

  test('shows what a layer shows, and what was before if it fails', async () => {
    const { controller, idsOf } = open(3)
    const shown = watch(controller.view(new All(Todo, { belongs: (todo) => todo.status === 'open' })))
    const before = shown.now
    const failing = new Endpoint((_id: { id: string }) => Promise.reject(new Error('offline')), {
      name: 'finish',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, { id }) => ({ id, status: 'done' }),
    })
    const sent = controller.fetch(failing, { id: '1' }).catch(() => 'failed')
    expect(idsOf(shown.now)).toBe('02')
    await sent
    expect(idsOf(shown.now)).toBe('012')
    expect(shown.now).toEqual(before)
  })

  test('is seen by optimistic responses as it is below them', () => {
    const { controller, idsOf } = open(3)
    const openTodos = new All(Todo, { belongs: (todo) => todo.status === 'open', compare: (a, b) => b.rank - a.rank })
    const seen: unknown[] = []
    const finish = new Endpoint(async (_id: { id: string }) => ({}), {
      name: 'finish',
      schema: Todo,
      sideEffect: true,
      getOptimisticResponse: (snapshot, { id }) => {
        seen.push(idsOf(snapshot.get(openTodos)), snapshot.get(countBy(openTodos, ({ status }) => status)))
        return { id, status: 'done' }
      },
    })
    controller.fetch(finish, { id: '0' }).catch(() => {})
    controller.fetch(finish, { id: '1' }).catch(() => {})
    expect(seen).toEqual(['210', { open: 3 }, '21', { open: 2 }])
  })

  test('shows a row again that was deleted and came back, at its place', () => {
    const { controller, idsOf } = open(3)
    const remove = new Endpoint(async () => ({}), { name: 'remove', schema: new Invalidate(Todo), sideEffect: true })
    const shown = watch(controller.view(new All(Todo, { belongs: (todo) => todo.status === 'open' })))
    controller.setResponse(remove, { id: '1' })
    expect(idsOf(shown.now)).toBe('02')
    controller.setResponse(getTodos, [{ id: '1' }])
    expect(idsOf(shown.now)).toBe('012')
  })

  test('keeps the rows of its entities from being dropped, whether they belong or not, and deleted ones not', async () => {
    const { clock, controller, idsOf } = open(4)
    const remove = new Endpoint(async () => ({}), { name: 'remove', schema: new Invalidate(Todo), sideEffect: true })
    const shown = watch(controller.view(new All(Todo, { belongs: (todo) => todo.rank > 1, limit: 1 })))
    controller.setResponse(remove, { id: '3' })
    await clock.advance(3_600_000)
    expect(idsOf(controller.get(new All(Todo)))).toBe('012')
    shown.stop()
    await clock.advance(3_600_000)
    expect(controller.get(new All(Todo))).toEqual([])
  })

  test('that fails reports the error, shows nothing, and recovers with the next change', () => {
    const { controller, reported, idsOf } = open(3)
    const options = {
      belongs: (todo: Todo) => (todo.author?.name ?? 'Ann').startsWith('A'),
      compare: (a: Todo, b: Todo) => (a.status === 'odd' || b.status === 'odd' ? fail('odd') : a.rank - b.rank),
      limit: () => 2,
    }
    const shown = watch(controller.view(new All(Todo, options)))
    expect(idsOf(shown.now)).toBe('01')
    controller.set(Todo, { id: '2' }, { status: 'odd' })
    expect([shown.now, reported.length]).toEqual([undefined, 1])
    expect(reported[0]).toBeInstanceOf(CallbackError)
    expect(reported[0]?.message).toContain('compare of new All(Todo) threw: odd. See cause.')
    expect(() => controller.get(new All(Todo, options))).toThrow(CallbackError)
    controller.set(Todo, { id: '2' }, { status: 'open' })
    expect([idsOf(shown.now), reported.length]).toEqual(['01', 1])
    controller.setResponse(getTodos, [{ id: '0', author: { id: '7', name: 5 } }])
    expect(reported[1]?.message).toMatch(/^belongs of new All\(Todo\) threw/)
    controller.set(User, { id: '7' }, { name: 'Bob' })
    expect(idsOf(shown.now)).toBe('12')
    const counts = watch(controller.view(countBy(new All(Todo), () => fail('no group'))))
    expect(counts.now).toBeUndefined()
    expect(reported.at(-1)?.message).toContain('countBy of new All(Todo) threw: no group. See cause.')
  })

  test('with an order that contradicts itself still has every row once', () => {
    const { controller } = open(50)
    let turn = 0
    const shown = watch(controller.view(new All(Todo, { compare: () => ((++turn * 7919) % 3) - 1 })))
    for (let i = 0; i < 200; i++) controller.set(Todo, { id: `${(i * 31) % 50}` }, { rank: i })
    expect(new Set(shown.now).size).toBe(50)
    expect(shown.now).toHaveLength(50)
  })

  test('shows each row once if a class has two names in a union', () => {
    const { controller, idsOf } = open(2)
    expect(idsOf(controller.get(new All({ a: Todo, b: Todo }, () => 'a')))).toBe('01')
  })

  test('needs an entity or a union, and a limit of 0 or more', () => {
    // @ts-expect-error options, not a function
    expect(() => new All(Todo, (todo: Todo) => todo.rank > 1)).toThrow(/'kinds' .* must be entities by name/)
    expect(() => new All(Todo, { limit: -1 })).toThrow(OptionError)
    expect(() => new All(Todo, { limit: Number.NaN })).toThrow(/'limit' of All must be 0 or more, found NaN/)
    // @ts-expect-error an array is none
    expect(() => countBy([Todo], () => '')).toThrow(/Count the members of a list with a Query/)
  })

  test('does not hold a row for which belongs returns nothing, and its empty array is frozen too', () => {
    const { controller } = open(3)
    // As in a script without types.
    const belongs = (todo: Todo) => (todo as { pinned?: boolean }).pinned as boolean
    const none = controller.view(new All(Todo, { belongs }))
    none.subscribe(() => {})
    expect([none.getSnapshot(), Object.isFrozen(none.getSnapshot())]).toEqual([[], true])
    expect(controller.get(new All(Todo, { belongs }))).toEqual([])
  })

  test.each([
    [2.3, '210209'],
    [undefined, 211],
    [-1, /limit of new All\(Todo\) threw: Option 'limit' of All must be 0 or more, found -1/],
    [Number.NaN, /found NaN/],
  ])('with a function that returns a limit of %s is the same, mounted or not', (limit, expected) => {
    const { controller, reported, idsOf } = open(211)
    const all = new All(Todo, { compare: (a, b) => b.rank - a.rank, limit: () => limit })
    const shown = controller.view(all)
    shown.subscribe(() => {})
    if (typeof expected === 'number') expect(shown.getSnapshot()).toHaveLength(expected)
    else if (typeof expected === 'string') expect(idsOf(shown.getSnapshot())).toBe(expected)
    else {
      expect(reported[0]?.message).toMatch(expected)
      expect(() => controller.get(all)).toThrow(expected)
      return
    }
    expect(idsOf(controller.get(all))).toBe(idsOf(shown.getSnapshot()))
  })

  test('is right again after a reset', () => {
    const { controller, idsOf } = open(3)
    const shown = watch(controller.view(new All(Todo, { limit: 2 })))
    controller.resetEntireStore()
    expect(shown.now).toBeUndefined()
    controller.setResponse(getTodos, [{ id: '9' }])
    expect(idsOf(shown.now)).toBe('9')
  })
})

describe('countBy', () => {
  test('changes the numbers of the groups of a row that changed', () => {
    const { controller } = open(3)
    const groupOf = vi.fn((todo: Todo) => todo.status)
    const counts = watch(controller.view(countBy(new All(Todo, { belongs: (todo) => todo.rank < 2 }), groupOf)))
    expect(counts.now).toEqual({ open: 2 })
    groupOf.mockClear()
    controller.set(Todo, { id: '1' }, { status: 'done' })
    expect(counts.now).toEqual({ done: 1, open: 1 })
    expect([groupOf.mock.calls.length, counts.notified]).toEqual([1, 1])
    const before = counts.now
    controller.set(Todo, { id: '2' }, { status: 'done' })
    controller.set(Todo, { id: '1' }, { rank: 0.5 })
    expect([counts.now === before, counts.notified]).toEqual([true, 1])
  })

  test('has the names of its groups in order, and no others', () => {
    const { controller } = open(3)
    controller.set(Todo, { id: '0' }, { status: 'toString' })
    controller.set(Todo, { id: '1' }, { status: '__proto__' })
    const counts = controller.get(countBy(new All(Todo), ({ status }) => status))
    expect(Object.keys(counts ?? {})).toEqual(['__proto__', 'open', 'toString'])
    expect(Object.getPrototypeOf(counts)).toBeNull()
  })
})

describe('a Query with each', () => {
  test('computes only the values of members that changed', async () => {
    const { controller } = open(5)
    const each = vi.fn(({ id, status }: Todo) => `${id} ${status}`)
    const texts = watch(controller.view(new Query(new All(Todo, { compare: (a, b) => a.rank - b.rank }), { each })))
    each.mockClear()
    controller.set(Todo, { id: '2' }, { status: 'done' })
    expect(texts.now).toEqual(['0 open', '1 open', '2 done', '3 open', '4 open'])
    controller.set(Todo, { id: '0' }, { rank: 3.5 })
    expect(texts.now).toEqual(['1 open', '2 done', '3 open', '0 open', '4 open'])
    expect(each).toHaveBeenCalledTimes(2)
    const before = texts.now
    controller.setResponse(getTodos, [{ id: '2', author: { id: '7', name: 'Ann' } }])
    expect(texts.now).toBe(before)
    expect(each).toHaveBeenCalledTimes(3)
    await settle()
  })

  test('maps the members of a response too, as they come and go', () => {
    const { controller } = open(0)
    const each = vi.fn(({ id }: Todo) => ({ id }))
    const listed = new Endpoint(async () => [], { name: 'listed', schema: new Query([Todo], { each }) })
    const shown = watch(controller.peek(listed))
    controller.setResponse(listed, [{ id: 'a' }, { id: 'b' }, { id: 'c' }] as never)
    const [a, , c] = shown.now ?? []
    controller.setResponse(listed, [{ id: 'c' }, { id: 'd' }, { id: 'a' }] as never)
    expect(shown.now).toEqual([{ id: 'c' }, { id: 'd' }, { id: 'a' }])
    expect([shown.now?.[0] === c, shown.now?.[2] === a, each.mock.calls.length]).toEqual([true, true, 4])
  })

  test('a function does not run again for rows outside of what it is given', () => {
    const { controller } = open(5)
    const count = vi.fn((todos: readonly Todo[]) => todos.length)
    const all = new All(Todo, { belongs: (todo) => todo.rank < 2 })
    const shown = watch(controller.view(new Query(all, count)))
    controller.set(Todo, { id: '4' }, { status: 'done' })
    expect([shown.now, count.mock.calls.length]).toEqual([2, 1])
  })
})

function fail(text: string): never {
  throw new Error(text)
}

describe('rows are in the order in which they came, whoever has asked for one before', () => {
  const all = new All(Todo)
  const getTodo = new Endpoint(async ({ id }: { id: string }) => ({ id }), { name: 'getTodo', schema: Todo })
  const put = new Endpoint((_id: { id: string }) => Promise.reject<object>(new Error('refused')), {
    name: 'put',
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse: (_snapshot, { id }) => ({ id }),
  })
  /** A controller with the todos 1 and 2, and what `All` shows of them: read before, or only at the end. */
  function watched(isReadBefore: boolean) {
    const controller = new Controller({ env: new HandClock() })
    controller.setResponse(getTodos, [{ id: '1' }, { id: '2' }])
    if (isReadBefore) watch(controller.view(all))
    return {
      controller,
      shown: () =>
        controller
          .get(all)
          ?.map(({ id }) => id)
          .join(''),
    }
  }

  test.each([
    ['a reader', (controller: Controller) => watch(controller.view(Todo, { id: '4' }))],
    ['controller.get', (controller: Controller) => controller.get(Todo, { id: '4' })],
    ['a peek', (controller: Controller) => watch(controller.peek(getTodo, { id: '4' }))],
  ])('%s', (_, ask) => {
    for (const isReadBefore of [true, false]) {
      const { controller, shown } = watched(isReadBefore)
      ask(controller)
      controller.setResponse(getTodos, [{ id: '3' }, { id: '4' }, { id: '5' }])
      expect(shown()).toBe('12345')
    }
  })

  test('a relation to a row that is missing', () => {
    class Comment extends Entity {
      static override key = 'Comment'
      static override schema = { todo: Todo }
      id = ''
      todo: Todo | undefined = undefined
    }
    for (const isReadBefore of [true, false]) {
      const { controller, shown } = watched(isReadBefore)
      controller.set(Comment, { id: '1' }, { todo: '4' } as never)
      watch(controller.view(Comment, { id: '1' }))
      controller.setResponse(getTodos, [{ id: '3' }, { id: '4' }])
      expect(shown()).toBe('1234')
    }
  })

  test('a creation that was taken back, and comes again', async () => {
    const { controller, shown } = watched(true)
    const sent = controller.fetch(put, { id: '4' }).catch(() => 'refused')
    expect(shown()).toBe('124')
    await sent
    expect(shown()).toBe('12')
    controller.setResponse(getTodos, [{ id: '3' }, { id: '4' }])
    expect(shown()).toBe('1234')
  })

  test('also if it comes again before anything has read that it was taken back', async () => {
    const { controller, shown } = watched(true)
    const again = controller.on('settle', () => {
      again()
      controller.get(Todo, { id: '4' })
      controller.setResponse(getTodos, [{ id: '3' }, { id: '4' }])
    })
    await controller.fetch(put, { id: '4' }).catch(() => 'refused')
    expect(shown()?.split('').sort().join('')).toBe('1234')
  })

  test('but a creation that is pending keeps its place, and so does a row that was deleted and comes again', async () => {
    const { controller, shown } = watched(true)
    const sent = controller.fetch(put, { id: '3' }).catch(() => 'refused')
    controller.set(Todo, { id: '4' }, { rank: 4 })
    controller.set(Todo, { id: '4' }, { rank: 5 })
    expect(shown()).toBe('1234')
    await sent
    controller.setResponse(new Endpoint(async () => '', { name: 'gone', schema: new Invalidate(Todo) }), { id: '1' })
    expect(shown()).toBe('24')
    controller.set(Todo, { id: '1' }, { rank: 1 })
    expect(shown()).toBe('124')
  })

  test('sorted rows that compare as equal, and counts', () => {
    for (const isReadBefore of [true, false]) {
      const { controller } = watched(isReadBefore)
      const sorted = new All(Todo, { compare: () => 0 })
      const counted = countBy(all, ({ status }) => status)
      if (isReadBefore) for (const schema of [sorted, counted]) watch(controller.view(schema as typeof sorted))
      watch(controller.view(Todo, { id: '4' }))
      controller.setResponse(getTodos, [{ id: '3' }, { id: '4', status: 'done' }])
      expect(controller.get(sorted)?.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
      expect(Object.entries(controller.get(counted) ?? {})).toEqual([
        ['done', 1],
        ['open', 3],
      ])
    }
  })

  test('rows of another class of the key, and of a hydrated state', () => {
    class Headline extends Entity {
      static override key = 'Todo'
      id = ''
    }
    const server = watched(false).controller
    server.get(Todo, { id: '4' })
    server.setResponse(getTodos, [{ id: '3' }, { id: '4' }])
    for (const isReadBefore of [true, false]) {
      const controller = new Controller({ env: new HandClock() })
      if (isReadBefore) watch(controller.view(new All(Headline)))
      watch(controller.view(Todo, { id: '3' }))
      watch(controller.view(Headline, { id: '2' }))
      hydrate(controller, dehydrate(server))
      expect(controller.get(new All(Headline))?.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
    }
    expect(server.get(all)?.map(({ id }) => id)).toEqual(['1', '2', '3', '4'])
  })
})

import {
  All,
  Collection,
  type Controller,
  Endpoint,
  Entity,
  Invalidate,
  Lazy,
  poll,
  Query,
  type Schema,
  Union,
  Values,
} from '@roundtable/core'
import { inspect } from '@roundtable/core/inspect'
import { atomOf } from '@roundtable/core/nanostores'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { ending, ids, openBoard, Todo, User, watch } from './todo-board.js'

const AFTER = 300_000
const MINUTE = 60_000
const allTodos = new All(Todo)

const todo = (id: string, user: { readonly id: string; readonly name?: string } | string = '7') => ({
  id,
  title: `t${id}`,
  userId: '1',
  user,
})
const ada = { id: '7', name: 'Ada' }
const eve = { id: '7', name: 'Eve' }

const getAll = new Endpoint(async (): Promise<unknown> => [], { name: 'getAll', schema: [Todo] })

describe('retention follows retained data', () => {
  const watched = {
    'All of a kind': allTodos,
    'a Query over All': new Query(allTodos, (todos) => todos.filter(({ id }) => id !== '')),
    'All of a Union': new All({ todo: Todo }, () => 'todo'),
  }

  test.each(Object.entries(watched))(
    '%s that is mounted retains the rows that its rows refer to',
    async (_, schema) => {
      const { controller, clock } = openBoard()
      const shown = watch(controller.view(schema as typeof allTodos))
      controller.setResponse(getAll, [todo('1', ada)])
      const before = shown.now
      await clock.advance(3 * AFTER)
      expect(shown.now).toBe(before)
      controller.setResponse(getAll, [todo('1', eve)])
      expect(shown.now?.[0]?.user?.name).toBe('Eve')
      expect(shown.now?.[0]?.user).toBe(controller.get(User, { id: '7' }))
    },
  )

  test('a row that was written a while ago retains a relation that is older, so that there is one object of it', async () => {
    const { controller, clock, getTodo, getTodos, patch, server } = openBoard()
    const list = watch(controller.watch(getTodos, {}))
    await clock.advance(MINUTE)
    await server.one('getTodos').answer([todo('1', ada)])
    list.stop()
    await clock.advance(6 * MINUTE)
    ending(controller.fetch(patch, { id: '1' }, { title: 'patched' }))
    await server.one('patch').answer({ id: '1', title: 'patched' })
    await clock.advance(4 * MINUTE)
    const detail = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(detail.now).toMatchObject({ status: 'ready', data: { title: 'patched', user: ada } })
    await server.one('getTodo').answer(todo('1', eve))
    expect(detail.now.data?.user?.name).toBe('Eve')
    expect(detail.now.data?.user).toBe(controller.get(User, { id: '7' }))
    controller.set(User, { id: '7' }, { name: 'Eva' })
    expect(detail.now.data?.user?.name).toBe('Eva')
  })

  test('a list that was read a while ago retains members that are older', async () => {
    const { controller, clock, getTodos } = openBoard()
    controller.setResponse(getAll, [todo('1', ada), todo('2', ada)])
    await clock.advance(4 * MINUTE)
    controller.setResponse(getTodos, {}, ['1', '2'])
    await clock.advance(2 * MINUTE)
    expect(controller.get(new Collection([Todo]), {})?.map(({ user }) => user?.name)).toEqual(['Ada', 'Ada'])
  })

  test('a row that a request in flight may still change retains the rows it refers to', async () => {
    const { controller, clock, getTodo, getPlain, patch, server } = openBoard()
    controller.setResponse(getAll, [todo('1', ada)])
    const before = controller.get(Todo, { id: '1' })
    ending(controller.fetch(getPlain))
    ending(controller.fetch(patch, { id: '1' }, {}))
    await server.one('patch').answer({ id: '1', title: 'patched' })
    await clock.advance(3 * AFTER)
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'patched', user: ada } })
    expect(shown.now.data?.user).toBe(before?.user)
  })

  test('a member that an edit put into a list is retained while a request for the list is in flight', async () => {
    const { controller, clock, getTodos, create, server } = openBoard()
    controller.setResponse(getAll, [todo('1', ada)])
    ending(controller.fetch(getTodos, {}))
    ending(controller.fetch(create, {}, {}))
    // The server answers with the key alone: the row itself is old.
    await server.one('create').answer('1')
    await clock.advance(3 * AFTER)
    await server.one('getTodos').answer([])
    expect(controller.get(new Collection([Todo]), {})).toMatchObject([{ id: '1', title: 't1', user: ada }])
  })

  test.each([
    { what: 'newer data', newer: Todo, shown: ['newer', 't2'] },
    { what: 'a deletion', newer: new Invalidate(Todo), shown: ['t2'] },
  ])('$what that was read is retained while an older request that may bring the row is in flight', async (kind) => {
    const { controller, clock, getTodos, server } = openBoard()
    const list = watch(controller.watch(getTodos, {}))
    await settle()
    controller.setResponse(
      new Endpoint(async (): Promise<unknown> => 0, { name: 'told', schema: kind.newer as Schema }),
      {
        ...todo('1', ada),
        title: 'newer',
      },
    )
    await clock.advance(3 * AFTER)
    await server.one('getTodos').answer([todo('1', ada), todo('2', ada)])
    expect(list.now.data?.map(({ title }) => title)).toEqual(kind.shown)
  })

  test('a row that a pending edit hides is retained, with everything that it refers to', async () => {
    const { controller, clock, patchNow, server } = openBoard()
    const reassign = patchNow.extend({ getOptimisticResponse: (_, { id }) => ({ id, user: '8' }) })
    controller.setResponse(getAll, [todo('1', ada)])
    controller.set(User, { id: '8' }, { name: 'Bob' })
    ending(controller.fetch(reassign, { id: '1' }, {}))
    await clock.advance(3 * AFTER)
    expect(controller.get(Todo, { id: '1' })?.user?.name).toBe('Bob')
    await server.one('patch').fail()
    expect(controller.get(Todo, { id: '1' })?.user?.name).toBe('Ada')
  })

  test('a result that a pending edit read is retained, as a replay would read it again', async () => {
    const { controller, clock, getPlain, patch, server } = openBoard()
    controller.setResponse(getPlain, 'four')
    const label = patch.extend({
      getOptimisticResponse: (snapshot, { id }) => ({
        id,
        title: String(snapshot.getResponse(getPlain).data),
        votes: (snapshot.get(Todo, { id })?.votes ?? 0) + 1,
      }),
    })
    ending(controller.fetch(label, { id: '1' }, {}))
    await clock.advance(3 * AFTER)
    controller.set(Todo, { id: '1' }, { votes: 5 })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'four', votes: 6 })
    await server.one('patch').fail()
  })

  test('a row that a pending edit read is retained, with what it refers to, as a replay would read it again', async () => {
    const { controller, clock, patch, server } = openBoard()
    const copyOf = patch.extend({
      getOptimisticResponse: (snapshot, { id }) => ({
        id,
        title: `${snapshot.get(Todo, { id: '2' })?.title} of ${snapshot.get(Todo, { id: '2' })?.user?.name}`,
        votes: (snapshot.get(Todo, { id })?.votes ?? 0) + 1,
      }),
    })
    controller.setResponse(getAll, [todo('2', ada)])
    ending(controller.fetch(copyOf, { id: '1' }, {}))
    await clock.advance(3 * AFTER)
    controller.set(Todo, { id: '1' }, { votes: 5 })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 't2 of Ada', votes: 6 })
    await server.one('patch').fail()
    await clock.advance(3 * AFTER)
    expect(controller.get(Todo, { id: '2' })).toBeUndefined()
  })

  test('a row is followed by each class that shows it', async () => {
    class Plain extends Entity {
      static override key = 'Task'
      id = ''
    }
    class Owned extends Entity {
      static override key = 'Task'
      static override schema = { owner: User }
      id = ''
      owner: User | undefined = undefined
    }
    const getPlainTask = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), {
      name: 'plain',
      schema: Plain,
    })
    const getOwned = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), { name: 'owned', schema: Owned })
    const { controller, clock } = openBoard()
    controller.setResponse(getPlainTask, { id: '1' }, { id: '1' })
    controller.setResponse(getOwned, { id: '1' }, { id: '1', owner: ada })
    const owned = watch(controller.view(new All(Owned)))
    expect(owned.now?.[0]?.owner?.name).toBe('Ada')
    await clock.advance(3 * AFTER)
    controller.set(User, { id: '7' }, { name: 'Eve' })
    expect(owned.now?.[0]?.owner?.name).toBe('Eve')
    owned.stop()
    await clock.advance(MINUTE)
    controller.set(Plain, { id: '1' }, { id: '1', note: 'young' } as never)
    await clock.advance(AFTER - MINUTE / 2)
    expect(controller.get(Owned, { id: '1' })?.owner?.name).toBe('Eve')
  })

  test('M2: of two rows with the same relation, one mounted and one not, the relation stays and the other row goes', async () => {
    const { controller, clock, getTodo } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, todo('1', ada))
    controller.setResponse(getTodo, { id: '2' }, todo('2', ada))
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    const { data } = shown.now
    await clock.advance(3 * AFTER)
    expect(controller.get(Todo, { id: '2' })).toBeUndefined()
    controller.set(User, { id: '7' }, { name: 'Eve' })
    expect(shown.now.data).not.toBe(data)
    expect(shown.now.data?.user?.name).toBe('Eve')
  })

  test('M2: the list of a mounted parent retains its members, and is notified of them', async () => {
    const own = new Collection([Todo], { nestKey: ({ id }: { id: string }) => ({ userId: id }) })
    class Owner extends Entity {
      static override key = 'Owner'
      static override schema = { todos: own }
      id = ''
      todos: readonly Todo[] = []
    }
    const getOwner = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), {
      name: 'getOwner',
      schema: Owner,
    })
    const { controller, clock } = openBoard()
    controller.setResponse(getOwner, { id: '1' }, { id: '1', todos: [todo('1', ada), todo('2', ada)] })
    const shown = watch(controller.watch(getOwner, { id: '1' }))
    await clock.advance(3 * AFTER)
    controller.set(User, { id: '7' }, { name: 'Eve' })
    expect(shown.now.data?.todos.map(({ id, user }) => `${id} ${user?.name}`)).toEqual(['1 Eve', '2 Eve'])
  })
})

describe('the target of a Lazy field of a mounted row is there when it is read', () => {
  const fields: Record<string, { readonly schema: Schema; readonly sent: unknown }> = {
    'an entity': { schema: User, sent: ada },
    'an array': { schema: [User], sent: [ada] },
    'a map': { schema: new Values(User), sent: { first: ada } },
    'a Union': { schema: new Union({ user: User }, () => 'user'), sent: ada },
    'a Collection': {
      schema: new Collection([User], { nestKey: ({ id }: { id: string }) => ({ teamId: id }) }),
      sent: [ada],
    },
  }

  test.each(Object.entries(fields))('%s', async (_, { schema, sent }) => {
    const users = new Lazy(schema)
    class Team extends Entity {
      static override key = 'Team'
      static override schema = { users }
      id = ''
      users: unknown = undefined
    }
    const getTeam = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), { name: 'getTeam', schema: Team })
    const { controller, clock } = openBoard()
    controller.setResponse(getTeam, { id: '1' }, { id: '1', users: sent })
    const shown = watch(controller.watch(getTeam, { id: '1' }))
    const before = shown.now.data
    await clock.advance(3 * AFTER)
    expect(shown.now.data).toBe(before)
    expect(controller.get(User, { id: '7' })?.name).toBe('Ada')
    // The schema is one of several kinds, so its arguments have no one type.
    const get = controller.get as (schema: unknown, value: unknown) => unknown
    const found = get(users.query, before?.users)
    expect(JSON.stringify(found)).toContain('Ada')
    shown.stop()
    await clock.advance(3 * AFTER)
    expect(controller.get(User, { id: '7' })).toBeUndefined()
  })
})

describe('M2: after several sweeps a key that is mounted', () => {
  test('still gets its response', async () => {
    const { controller, clock, getPlain, getTodos } = openBoard()
    controller.setResponse(getPlain, 'old')
    controller.setResponse(getTodos, {}, [todo('1', ada)])
    const plain = watch(controller.watch(getPlain))
    const list = watch(controller.watch(getTodos, {}))
    await clock.advance(3 * AFTER)
    controller.setResponse(getPlain, 'new')
    controller.setResponse(getTodos, {}, [todo('2', ada)])
    expect(plain.now.data).toBe('new')
    expect(ids(list.now)).toEqual(['2'])
  })

  test('is notified of a row that was missing', async () => {
    const { controller, clock, getTodo } = openBoard()
    const selected = watch(controller.view(Todo, { id: '1' }))
    const peeked = watch(controller.peek(getTodo, { id: '1' }))
    controller.set(Todo, { id: 'other' }, todo('other'))
    await clock.advance(3 * AFTER)
    controller.set(Todo, { id: '1' }, todo('1'))
    expect([selected.now?.title, peeked.now?.title]).toEqual(['t1', 't1'])
    expect([selected.notified, peeked.notified]).toEqual([1, 1])
  })

  test('is notified of a relation that was missing', async () => {
    const { controller, clock, getTodo } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, todo('1', '7'))
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    expect(shown.now.data?.user).toBeUndefined()
    await clock.advance(3 * AFTER)
    controller.set(User, { id: '7' }, { name: 'Ada' })
    expect(shown.now.data?.user?.name).toBe('Ada')
  })
})

test('a result that stays, since it was fetched a while ago in vain, retains what it refers to', async () => {
  const { controller, clock, getTodos, server } = openBoard()
  controller.setResponse(getTodos, {}, [todo('1', ada), todo('2', ada)])
  await clock.advance(4 * MINUTE)
  ending(controller.fetch(getTodos, {}))
  await server.one('getTodos').fail()
  await clock.advance(2 * MINUTE)
  const shown = watch(controller.watch(getTodos, {}))
  expect(shown.now).toMatchObject({ status: 'ready', data: [{ user: ada }, { user: ada }] })
})

test.each([
  ['invalidate', 'pending', 1],
  ['expireAll', 'ready', 1],
] as const)('a key that nobody uses stays marked by %s: its rows may be older', async (verb, status, sent) => {
  const { controller, clock, getTodos, server } = openBoard({ dataExpiryLength: Infinity })
  const getTodo = new Endpoint(server.on<[{ readonly id: string }]>('getTodo'), { name: 'getTodo', schema: Todo })
  controller.setResponse(getTodos, {}, [todo('1', ada), todo('2', ada)])
  const list = watch(controller.watch(getTodos, {}))
  await settle()
  if (verb === 'invalidate') controller.invalidate(getTodo, { id: '1' })
  else controller.expireAll(getTodo)
  await clock.advance(3 * AFTER)
  expect(list.now.status).toBe('ready')
  expect(watch(controller.watch(getTodo, { id: '1' })).now.status).toBe(status)
  await settle()
  expect(server.of('getTodo')).toHaveLength(sent)
  await server.one('getTodo').answer(todo('1', eve))
  expect(list.now.data?.[0]?.user?.name).toBe('Eve')
  const other = controller.watch(getTodo, { id: '2' })
  expect(other.getSnapshot().status).toBe('ready')
})

test('the mark of a dropped key hides no newer mark from a key that stays', async () => {
  const { controller, clock, getTodo, getTodos, getPlain, server } = openBoard({ dataExpiryLength: Infinity })
  controller.setResponse(getTodo, { id: '1' }, todo('1', ada))
  controller.invalidate(getTodo, { id: '1' })
  controller.expireAll(getTodos)
  await clock.advance(AFTER / 2)
  controller.setResponse(getPlain, { open: 2 })
  controller.expireAll(getPlain)
  await clock.advance(AFTER * 0.8)
  expect(watch(controller.watch(getPlain)).now.data).toEqual({ open: 2 })
  await settle()
  expect(server.of('getPlain')).toHaveLength(1)
})

/**
 * A hand-turned clock on which every call of now() takes a while, so that a sweep is cut into slices; `between` is
 * called before each.
 */
function slowClock() {
  const hand = new HandClock()
  let looks = 0
  const slow = {
    between: (): void => {},
    slices: 0,
    advance: (ms: number) => hand.advance(ms),
    get pending() {
      return hand.pending
    },
    env: {
      ...hand,
      mono: () => hand.mono() + looks++ / 4,
      setTimeout: (run: () => void, ms: number) =>
        hand.setTimeout(() => {
          slow.slices++
          slow.between()
          run()
        }, ms),
    },
  }
  return slow
}

describe('a sweep that is cut into slices', () => {
  /** A board with so many todos, each with a user of its own, that nobody needs; a sweep of it takes many slices. */
  function crowded() {
    const clock = slowClock()
    const board = openBoard({ env: clock.env })
    const rows = Array.from({ length: 6_000 }, (_, at) => todo(`${at}`, { id: `u${at}`, name: 'Ada' }))
    board.controller.setResponse(getAll, rows)
    return { ...board, clock }
  }

  /** The invariant of a row: it is shown with its user, or is missing. */
  const isWhole = (shown: Todo | undefined): boolean => shown === undefined || shown.user?.name !== undefined

  test('retains the relations of a row that is written between two slices, or collects the row with them', async () => {
    const { controller, clock } = crowded()
    const seen: boolean[] = []
    const written: string[] = []
    let at = 0
    clock.between = () => {
      const id = `${(at++ * 211) % 6_000}`
      seen.push(isWhole(controller.get(Todo, { id })))
      if (controller.get(Todo, { id }) === undefined) return
      controller.set(Todo, { id }, { title: 'written' })
      written.push(id)
    }
    await clock.advance(1.5 * AFTER)
    expect(clock.slices).toBeGreaterThan(10)
    expect(written.length).toBeGreaterThan(5)
    expect(seen).not.toContain(false)
    const retained = controller.get(allTodos) ?? []
    expect(retained.map(({ id }) => id).sort()).toEqual(written.sort())
    for (const { id, user } of retained) {
      expect(user?.name).toBe('Ada')
      expect(user).toBe(controller.get(User, { id: `u${id}` }))
    }
  })

  test('retains the rows that a written relation refers to, also by its key alone', async () => {
    const { controller, clock, getTodo } = crowded()
    controller.setResponse(getTodo, { id: 'mounted' }, todo('mounted', 'nobody'))
    const shown = watch(controller.watch(getTodo, { id: 'mounted' }))
    let at = 0
    clock.between = () => {
      const id = `u${5_999 - at++ * 97}`
      if (controller.get(User, { id }) === undefined) return
      controller.set(Todo, { id: 'mounted' }, { user: id } as never)
      expect(shown.now.data?.user?.name).toBe('Ada')
    }
    await clock.advance(1.5 * AFTER)
    expect(shown.now.data?.user?.name).toBe('Ada')
  })

  test('retains all rows that All shows between two slices', async () => {
    const { controller, clock } = crowded()
    let shown: { readonly now: readonly Todo[] | undefined } | undefined
    clock.between = () => {
      if (clock.slices === 6) shown = watch(controller.view(allTodos))
    }
    await clock.advance(1.5 * AFTER)
    expect(shown?.now).toHaveLength(6_000)
    for (const { id, user } of shown?.now ?? [])
      if (user !== controller.get(User, { id: `u${id}` })) throw new Error(id)
  })

  test('retains rows that an edit reads which begins between two slices', async () => {
    const { controller, clock, patch, server } = crowded()
    const read = ['0', '1', '2999', '5998', '5999']
    const summary = patch.extend({
      getOptimisticResponse: (snapshot, { id }) => ({
        id,
        title: read.map((of) => snapshot.get(Todo, { id: of })?.user?.name ?? 'nobody').join(),
        votes: (snapshot.get(Todo, { id })?.votes ?? 0) + 1,
      }),
    })
    clock.between = () => {
      if (clock.slices === 6) ending(controller.fetch(summary, { id: 'sum' }, {}))
    }
    await clock.advance(1.5 * AFTER)
    controller.set(Todo, { id: 'sum' }, { votes: 5 })
    expect(controller.get(Todo, { id: 'sum' })).toMatchObject({ title: 'Ada,Ada,Ada,Ada,Ada', votes: 6 })
    await server.one('patch').fail()
  })

  test('schedules another sweep for rows that are released meanwhile', async () => {
    const { controller, clock, getTodo } = crowded()
    const shown = watch(controller.watch(getTodo, { id: '5' }))
    controller.setResponse(getTodo, { id: '5' }, todo('5', ada))
    clock.between = () => {
      if (clock.slices === 6) shown.stop()
    }
    await clock.advance(4 * AFTER)
    expect(controller.get(Todo, { id: '5' })).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  test('does not show a row again that it has found to be unused', async () => {
    const { controller, clock } = crowded()
    const found = new Map<string, boolean>()
    clock.between = () => {
      for (const id of ['1', '3000', '5999']) {
        const isThere = controller.get(Todo, { id }) !== undefined
        if (isThere && found.get(id) === false) throw new Error(`${id} came back`)
        found.set(id, isThere)
      }
    }
    await clock.advance(2 * AFTER)
    expect([...found.values()]).toEqual([false, false, false])
  })
})

describe('an observer that is held for longer than unused data is retained', () => {
  test('a query that is subscribed to again fetches and shows the data', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    const first = watch(query)
    await settle()
    await server.one('getTodo').answer(todo('1', ada))
    first.stop()
    await clock.advance(3 * AFTER)
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    const again = watch(query)
    expect(again.now.status).toBe('pending')
    await settle()
    await server.one('getTodo', -1).answer(todo('1', eve))
    expect(again.now).toMatchObject({ status: 'ready', data: { user: eve } })
    expect(again.notified).toBe(1)
    controller.set(User, { id: '7' }, { name: 'Eva' })
    expect(again.now.data?.user?.name).toBe('Eva')
    await clock.advance(3 * AFTER)
    expect(again.now.data?.user?.name).toBe('Eva')
    again.stop()
    await clock.advance(3 * AFTER)
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    expect(clock.pending).toBe(0)
  })

  test('a query that was never subscribed to, only held', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    controller.set(Todo, { id: 'other' }, todo('other'))
    await clock.advance(3 * AFTER)
    const shown = watch(query)
    await settle()
    await server.one('getTodo').answer(todo('1', ada))
    expect(shown.now.status).toBe('ready')
  })

  test('load() of such a query settles', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    controller.setResponse(getTodo, { id: '1' }, todo('1'))
    query.getSnapshot()
    await clock.advance(3 * AFTER)
    const loaded = ending(query.load())
    await server.one('getTodo').answer(todo('1', ada))
    expect(loaded.isOver).toBe(true)
    expect(query.getSnapshot().status).toBe('ready')
  })

  test('an atom of such a query follows', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const $snapshot = atomOf(controller.watch(getTodo, { id: '1' }))
    controller.setResponse(getTodo, { id: '1' }, todo('1'))
    await clock.advance(3 * AFTER)
    const seen: string[] = []
    const stop = $snapshot.subscribe(({ status }) => void seen.push(status))
    await settle()
    await server.one('getTodo').answer(todo('1', ada))
    expect(seen).toEqual(['pending', 'ready'])
    stop()
  })

  test('beside a newer query of the same key: both are notified', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const old = controller.watch(getTodo, { id: '1' })
    controller.setResponse(getTodo, { id: '1' }, todo('1'))
    await clock.advance(3 * AFTER)
    const shown = [watch(controller.watch(getTodo, { id: '1' })), watch(old)]
    await settle()
    await server.one('getTodo').answer(todo('1', ada))
    expect(shown.map(({ now }) => now.status)).toEqual(['ready', 'ready'])
    await clock.advance(3 * AFTER)
    controller.set(User, { id: '7' }, { name: 'Eve' })
    expect(shown.map(({ now }) => now.data?.user?.name)).toEqual(['Eve', 'Eve'])
    for (const { stop } of shown) stop()
    await clock.advance(3 * AFTER)
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })

  test('after a reset it starts anew', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    controller.setResponse(getTodo, { id: '1' }, todo('1'))
    await clock.advance(3 * AFTER)
    controller.resetEntireStore()
    const shown = watch(query)
    await settle()
    await server.one('getTodo').answer(todo('1', ada))
    expect(shown.now.status).toBe('ready')
    controller.resetEntireStore()
    expect(shown.now.status).toBe('pending')
  })

  test('a peek, a view and a fetching notify again', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const peek = controller.peek(getTodo, { id: '1' })
    const select = controller.view(Todo, { id: '1' })
    const fetching = controller.fetching(getTodo, { id: '1' })
    for (const observer of [peek, select, fetching]) watch<unknown>(observer).stop()
    controller.set(Todo, { id: 'other' }, todo('other'))
    await clock.advance(3 * AFTER)
    const peeked = watch(peek)
    const selected = watch(select)
    const fetched = watch(fetching)
    ending(controller.fetch(getTodo, { id: '1' }))
    await settle()
    expect(fetched.seen).toEqual([true])
    await server.one('getTodo').answer(todo('1', ada))
    expect([peeked.now?.title, selected.now?.title]).toEqual(['t1', 't1'])
    expect([peeked.notified, selected.notified]).toEqual([1, 1])
    expect(fetched.seen).toEqual([true, false])
  })

  test('a poll polls again', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const polling = controller.observe(poll, getTodo.extend({ pollFrequency: 1_000 }), { id: '1' })
    polling.subscribe(() => {})()
    controller.set(Todo, { id: 'other' }, todo('other'))
    await clock.advance(3 * AFTER)
    const sent = server.requests.length
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    const stop = polling.subscribe(() => {})
    await clock.advance(2_500)
    await server.one('getTodo', -1).answer(todo('1', ada))
    expect(server.requests.length).toBeGreaterThan(sent)
    expect(shown.now.status).toBe('ready')
    stop()
  })

  test('a query held past the end of its controller reads as before', async () => {
    const { controller, clock, getTodo } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    controller.setResponse(getTodo, { id: '1' }, todo('1'))
    await clock.advance(3 * AFTER)
    controller.dispose()
    expect(query.getSnapshot().status).toBe('failed')
    expect(clock.pending).toBe(0)
  })
})

test('a list shows each member once when an optimistic change is rolled back, whatever was collected between two changes', async () => {
  const { controller, clock, getTodos, create, patchNow, server } = openBoard()
  const votesOf = (row: { votes?: unknown }): number => Number(row.votes)
  const Sorted = new Collection([Todo], { belongs: () => true, compare: (x, y) => votesOf(x) - votesOf(y) })
  const list = watch(controller.watch(getTodos.extend({ schema: Sorted, dataExpiryLength: Infinity }), {}))
  const sweep = async (): Promise<void> => {
    controller.set(User, { id: '7' }, ada)
    await clock.advance(3 * AFTER)
  }
  await settle()
  await server.one('getTodos').answer([{ id: '1', votes: 1 }])
  await sweep()
  ending(controller.fetch(create.extend({ schema: Sorted.push }), {}, { id: '2', votes: 2 }))
  await server.one('create').answer({ id: '2', votes: 2 })
  await sweep()
  ending(controller.fetch(patchNow, { id: '0' }, { votes: 0 }))
  expect(ids(list.now)).toEqual(['0', '1', '2'])
  await server.one('patch').fail(new Error('refused'))
  expect(ids(list.now)).toEqual(['1', '2'])
})

test('a list that nobody holds is collected whole, and is fetched again', async () => {
  const { controller, clock, getTodos, server } = openBoard()
  controller.setResponse(getTodos, {}, [todo('1', ada)])
  await clock.advance(3 * AFTER)
  const shown = watch(controller.watch(getTodos, {}))
  expect(shown.now.status).toBe('pending')
  await settle()
  await server.one('getTodos').answer([todo('2', eve)])
  expect(ids(shown.now)).toEqual(['2'])
})

test('a hundred keys that are dropped with their marks take no mark from a key that stays', async () => {
  const { controller, clock, getTodo, getPlain, server } = openBoard({ dataExpiryLength: Infinity })
  for (let id = 1; id <= 102; id++) {
    controller.setResponse(getTodo, { id: `${id}` }, { id: `${id}` })
    controller.invalidate(getTodo, { id: `${id}` })
  }
  await clock.advance(150_000)
  controller.setResponse(getPlain, { open: 2 })
  controller.expireAll(getPlain)
  await clock.advance(240_000)
  const plain = watch(controller.watch(getPlain))
  expect(plain.now.data).toEqual({ open: 2 })
  await settle()
  expect(server.of('getPlain')).toHaveLength(1)
})

describe('a mounted list that is never fetched again', () => {
  const deletedInTurn = (count: number) => {
    const board = openBoard()
    const { controller, getTodos, create, remove } = board
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    controller.setResponse(getTodos, { userId: '1' }, [todo('stays')])
    for (let at = 0; at < count; at++) {
      controller.setResponse(create, { userId: '1' }, {}, todo(`${at}`))
      controller.setResponse(remove, { id: `${at}` }, { id: `${at}` })
    }
    return { ...board, list }
  }
  const rowsOf = (controller: Controller) => inspect(controller).primaryKeys('Todo')

  test('M2: retains the last thousand deleted members, whose places it keeps, and no others', async () => {
    const { controller, clock, list } = deletedInTurn(1_100)
    const { notified } = list
    const { data } = list.now
    await clock.advance(3 * AFTER)
    expect(list.now.data).toBe(data)
    expect(list.notified).toBe(notified)
    expect(rowsOf(controller)).toHaveLength(1_001)
    controller.set(Todo, { id: '1099' }, todo('1099'))
    controller.set(Todo, { id: '100' }, todo('100'))
    controller.set(Todo, { id: '99' }, todo('99'))
    expect(ids(list.now)).toEqual(['stays', '100', '1099'])
  })

  test('retains all that are below a pending edit of it', async () => {
    const { controller, clock, createNow, server, list } = deletedInTurn(1_100)
    ending(controller.fetch(createNow, { userId: '1' }, { id: 'new' }))
    await clock.advance(3 * AFTER)
    expect(ids(list.now)).toEqual(['stays', 'new'])
    await server.one('create').fail()
    expect(ids(list.now)).toEqual(['stays'])
    await clock.advance(3 * AFTER)
    expect(rowsOf(controller)).toHaveLength(1_001)
    controller.setResponse(createNow, { userId: '1' }, {}, todo('last'))
    expect(ids(list.now)).toEqual(['stays', 'last'])
  })
})

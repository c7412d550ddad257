import { Endpoint, follower, initial, keepPrevious, mutating, reading, select } from '@roundtable/core'
import { atomOf } from '@roundtable/core/nanostores'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, Todos, watch } from './todo-board.js'

const row = (id = '1', title = `t${id}`) => ({ id, title, userId: '1', votes: 0 })

describe('a query', () => {
  test('is the same for the same key and schema, whatever the endpoint object', () => {
    const { controller, getTodo } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    expect(controller.watch(getTodo.extend({ dataExpiryLength: 5 }), { id: '1' })).toBe(query)
    expect(controller.watch(getTodo.extend({ schema: undefined }), { id: '1' })).not.toBe(query)
  })

  test('fetches with the endpoint that was passed in last', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.watch(getTodo, { id: '1' })
    const other = new Endpoint(server.on<[{ id: string }]>('other'), { name: 'getTodo', schema: Todo })
    watch(controller.watch(other, { id: '1' }))
    await settle()
    expect(server.requests.map(({ name }) => name)).toEqual(['other'])
  })

  test('of null is idle: it fetches nothing and is one for all', async () => {
    const { controller, getTodo, getTodos, server } = openBoard()
    const idle = controller.watch(getTodo, null)
    watch(idle)
    await idle.load()
    expect(idle.getSnapshot()).toEqual({ status: 'idle', data: undefined, error: undefined })
    expect(controller.watch(getTodos, null)).toBe(idle)
    expect(server.requests).toHaveLength(0)
  })

  test('starts nothing when it is created or read', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.watch(getTodo, { id: '1' }).getSnapshot()
    await settle()
    expect(server.requests).toHaveLength(0)
  })

  test('has one snapshot until something visible changed', async () => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    expect(shown.now).toBe(shown.now)
    await settle()
    await server.one('getTodo').answer(row())
    const before = shown.now
    ending(controller.fetch(getTodo, { id: '1' }))
    expect(shown.now).toBe(before)
    await server.one('getTodo', 1).answer(row())
    expect(shown.now).toBe(before)
    expect(shown.notified).toBe(1)
    expect(Object.isFrozen(before)).toBe(true)
  })

  test('shows a row of the table that its arguments name, and does not fetch it', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 't1' } })
    expect(server.requests).toHaveLength(0)
  })

  test('load settles when it is no longer pending, never rejects, and is a new promise for each attempt', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    const first = query.load()
    expect(query.load()).toBe(first)
    const end = ending(first)
    await settle()
    expect(end.isOver).toBe(false)
    await server.one('getTodo').fail()
    expect(end).toMatchObject({ isOver: true })
    expect(end.error).toBeUndefined()
    await query.load()
    expect(server.of('getTodo')).toHaveLength(1)
    await clock.advance(31_000)
    const second = query.load()
    expect(second).not.toBe(first)
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).answer(row())
    await second
    expect(query.getSnapshot().status).toBe('ready')
  })

  test('retains the loaded data, even if it is stale at once, for the component that will mount', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const query = controller.watch(getTodo.extend({ errorExpiryLength: 0, dataExpiryLength: 0 }), { id: '1' })
    const loading = query.load()
    await server.one('getTodo').fail()
    await loading
    await clock.advance(500)
    for (let render = 0; render < 10; render++) await query.load()
    expect(query.getSnapshot().status).toBe('failed')
    expect(server.of('getTodo')).toHaveLength(1)
    // Whoever comes later meets no old error.
    await clock.advance(500)
    expect(query.getSnapshot().status).toBe('pending')
  })

  test('that was loaded for a component which then mounts is one request', async () => {
    const { controller, getTodo, server } = openBoard()
    const query = controller.watch(getTodo.extend({ dataExpiryLength: 0 }), { id: '1' })
    const loading = query.load()
    await server.one('getTodo').answer(row())
    await loading
    const shown = watch(query)
    await settle()
    expect(shown.now.status).toBe('ready')
    expect(server.of('getTodo')).toHaveLength(1)
  })
})

describe('atomOf', () => {
  test('is an atom of the query’s data, and is active while it has listeners', async () => {
    const { controller, getTodo, server } = openBoard()
    const $snapshot = atomOf(controller.watch(getTodo, { id: '1' }))
    expect($snapshot.get().status).toBe('pending')
    await settle()
    expect(server.requests).toHaveLength(0)
    const seen: string[] = []
    const stop = $snapshot.subscribe(({ status }) => seen.push(status))
    await settle()
    await server.one('getTodo').answer(row())
    expect(seen).toEqual(['pending', 'ready'])
    stop()
    controller.set(Todo, { id: '1' }, { title: 'later' })
    expect(seen).toHaveLength(2)
    expect($snapshot.get().data).toMatchObject({ title: 'later' })
  })

  test('of an atom that is read without listeners starts nothing', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const $snapshot = atomOf(controller.watch(getTodo, { id: '1' }))
    for (let look = 0; look < 3; look++) $snapshot.get()
    await clock.advance(10_000)
    expect(server.requests).toHaveLength(0)
  })
})

describe('peek', () => {
  test('shows stored data, is notified of changes and never fetches', async () => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.peek(getTodo, { id: '1' }))
    expect(shown.now).toBeUndefined()
    controller.setResponse(getTodo, { id: '1' }, row())
    expect(shown.now).toMatchObject({ title: 't1' })
    controller.set(Todo, { id: '1' }, { title: 'edited' })
    expect(shown.now).toMatchObject({ title: 'edited' })
    controller.invalidate(getTodo, { id: '1' })
    expect(shown.now).toBeUndefined()
    await settle()
    expect(shown.notified).toBe(3)
    expect(server.requests).toHaveLength(0)
    expect(controller.peek(getTodo, null).getSnapshot()).toBeUndefined()
  })
})

describe('view', () => {
  test('shows the data of a schema for arguments, straight from the table', () => {
    const { controller } = openBoard()
    const todo = watch(controller.view(Todo, { id: '1' }))
    const list = watch(controller.view(Todos, { userId: '1' }))
    expect([todo.now, list.now]).toEqual([undefined, undefined])
    controller.set(Todos, { userId: '1' }, [row('1'), row('2')])
    expect(todo.now?.title).toBe('t1')
    expect(list.now?.[0]).toBe(todo.now)
    controller.set(Todo, { id: '2' }, { title: 'other' })
    expect([todo.notified, list.notified]).toEqual([1, 2])
    expect(controller.view(Todo, { id: '1' })).toBe(controller.view(Todo, { id: '1' }))
  })
})

test('a query whose row was deleted is fetched again when the older request fails that it waits for', async () => {
  const { controller, getTodo, patch, remove, server } = openBoard()
  const shown = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  // Reads are not joined that are older than a mutation's end.
  ending(controller.fetch(new Endpoint(async () => null, { name: 'touch', sideEffect: true })))
  await settle()
  // Nobody knows which of the two the server has applied last.
  ending(controller.fetch(patch, { id: '1' }, { title: 'restored' }))
  ending(controller.fetch(remove, { id: '1' }))
  ending(controller.fetch(getTodo, { id: '1' }))
  await server.one('getTodo', 1).answer(row())
  await server.one('patch').answer(row())
  await server.one('remove').answer({ id: '1' })
  expect(shown.now.status).toBe('pending')
  await server.one('getTodo', 0).fail()
  await server.one('getTodo', 2).fail()
  expect(shown.now.status).toBe('failed')
})

test('initial shows nothing without arguments, also between two that have some, and in a selection of it', async () => {
  const { controller, getPlain, server } = openBoard()
  const soon = initial(getPlain, 'soon')
  const idle = { status: 'idle', data: undefined, error: undefined }
  expect(controller.watch(soon, null).getSnapshot()).toMatchObject(idle)
  expect(controller.watch(select(soon, String), null).getSnapshot()).toMatchObject(idle)
  const follow = follower()
  const first = follow(controller.watch(soon, { id: '1' }))
  expect(watch(first).now).toMatchObject({ status: 'ready', data: 'soon' })
  const none = follow(controller.watch(soon, null))
  expect(watch(none).now).toMatchObject(idle)
  const second = follow(controller.watch(soon, { id: '2' }))
  expect(watch(second).now).toMatchObject({ status: 'ready', data: 'soon' })
  await settle()
  await server.one('getPlain', 1).answer('here')
  expect(second.getSnapshot().data).toBe('here')
  expect(none.getSnapshot()).toMatchObject(idle)
})

test.each([
  ['initial', initial],
  ['keepPrevious', keepPrevious],
] as const)(
  'a selection over %s is no longer refreshing when the data is there, if it comes to the same',
  async (name, mark) => {
    const { controller, getTodo, server } = openBoard()
    const marked = mark(getTodo, row('1', 'same') as never)
    const titleOf = select(marked as never as typeof getTodo, ({ title }) => title)
    const follow = follower()
    if (name === 'keepPrevious') controller.set(Todo, { id: '2' }, row('2', 'same'))
    if (name === 'keepPrevious') follow(controller.watch(titleOf, { id: '2' })).getSnapshot()
    const query = follow(controller.watch(titleOf, { id: '1' }))
    const seen: unknown[] = []
    query.subscribe(() => seen.push(query.getSnapshot().refreshing))
    await settle()
    expect(query.getSnapshot()).toMatchObject({ data: 'same', refreshing: true })
    // Another request is under way when the data comes.
    ending(controller.fetch(new Endpoint(async () => null, { name: 'touch', sideEffect: true })))
    await settle()
    ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo', 0).answer(row('1', 'same'))
    expect(seen).toEqual([true])
    await server.one('getTodo', 1).answer(row('1', 'same'))
    expect(query.getSnapshot()).toMatchObject({ data: 'same', refreshing: false })
  },
)

describe('keepPrevious', () => {
  /** A reader of todo 2 that shows todo 1 meanwhile. */
  async function keeping() {
    const board = openBoard()
    const { controller, getTodo, server } = board
    const kept = keepPrevious(getTodo)
    const follow = follower()
    watch(follow(controller.watch(kept, { id: '1' })))
    await settle()
    await server.one('getTodo').answer(row('1'))
    const query = follow(controller.watch(kept, { id: '2' }))
    const shown = watch(query.root ?? query)
    await settle()
    expect(query.getSnapshot().data).toMatchObject({ id: '1' })
    return { ...board, kept, follow, query, shown }
  }

  test('a reset takes the previous data from the screen at once', async () => {
    const { controller, query, shown } = await keeping()
    const before = shown.notified
    controller.resetEntireStore()
    expect(shown.notified).toBe(before + 1)
    expect(query.getSnapshot()).toMatchObject({ status: 'pending', data: undefined })
  })

  test('nothing of another controller is shown', async () => {
    const { kept, follow } = await keeping()
    const other = openBoard().controller
    expect(follow(other.watch(kept, { id: '3' })).getSnapshot().data).toBeUndefined()
  })
})

test('fetching reports whether a request of the key is in flight, and notifies once for each change', async () => {
  const { controller, getTodo, patch, server } = openBoard()
  const fetching = watch(controller.fetching(getTodo, { id: '1' }))
  const writing = watch(controller.fetching(patch, { id: '1' }, {}))
  ending(controller.fetch(getTodo, { id: '1' }))
  ending(controller.fetch(getTodo, { id: '1' }))
  ending(controller.fetch(patch, { id: '1' }, {}))
  expect([fetching.now, writing.now]).toEqual([true, true])
  await server.one('getTodo').answer(row())
  await server.one('patch').fail()
  expect(fetching.seen).toEqual([true, false])
  expect(writing.seen).toEqual([true, false])
  controller.resetEntireStore()
  expect(fetching.now).toBe(false)
})

test('what shows requests is not notified within the call that starts one, since a render may have made it', async () => {
  const { controller, getTodo, patch, server } = openBoard()
  const shown = [
    watch(controller.fetching(getTodo, { id: '1' })),
    watch(controller.observe(reading)),
    watch(controller.observe(mutating)),
    watch(controller.observe(mutating, patch)),
  ]
  await settle()
  controller.watch(getTodo, { id: '1' }).load()
  ending(controller.fetch(patch, { id: '1' }, {}))
  expect(server.requests).toHaveLength(2)
  expect(shown.map(({ seen }) => seen)).toEqual([[], [], [], []])
  expect(shown.map(({ now }) => now)).toEqual([true, true, true, true])
  await settle()
  expect(shown.map(({ seen }) => seen)).toEqual([[true], [true], [true], [true]])
  await server.one('getTodo').answer(row())
  await server.one('patch').answer(row())
  expect(shown.map(({ seen }) => seen)).toEqual(Array(4).fill([true, false]))
})

describe('a peek', () => {
  test('that is mounted while its data is invalid shows it as soon as it is valid again', async () => {
    const { controller, getTodo, getTodos } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row()])
    controller.invalidateBy(Todo, '1')
    const shown = watch(controller.peek(getTodo, { id: '1' }))
    expect(shown.now).toBeUndefined()
    controller.set(Todo, { id: '1' }, row())
    await settle()
    expect(shown.now?.title).toBe('t1')
    expect(shown.notified).toBe(1)
    expect(controller.getResponse(getTodo, { id: '1' }).data).toBe(shown.now)
  })

  test('shows no invalid row that an optimistic move brings, nor one that a rollback brings back', async () => {
    const { controller, getTodos, move, server } = openBoard()
    const moveNow = move.extend({ getOptimisticResponse: (_, { id }, body) => ({ id, ...body }) })
    controller.setResponse(getTodos, { userId: '1' }, [row()])
    controller.setResponse(getTodos, { userId: '2' }, [{ ...row('2'), userId: '2' }])
    const shown = ['1', '2'].map((userId) => watch(controller.peek(getTodos, { userId })))
    const lengths = () => shown.map(({ now }) => now?.length)
    controller.invalidateBy(Todo, '1')
    expect(lengths()).toEqual([undefined, 1])
    ending(controller.fetch(moveNow, { id: '1' }, { userId: '2' }))
    expect(lengths()).toEqual([0, undefined])
    await server.one('move').fail()
    expect(lengths()).toEqual([undefined, 1])
  })
})

describe('reading a snapshot during a change', () => {
  test('costs nobody a notification: a query, a peek and a view among several writes', async () => {
    const { controller, getTodo } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    const reads = [
      watch(controller.watch(getTodo, { id: '1' })),
      watch(controller.peek(getTodo, { id: '1' })),
      watch(controller.view(Todo, { id: '1' })),
    ]
    await settle()
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'edited' })
      for (const { now } of reads) expect(now).toBeDefined()
    })
    expect(reads.map(({ notified }) => notified)).toEqual([1, 1, 1])
  })

  test('costs nobody a notification: a fetching between the end of a request and the notification of its end', async () => {
    const { controller, getTodo, server } = openBoard()
    const fetching = controller.fetching(getTodo, { id: '1' })
    const shown = watch(fetching)
    const seen: boolean[] = []
    controller.watch(getTodo, { id: '1' }).subscribe(() => seen.push(fetching.getSnapshot()))
    await settle()
    await server.one('getTodo').answer(row())
    expect(seen).toEqual([false])
    expect(shown.seen).toEqual([true, false])
  })

  test('of a state that is over when listeners are notified notifies nobody', async () => {
    const { controller, getTodo } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'for a moment' })
      expect(shown.now.data?.title).toBe('for a moment')
      controller.set(Todo, { id: '1' }, { title: 't1' })
    })
    expect(shown.now.data?.title).toBe('t1')
  })
})

describe('a change between the last read and a subscription', () => {
  test('of a query is notified in the microtask after', async () => {
    const { controller, getTodo } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    const query = controller.watch(getTodo, { id: '1' })
    query.getSnapshot()
    controller.set(Todo, { id: '1' }, { title: 'between' })
    let notified = 0
    query.subscribe(() => notified++)
    expect(notified).toBe(0)
    await settle()
    expect(notified).toBe(1)
  })

  test('of a peek, a view and a fetching is read on subscribing: it is not notified later, and further changes are', async () => {
    const { controller, getTodo } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    const observers = [controller.peek(getTodo, { id: '1' }), controller.view(Todo, { id: '1' })]
    const fetching = controller.fetching(getTodo, { id: '1' })
    for (const observer of [...observers, fetching]) observer.getSnapshot()
    controller.set(Todo, { id: '1' }, { title: 'between' })
    ending(controller.fetch(getTodo, { id: '1' }))
    const notified: string[] = []
    for (const [at, observer] of [...observers, fetching].entries()) observer.subscribe(() => notified.push(`${at}`))
    await settle()
    expect(notified).toEqual([])
    controller.set(Todo, { id: '1' }, { title: 'after' })
    expect(notified).toEqual(['0', '1'])
    controller.resetEntireStore()
    expect(notified).toContain('2')
  })
})

describe('a caller that waits in load() for longer than a read is held', () => {
  test('keeps its request, and gets its data', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const end = ending(controller.watch(getTodo, { id: '1' }).load())
    await clock.advance(31_000)
    expect(end.isOver).toBe(false)
    await server.one('getTodo').answer(row())
    expect(end.isOver).toBe(true)
    expect(server.requests).toHaveLength(1)
  })

  test('keeps it too when another reader leaves, but not with abortOnUnused: then it is aborted, and the waiting ends', async () => {
    for (const abortOnUnused of [false, true]) {
      const { controller, clock, getTodo, server } = openBoard()
      const query = controller.watch(getTodo.extend({ abortOnUnused }), { id: '1' })
      const shown = watch(query)
      const end = ending(query.load())
      await clock.advance(31_000)
      shown.stop()
      await settle()
      expect(end.isOver).toBe(abortOnUnused)
      expect(controller.fetching(getTodo, { id: '1' }).getSnapshot()).toBe(!abortOnUnused)
      expect(server.requests).toHaveLength(1)
    }
  })

  test('starts no request of its own then: it ends when the request it waits for is useless', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    const end = ending(query.load())
    await clock.advance(31_000)
    controller.invalidate(getTodo, { id: '1' })
    await server.one('getTodo').answer(row())
    expect(end.isOver).toBe(true)
    expect(server.requests).toHaveLength(1)
  })
})

test('after dispose no observer is notified, and the same arguments get a new observer', async () => {
  const { controller, getTodo } = openBoard()
  controller.set(Todo, { id: '1' }, row())
  const query = controller.watch(getTodo, { id: '1' })
  const reads = [watch(query), watch(controller.peek(getTodo, { id: '1' })), watch(controller.view(Todo, { id: '1' }))]
  await settle()
  controller.dispose()
  controller.set(Todo, { id: '1' }, { title: 'later' })
  await settle()
  expect(reads.map(({ notified }) => notified)).toEqual([0, 0, 0])
  expect(controller.watch(getTodo, { id: '1' })).not.toBe(query)
})

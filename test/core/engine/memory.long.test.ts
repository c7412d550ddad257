import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { All, Controller, Endpoint, poll, RestEndpoint, transfer } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { ending, ids, openBoard, Todo, watch } from './todo-board.js'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const row = (id: string, votes = 0) => ({ id, title: `t${id}`, userId: '1', votes })
const AFTER = 300_000
const allTodos = new All(Todo)

/** Long enough for everything that is of no use to be collected: a sweep runs every five minutes. */
const twoSweeps = (clock: HandClock) => clock.advance(3 * AFTER)

/** The objects that can still be reached after garbage collection. */
async function reachable(refs: readonly WeakRef<object>[]): Promise<number> {
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 0))
    gc()
  }
  return refs.filter((ref) => ref.deref() !== undefined).length
}

test('M1: after 100,000 mounts and unmounts over 10,000 keys nothing is left, and no timer waits', async () => {
  const keys = 10_000
  const { controller, clock, getTodo } = openBoard()
  const refs: WeakRef<object>[] = []
  for (let cycle = 0; cycle < 10 * keys; cycle++) {
    const id = `${cycle % keys}`
    const query = controller.watch(getTodo, { id })
    const stop = query.subscribe(() => {})
    if (cycle < keys) {
      controller.setResponse(getTodo, { id }, row(id))
      refs.push(new WeakRef(query), new WeakRef(query.getSnapshot().data as object))
    }
    if (cycle % 100 === 0) await settle()
    stop()
  }
  await settle()
  expect(controller.get(allTodos)).toHaveLength(keys)
  await twoSweeps(clock)
  expect(controller.get(allTodos) ?? []).toHaveLength(0)
  expect(clock.pending).toBe(0)
  expect(await reachable(refs)).toBe(0)
})

test('M1: a response that nobody ever subscribed to is collected too, and its key is fetched again', async () => {
  const { controller, clock, getTodo, getPlain, server } = openBoard()
  ending(controller.fetch(getTodo, { id: '1' }))
  ending(controller.fetch(getPlain))
  await server.one('getTodo').answer(row('1'))
  await server.one('getPlain').answer('plain')
  await clock.advance(AFTER - 1)
  expect(controller.get(Todo, { id: '1' })).toBeDefined()
  await twoSweeps(clock)
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  expect(controller.getResponse(getPlain).data).toBeUndefined()
})

test('M1: an observer of any kind that nobody ever subscribed to is collected', async () => {
  const { controller, clock, getTodo } = openBoard()
  const refs: WeakRef<object>[] = []
  const look = (args: { readonly id: string }): void => {
    const kinds = [
      controller.watch(getTodo, args),
      controller.peek(getTodo, args),
      controller.view(Todo, args),
      controller.fetching(getTodo, args),
    ]
    for (const observer of kinds) {
      observer.getSnapshot()
      refs.push(new WeakRef(observer))
    }
  }
  for (let at = 0; at < 1_000; at++) look({ id: `${at}` })
  await twoSweeps(clock)
  expect(await reachable(refs)).toBe(0)
  expect(clock.pending).toBe(0)
})

describe('the facts that order overlapping requests are dropped when they are over', () => {
  test('the members put into lists', async () => {
    const { controller, clock, getTodos, create, server } = openBoard()
    const created: WeakRef<object>[] = []
    ending(controller.fetch(getTodos, { userId: '1' }))
    const add = async (id: string): Promise<void> => {
      ending(controller.fetch(create, { userId: '1' }, {}))
      // A transferred value is stored as it is.
      const response = transfer(row(id))
      created.push(new WeakRef(response))
      await server.requests.pop()?.answer(response)
    }
    for (let at = 0; at < 100; at++) await add(`${at}`)
    await server.one('getTodos').answer([])
    await twoSweeps(clock)
    expect(controller.get(allTodos) ?? []).toHaveLength(0)
    expect(await reachable(created)).toBe(0)
  })

  test('which of them wrote which field', async () => {
    const { controller, clock, getTodo, getPlain, patch, server } = openBoard()
    const shown: WeakRef<object>[] = []
    ending(controller.fetch(getPlain))
    for (let at = 0; at < 100; at++) {
      const id = `${at}`
      controller.setResponse(getTodo, { id }, row(id))
      ending(controller.fetch(patch, { id }, {}))
      await server.requests.pop()?.answer({ id, title: 'patched' })
      shown.push(new WeakRef(controller.get(Todo, { id }) as object))
    }
    await server.one('getPlain').answer('over')
    await twoSweeps(clock)
    expect(controller.get(allTodos) ?? []).toHaveLength(0)
    expect(await reachable(shown)).toBe(0)
  })
})

describe('mounted data is retained', () => {
  test('for as long as it is mounted, with everything that it shows', async () => {
    const { controller, clock, getTodos, server } = openBoard()
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    await server.one('getTodos').answer([{ ...row('1'), user: { id: '7', name: 'Ann' } }, row('2')])
    controller.set(Todo, { id: 'unused' }, row('unused'))
    const before = list.now.data
    await clock.advance(10 * AFTER)
    expect(list.now.data).toBe(before)
    expect(controller.get(Todo, { id: '1' })?.user?.name).toBe('Ann')
    expect(controller.get(Todo, { id: 'unused' })).toBeUndefined()
    controller.set(Todo, { id: '2' }, { title: 'still heard of' })
    expect(list.now.data?.[1]?.title).toBe('still heard of')
  })

  test('M2: also if its arguments changed and its data is the same object as before', async () => {
    const { controller, clock, getTodos } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1')])
    controller.setResponse(getTodos, {}, [row('1')])
    const first = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    first.stop()
    const second = watch(controller.watch(getTodos, {}))
    await clock.advance(3 * AFTER)
    expect(ids(second.now)).toEqual(['1'])
    expect(second.notified).toBe(0)
    expect(controller.getResponse(getTodos, { userId: '1' }).data).toBeUndefined()
  })

  test('a view, a peek and a poll retain their data', async () => {
    const { controller, clock, getTodo } = openBoard()
    controller.set(Todo, { id: '1' }, row('1'))
    controller.setResponse(getTodo, { id: '2' }, row('2'))
    const getText = new Endpoint(async () => 'from the server', { name: 'getText', dataExpiryLength: Infinity })
    controller.setResponse(getText, 'plain')
    const selected = watch(controller.view(Todo, { id: '1' }))
    const peeked = watch(controller.peek(getTodo, { id: '2' }))
    const plain = watch(controller.peek(getText))
    await clock.advance(3 * AFTER)
    expect([selected.now?.title, peeked.now?.title, plain.now]).toEqual(['t1', 't2', 'plain'])
  })
})

test('M3: a row under a pending optimistic layer is retained until that settles', async () => {
  const { controller, clock, patchNow, vote, server } = openBoard()
  controller.set(Todo, { id: '1' }, row('1'))
  ending(controller.fetch(patchNow, { id: '1' }, { title: 'edited' }))
  ending(controller.fetch(vote, { id: '1' }, {}))
  await clock.advance(3 * AFTER)
  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'edited', votes: 1 })
  await server.one('patch', 0).fail()
  expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 't1', votes: 1 })
  await server.one('patch', 1).fail()
  await twoSweeps(clock)
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
})

test('M3: a tombstone is retained while a request that started before the deletion is in flight', async () => {
  const { controller, clock, getTodo, remove, server } = openBoard()
  ending(controller.fetch(getTodo, { id: '1' }))
  ending(controller.fetch(remove, { id: '1' }))
  await server.one('remove').answer({ id: '1' })
  await twoSweeps(clock)
  await server.one('getTodo').answer(row('1'))
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
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
    advance: (ms: number) => hand.advance(ms),
    env: {
      ...hand,
      mono: () => hand.mono() + looks++ / 4,
      setTimeout: (run: () => void, ms: number) =>
        hand.setTimeout(() => {
          slow.between()
          run()
        }, ms),
    },
  }
  return slow
}

test('M4: data mounted between two slices of a sweep is retained, with its rows', async () => {
  const clock = slowClock()
  const { controller, getTodo, getTodos } = openBoard({ env: clock.env })
  for (let at = 0; at < 100; at++) {
    const rows = Array.from({ length: 200 }, (_, of) => row(`${at * 200 + of}`))
    controller.setResponse(getTodos, { userId: `${at}` }, rows)
  }
  let slices = 0
  const mounted: {
    readonly id: string
    readonly status: string
    readonly shown: { readonly now: { readonly status: string } }
  }[] = []
  clock.between = () => {
    const id = `${19_999 - slices++}`
    const query = controller.watch(getTodo, { id })
    const { status } = query.getSnapshot()
    mounted.push({ id, status, shown: watch(query) })
  }
  await clock.advance(4 * AFTER)
  expect(slices).toBeGreaterThan(3)
  const found = mounted.filter(({ status }) => status === 'ready')
  expect(found.length).toBeGreaterThan(1)
  expect(found.map(({ shown }) => shown.now.status)).toEqual(found.map(() => 'ready'))
  const retained = (controller.get(allTodos) ?? []).map((todo) => todo.id)
  expect(retained.sort()).toEqual(found.map(({ id }) => id).sort())
})

test('M4: the needs of a long mounted list are computed in slices, and readers that mount meanwhile are included', async () => {
  const clock = slowClock()
  const { controller, getTodo } = openBoard({ env: clock.env })
  const getAll = new Endpoint(async (): Promise<unknown> => [], { name: 'getAll', schema: [Todo] })
  const rows = Array.from({ length: 20_000 }, (_, id) => row(`${id}`))
  controller.setResponse(getAll, rows)
  controller.setResponse(getTodo, { id: 'late' }, row('late'))
  const shown = watch(controller.watch(getAll))
  let slices = 0
  let late: { readonly now: { readonly status: string } } | undefined
  clock.between = () => {
    slices++
    late ??= watch(controller.watch(getTodo, { id: 'late' }))
  }
  await clock.advance(1.5 * AFTER)
  expect(slices).toBeGreaterThan(8)
  expect([shown.now.status, late?.now.status]).toEqual(['ready', 'ready'])
  expect(controller.get(allTodos)).toHaveLength(20_001)
})

test('a row that a pending removal hides is back when it fails, however long it took', async () => {
  const { controller, clock, getTodos, takeOut, server } = openBoard()
  const takeOutNow = takeOut.extend({ getOptimisticResponse: (_, { id }) => ({ id }) })
  controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2', 5)])
  const shown = watch(controller.watch(getTodos, { userId: '1' }))
  const outcome = ending(controller.fetch(takeOutNow, { id: '2' }))
  expect(ids(shown.now)).toEqual(['1'])
  await clock.advance(4 * AFTER)
  expect(ids(shown.now)).toEqual(['1'])
  await server.one('takeOut').fail()
  await outcome
  expect(ids(shown.now)).toEqual(['1', '2'])
  expect(shown.now.data?.[1]).toMatchObject({ votes: 5 })
})

test('a hold keeps a suspended read for 30 s; then it is collected like any other', async () => {
  const { controller, clock, getTodo, server } = openBoard({ retention: { after: 1_000 } })
  const query = controller.watch(getTodo, { id: '1' })
  void query.load()
  await server.one('getTodo').answer(row('1'))
  await clock.advance(29_000)
  expect(controller.get(Todo, { id: '1' })).toBeDefined()
  await clock.advance(10_000)
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  expect(clock.pending).toBe(0)
})

test('retention false collects nothing and starts no timer', async () => {
  const { controller, clock } = openBoard({ retention: false })
  controller.set(Todo, { id: '1' }, row('1'))
  expect(clock.pending).toBe(0)
  await clock.advance(100 * AFTER)
  expect(controller.get(Todo, { id: '1' })).toBeDefined()
})

/** A day of polls, one each second. */
const seconds = Number(process.env.ROUNDTABLE_POLLS ?? 86_400)

test(`M6: ${seconds} polls with equal content notify nobody and need one timer`, async () => {
  const { controller, clock, getTodo } = openBoard({ retention: false })
  const response = row('1')
  let polls = 0
  const live = getTodo.extend({
    pollFrequency: 1_000,
    fetch: async (_: { readonly id: string }) => {
      polls++
      return { ...response }
    },
  })
  const shown = watch(controller.watch(live, { id: '1' }))
  await settle()
  controller.observe(poll, live, { id: '1' }).subscribe(() => {})
  await clock.advance(1_000)
  const first = shown.now
  await clock.advance(seconds * 1_000)
  expect(polls).toBeGreaterThanOrEqual(seconds)
  expect(shown.now).toBe(first)
  expect(shown.notified).toBe(1)
  expect(clock.pending).toBe(1)
})

/** 100,000 of them take a while. */
const cycles = Number(process.env.ROUNDTABLE_CYCLES ?? 20_000)

test(`M7: ${cycles} optimistic cycles leave no layer and no placeholder behind`, async () => {
  const { controller, createNow, getTodos, server } = openBoard()
  controller.setResponse(getTodos, { userId: '1' }, [row('1')])
  const list = watch(controller.watch(getTodos, { userId: '1' }))
  const refs: WeakRef<object>[] = []
  for (let cycle = 0; cycle < cycles; cycle++) {
    ending(controller.fetch(createNow, { userId: '1' }, { title: 'new' }))
    if (cycle % 100 === 0) refs.push(new WeakRef(list.now.data?.[1] as object))
    list.seen.length = 0
    await server.requests.pop()?.fail()
  }
  expect(ids(list.now)).toEqual(['1'])
  expect(controller.get(allTodos)).toHaveLength(1)
  list.seen.length = 0
  expect(await reachable(refs)).toBe(0)
})

test('M9: 10,000 requests that the server refuses leave no response behind, and every stream is closed', async () => {
  const { fetch } = globalThis
  const responses: WeakRef<Response>[] = []
  // A body longer than the stored part, which never ends.
  const much = new Uint8Array(65_536)
  let open = 0
  globalThis.fetch = async () => {
    open++
    const body = new ReadableStream({
      pull: (stream) => stream.enqueue(much),
      cancel: () => {
        open--
      },
    })
    const response = new Response(body, { status: 500, headers: { 'content-type': 'application/json' } })
    responses.push(new WeakRef(response))
    return response
  }
  try {
    const clock = new HandClock()
    const controller = new Controller({ env: clock })
    const get = new RestEndpoint({ path: '/todos/:id', urlPrefix: 'http://localhost', schema: Todo })
    for (let cycle = 0; cycle < 10_000; cycle++) {
      await expectFailure(controller.fetch(get, { id: `${cycle % 1_000}` }))
      if (cycle % 1_000 === 0) await clock.advance(10)
    }
    await twoSweeps(clock)
    expect(clock.pending).toBe(0)
    expect(await reachable(responses)).toBe(0)
    expect(open).toBe(0)
  } finally {
    globalThis.fetch = fetch
  }
})

/** Waits for a request that fails, and forgets with what. */
async function expectFailure(sent: Promise<unknown>): Promise<void> {
  const status = await sent.then(
    () => 200,
    (error: { readonly status: number }) => error.status,
  )
  if (status !== 500) throw new Error(`ended with ${status}`)
}

test('M8: controllers and the listeners of readers that left can be collected', async () => {
  const refs: WeakRef<object>[] = []
  const { controller, getTodo } = openBoard()
  const cycle = async (): Promise<void> => {
    const listener = (): void => {}
    const stop = controller.watch(getTodo, { id: '1' }).subscribe(listener)
    await settle()
    stop()
    const other = new Controller({ env: new HandClock() })
    other.setResponse(getTodo, { id: '1' }, row('1'))
    other.watch(getTodo, { id: '1' }).subscribe(() => {})
    refs.push(new WeakRef(listener), new WeakRef(other), new WeakRef(other.get(Todo, { id: '1' }) as object))
  }
  for (let at = 0; at < 100; at++) {
    await cycle()
  }
  await settle()
  expect(await reachable(refs)).toBe(0)
})

test('selections that nobody uses any more take no memory, though no row comes or goes', async () => {
  const { controller, clock, getTodo } = openBoard()
  const someTodos = new All(Todo, { belongs: (todo, { title }: { readonly title: string }) => todo.title === title })
  controller.setResponse(getTodo, { id: '1' }, row('1'))
  const stays = watch(controller.query(getTodo, { id: '1' }))
  const select = (at: number): WeakRef<object> => {
    const selection = controller.select(someTodos, { title: `t${at}` })
    expect(selection.getSnapshot()).toHaveLength(at === 1 ? 1 : 0)
    return new WeakRef(selection)
  }
  const refs = Array.from({ length: 100 }, (_, at) => select(at))
  await twoSweeps(clock)
  expect(stays.now.data?.title).toBe('t1')
  expect(await reachable(refs)).toBe(0)
})

describe('rows that were collected take no memory, whatever refers to them', () => {
  const count = 20_000
  const names = Array.from({ length: count }, (_, at) => `${at}`)
  const getAll = new Endpoint(async (): Promise<unknown> => [], { name: 'getAll', schema: [Todo] })

  const bytesUsed = async (): Promise<number> => {
    await reachable([])
    return process.memoryUsage().heapUsed
  }
  /** The part of the bytes for so many rows that is still used when they were collected. */
  const shareLeft = async (clock: HandClock, come: () => void): Promise<number> => {
    const none = await bytesUsed()
    come()
    const all = await bytesUsed()
    await twoSweeps(clock)
    return ((await bytesUsed()) - none) / (all - none)
  }

  test('a row that stays is one that all of them referred to', async () => {
    const { controller, clock, getTodo } = openBoard()
    const user = { id: 'u', name: 'Ada' }
    controller.setResponse(getTodo, { id: 'stays' }, { ...row('stays'), user })
    const shown = watch(controller.watch(getTodo, { id: 'stays' }))
    const left = await shareLeft(clock, () => {
      controller.setResponse(
        getAll,
        names.map((name) => ({ ...row(name), user })),
      )
      expect(controller.get(allTodos)?.at(-1)?.user).toBe(shown.now.data?.user)
    })
    expect(controller.get(allTodos)).toHaveLength(1)
    expect(left).toBeLessThan(0.2)
    expect(shown.now.data?.user).toMatchObject(user)
  })

  test('rows that stay are those between them', async () => {
    const { controller, clock, getTodos } = openBoard()
    const stays = names.map((name) => row(`stays ${name}`))
    controller.setResponse(getTodos, {}, stays)
    const shown = watch(controller.watch(getTodos, {}))
    expect(shown.now.data).toHaveLength(count)
    const left = await shareLeft(clock, () => {
      controller.setResponse(
        getAll,
        names.flatMap((name, at) => [stays[at] as Todo, row(name)]),
      )
      controller.getResponse(getAll)
    })
    expect(controller.get(allTodos)).toHaveLength(count)
    expect(left).toBeLessThan(0.2)
    expect(shown.now.data).toHaveLength(count)
  })
})

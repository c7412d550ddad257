import { Endpoint, poll, ResetError, TimeoutError } from '@roundtable/core'
import { expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, ids, openBoard, Todo, titles, watch } from './todo-board.js'

async function withList(...rows: readonly { id: string; title?: string; userId?: string; votes?: number }[]) {
  const board = openBoard()
  const query = board.controller.watch(board.getTodos, { userId: '1' })
  const list = watch(query)
  await settle()
  await board.server.one('getTodos').answer(rows.map((row) => ({ userId: '1', title: `t${row.id}`, ...row })))
  list.seen.length = 0
  return { ...board, query, list }
}

test('R1: a row whose optimistic deletion the server refuses is back in the same notification, and only the promise fails', async () => {
  const { controller, removeNow, server, list } = await withList({ id: '1' }, { id: '2' })
  const end = ending(controller.fetch(removeNow, { id: '1' }))
  expect(ids(list.now)).toEqual(['2'])
  expect(list.notified).toBe(1)
  await server.one('remove').fail(new Error('500'))
  expect(end.error).toMatchObject({ message: '500' })
  expect(list.seen.map(ids)).toEqual([['2'], ['1', '2']])
  expect(list.now).toMatchObject({ status: 'ready', error: undefined })
})

test('R2: a GET that arrives after a DELETE that it overlapped brings nothing back, but resolves with its value', async () => {
  const { controller, getTodo, remove, server } = openBoard()
  const got = ending(controller.fetch(getTodo, { id: '1' }))
  const gone = ending(controller.fetch(remove, { id: '1' }))
  await server.one('remove').answer({ id: '1' })
  expect(gone.isOver).toBe(true)
  await server.one('getTodo').answer({ id: '1', title: 'old' })
  expect(got.value).toEqual({ id: '1', title: 'old' })
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
})

test.each(['invalidate', 'expireAll', 'invalidateAll'] as const)(
  'R3: %s while the GET is in flight lets its response be shown, and exactly one refetch starts',
  async (verb) => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    if (verb === 'invalidate') controller.invalidate(getTodo, { id: '1' })
    else controller[verb](getTodo)
    await settle()
    expect(server.of('getTodo')).toHaveLength(1)
    await server.one('getTodo').answer({ id: '1', title: 'first' })
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'first' } })
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).answer({ id: '1', title: 'second' })
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'second' } })
    expect(server.of('getTodo')).toHaveLength(2)
  },
)

test('R4: a list that is fetched after a POST completed is requested again, and the older response does not win', async () => {
  const { controller, getTodos, create, server } = openBoard()
  const early = ending(controller.fetch(getTodos, { userId: '1' }))
  const post = ending(controller.fetch(create, { userId: '1' }, { title: 'new' }))
  await server.one('create').answer({ id: '9', title: 'new', userId: '1' })
  expect(post.isOver).toBe(true)
  const late = ending(controller.fetch(getTodos, { userId: '1' }))
  expect(server.of('getTodos')).toHaveLength(2)
  await server.one('getTodos', 1).answer([
    { id: '1', title: 'a', userId: '1' },
    { id: '9', title: 'new', userId: '1' },
  ])
  await server.one('getTodos', 0).answer([{ id: '1', title: 'a', userId: '1' }])
  expect(late.value?.map((todo) => todo.id)).toEqual(['1', '9'])
  expect(early.isOver).toBe(true)
  expect(ids({ data: controller.getResponse(getTodos, { userId: '1' }).data })).toEqual(['1', '9'])
})

test('R5: a reset in the same millisecond as the fetch aborts it, rejects it and leaves the store empty', async () => {
  const { controller, getTodo, server } = openBoard()
  const end = ending(controller.fetch(getTodo, { id: '1' }))
  const request = server.one('getTodo')
  controller.resetEntireStore()
  await request.answer({ id: '1', title: 'of the user before' })
  expect(end.error).toBeInstanceOf(ResetError)
  expect(request.isAborted).toBe(true)
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  expect(controller.getResponse(getTodo, { id: '1' }).data).toBeUndefined()
})

test('R6: after a reset the wall clock may step back an hour: fetches settle, are stored and joined, and polls keep their rate', async () => {
  const { controller, clock, getTodo, server } = openBoard()
  const live = getTodo.extend({ pollFrequency: 1_000 })
  const stop = controller.observe(poll, live, { id: '2' }).subscribe(() => {})
  await settle()
  controller.resetEntireStore()
  clock.wallOffset -= 3_600_000
  const first = ending(controller.fetch(getTodo, { id: '1' }))
  const second = ending(controller.fetch(getTodo, { id: '1' }))
  const requested = () => server.of('getTodo').filter((request) => (request.args[0] as { id: string }).id === '1')
  expect(requested()).toHaveLength(1)
  await requested()[0]?.answer({ id: '1', title: 'kept' })
  expect(first.value).toMatchObject({ title: 'kept' })
  expect(second.value).toBe(first.value)
  expect(controller.get(Todo, { id: '1' })).toBe(first.value)
  const polls = () => server.of('getTodo').filter((request) => (request.args[0] as { id: string }).id === '2')
  const before = polls().length
  for (let second = 0; second < 3; second++) {
    await clock.advance(1_000)
    await polls().at(-1)?.answer({ id: '2' })
  }
  expect(polls().length - before).toBeGreaterThanOrEqual(3)
  expect(polls().length - before).toBeLessThanOrEqual(4)
  stop()
})

test.each([0, 5])(
  'R7, R8: of two PUTs started %d ms apart the later one wins, whichever response arrives last',
  async (gap) => {
    const { controller, clock, patch, server } = openBoard()
    const a = ending(controller.fetch(patch, { id: '1' }, { title: 'A' }))
    await clock.advance(gap)
    const b = ending(controller.fetch(patch, { id: '1' }, { title: 'B' }))
    await server.one('patch', 1).answer({ id: '1', title: 'B' })
    await server.one('patch', 0).answer({ id: '1', title: 'A' })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'B' })
    expect(b.value).toMatchObject({ title: 'B' })
    expect(a.value).toMatchObject({ title: 'B' })
  },
)

test('R7: the expiry of a key is that of the newer response, also when an older one arrives after it', async () => {
  const { controller, clock, getTodo, touch, server } = openBoard()
  void controller.fetch(getTodo, { id: '1' })
  const touched = controller.fetch(touch)
  await server.one('touch').answer(null)
  await touched
  void controller.fetch(getTodo, { id: '1' })
  await server.one('getTodo', 1).answer({ id: '1', title: 'newer' })
  const { expiresAt } = controller.getResponse(getTodo, { id: '1' })
  await clock.advance(500)
  await server.one('getTodo', 0).answer({ id: '1', title: 'older' })
  expect(controller.getResponse(getTodo, { id: '1' })).toMatchObject({ expiresAt, data: { title: 'newer' } })
})

test.each(['a schemaless endpoint', 'a plain array'] as const)(
  'R9: of two responses of %s the one that was requested later stays, also if the older one arrives last',
  async (what) => {
    const { controller, server, touch } = openBoard()
    const base = new Endpoint(server.on<[], unknown>('plain'), { name: 'plain' })
    const endpoint = what === 'a plain array' ? base.extend({ schema: [Todo] }) : base
    const of = (title: string) => [{ id: title, title }]
    void controller.fetch(endpoint)
    const touched = controller.fetch(touch)
    await server.one('touch').answer(null)
    await touched
    void controller.fetch(endpoint)
    await server.one('plain', 1).answer(of('new'))
    await server.one('plain', 0).answer(of('old'))
    expect(controller.getResponse(endpoint).data).toMatchObject(of('new'))
  },
)

test('R10: an older failure never replaces newer data of its key', async () => {
  const { controller, getTodo, touch, server } = openBoard()
  const older = ending(controller.fetch(getTodo, { id: '1' }))
  const touched = controller.fetch(touch)
  await server.one('touch').answer(null)
  await touched
  void controller.fetch(getTodo, { id: '1' })
  await server.one('getTodo', 1).answer({ id: '1', title: 'newer' })
  const shown = watch(controller.watch(getTodo, { id: '1' }))
  await server.one('getTodo', 0).fail()
  expect(older.error).toBeInstanceOf(Error)
  expect(controller.getError(getTodo, { id: '1' })).toBeUndefined()
  expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'newer' } })
})

test('R11: of two optimistic creates in one tick the first may fail; the second stays until its own response', async () => {
  const { controller, createNow, server, list } = await withList({ id: '1' })
  const both = Promise.allSettled([
    controller.fetch(createNow, { userId: '1' }, { title: 'first' }),
    controller.fetch(createNow, { userId: '1' }, { title: 'second' }),
  ])
  expect(titles(list.now)).toEqual(['t1', 'first', 'second'])
  await server.one('create', 0).fail()
  expect(titles(list.now)).toEqual(['t1', 'second'])
  await server.one('create', 1).answer({ id: '8', title: 'second', userId: '1' })
  expect(ids(list.now)).toEqual(['1', '8'])
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('R12: an optimistic creation has one placeholder and one reference through ten updates, and its place afterwards', async () => {
  const { controller, createNow, server, list } = await withList({ id: '1' })
  void controller.fetch(createNow, { userId: '1' }, { title: 'new' })
  const [, placeholder] = list.now.data ?? []
  expect(placeholder?.id).toMatch(/^optimistic:\d+$/)
  for (let votes = 1; votes <= 10; votes++) {
    controller.set(Todo, { id: '1' }, { votes })
    expect(list.now.data?.[1]).toBe(placeholder)
  }
  void controller.fetch(createNow, { userId: '1' }, { title: 'last' })
  await server.one('create', 0).answer({ id: '7', title: 'new', userId: '1' })
  expect(ids(list.now)).toEqual(['1', '7', expect.stringMatching(/^optimistic:/)])
  await server.one('create', 1).answer({ id: '8', title: 'last', userId: '1' })
  expect(ids(list.now)).toEqual(['1', '7', '8'])
})

test('R13: pending fields of a PATCH override a list that started later; its other fields take the new values', async () => {
  const { controller, getTodos, patchNow, server, list } = await withList({ id: '1', title: 'old', votes: 1 })
  void controller.fetch(patchNow, { id: '1' }, { title: 'edited' })
  void controller.fetch(getTodos, { userId: '1' })
  await server.one('getTodos', 1).answer([{ id: '1', title: 'old', userId: '1', votes: 5 }])
  expect(list.now.data).toMatchObject([{ title: 'edited', votes: 5 }])
  await server.one('patch').answer({ id: '1', title: 'edited' })
  expect(list.now.data).toMatchObject([{ title: 'edited', votes: 5 }])
})

test('R14: +1 three times, overlapping, the middle one failing, shows 1, 2, 3, 2, 2, 2 and ends as the server has it', async () => {
  const { controller, vote, server, list } = await withList({ id: '1', votes: 0 })
  const shown: number[] = []
  const note = () => shown.push(list.now.data?.[0]?.votes ?? Number.NaN)
  const ends = []
  for (let at = 0; at < 3; at++) {
    ends.push(ending(controller.fetch(vote, { id: '1' }, {})))
    note()
  }
  await server.one('patch', 1).fail()
  note()
  await server.one('patch', 0).answer({ id: '1', votes: 1 })
  note()
  await server.one('patch', 2).answer({ id: '1', votes: 2 })
  note()
  expect(shown).toEqual([1, 2, 3, 2, 2, 2])
  expect(controller.get(Todo, { id: '1' })?.votes).toBe(2)
})

test('R15: a mutation that times out reverts its layer; the refetch shows the server’s state, once', async () => {
  const { controller, clock, vote, getTodos, server, list } = await withList({ id: '1', votes: 0 })
  const end = ending(controller.fetch(vote.extend({ timeout: 1_000 }), { id: '1' }, {}))
  expect(list.now.data).toMatchObject([{ votes: 1 }])
  await clock.advance(1_000)
  expect(end.error).toBeInstanceOf(TimeoutError)
  expect(server.one('patch').isAborted).toBe(true)
  expect(list.now.data).toMatchObject([{ votes: 0 }])
  void controller.fetch(getTodos, { userId: '1' })
  await server.one('getTodos', 1).answer([{ id: '1', userId: '1', title: 't1', votes: 1 }])
  expect(list.now.data).toMatchObject([{ votes: 1 }])
})

test('R17: one of two subscribers may leave during the request; the last one aborts it only with abortOnUnused', async () => {
  for (const abortOnUnused of [false, true]) {
    const { controller, getTodo, server } = openBoard()
    const endpoint = getTodo.extend({ abortOnUnused })
    const first = watch(controller.watch(endpoint, { id: '1' }))
    const second = watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    first.stop()
    await settle()
    const request = server.one('getTodo')
    expect(request.isAborted).toBe(false)
    second.stop()
    await settle()
    expect(request.isAborted).toBe(abortOnUnused)
    await request.answer({ id: '1', title: 'kept' })
    expect(controller.get(Todo, { id: '1' })?.title).toBe(abortOnUnused ? undefined : 'kept')
  }
})

test('R18: arguments that go from 1 to 2 and back before 1 arrives show 1 once, and never 2 under 1', async () => {
  const { controller, getTodo, server } = openBoard()
  const one = () => controller.watch(getTodo, { id: '1' })
  const first = watch(one())
  await settle()
  first.stop()
  const other = watch(controller.watch(getTodo, { id: '2' }))
  await settle()
  other.stop()
  const again = watch(one())
  await settle()
  expect(server.of('getTodo').map(({ args }) => args)).toEqual([[{ id: '1' }], [{ id: '2' }]])
  await server.one('getTodo', 1).answer({ id: '2', title: 'two' })
  expect(again.now.status).toBe('pending')
  await server.one('getTodo', 0).answer({ id: '1', title: 'one' })
  expect(again.seen).toHaveLength(1)
  expect(again.now).toMatchObject({ status: 'ready', data: { title: 'one' } })
})

import { Endpoint, Entity, Invalidate, keepPrevious, poll, revalidate } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { refusal } from './fake-server.js'
import { ending, ids, openBoard, Todo, watch } from './todo-board.js'

const row = (id = '1', title = `t${id}`) => ({ id, title, userId: '1', votes: 0 })

class Flat extends Entity {
  static override key = 'Flat'
  id = ''
  title = ''
  userId = ''
  votes = 0
}

/** A reader of a row, which the list has too. */
async function detail(options: Parameters<typeof openBoard>[0] = {}) {
  const board = openBoard(options)
  const { controller, server, getTodo, getTodos } = board
  const list = watch(controller.watch(getTodos, { userId: '1' }))
  const shown = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  await server.one('getTodos').answer([row('1'), row('2')])
  await server.one('getTodo').answer(row())
  return { ...board, list, shown, before: shown.now }
}

const deletions = { 'a deletion': 'remove', 'an optimistic deletion': 'removeNow' } as const

describe.each(Object.entries(deletions))('%s of a row that a reader shows', (_, name) => {
  test('sends nothing for it, and the reader keeps what it shows for a second', async () => {
    const { controller, server, shown, list, before, clock, ...endpoints } = await detail()
    const deleted = controller.fetch(endpoints[name], { id: '1' })
    await clock.advance(5_000)
    expect(shown.now).toBe(before)
    await server.one('remove').answer({ id: '1' })
    await deleted
    expect(ids(list.now)).toEqual(['2'])
    await clock.advance(999)
    expect(shown.now).toBe(before)
    expect(shown.notified).toBe(1)
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('who leaves meanwhile causes no request and no notification', async () => {
    const { controller, server, shown, clock, ...endpoints } = await detail()
    const deleted = controller.fetch(endpoints[name], { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await deleted
    shown.stop()
    await clock.advance(60_000)
    expect(shown.notified).toBe(1)
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('who stays is told by an error with status 404, without a request', async () => {
    const { controller, server, shown, clock, ...endpoints } = await detail()
    const deleted = controller.fetch(endpoints[name], { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await deleted
    await clock.advance(1_000)
    expect(shown.now).toMatchObject({
      status: 'failed',
      data: undefined,
      error: { name: 'DeletedError', code: 'DELETED', status: 404 },
    })
    expect(shown.notified).toBe(2)
    await clock.advance(120_000)
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('that fails leaves the reader as it was', async () => {
    const { controller, server, shown, before, clock, ...endpoints } = await detail()
    const deleted = ending(controller.fetch(endpoints[name], { id: '1' }))
    await clock.advance(3_000)
    await server.one('remove').fail(refusal)
    await clock.advance(3_000)
    expect(deleted.error).toBeDefined()
    expect(shown.seen.every(({ data }) => data?.id === '1')).toBe(true)
    expect(shown.now).toEqual(before)
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('a new reader asks, also beside one that stays; so does other arguments', async () => {
    const { controller, server, shown, clock, getTodo, ...endpoints } = await detail()
    const deleted = controller.fetch(endpoints[name], { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await deleted
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).answer(row('1', 'again'))
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'again' } })
    await clock.advance(2_000)
    expect(shown.now).toMatchObject({ status: 'ready' })
  })

  test('a reader that comes after all others have left waits and asks', async () => {
    const { controller, server, shown, clock, getTodo, ...endpoints } = await detail()
    const deleted = controller.fetch(endpoints[name], { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await deleted
    shown.stop()
    await clock.advance(100)
    const next = watch(controller.watch(getTodo, { id: '1' }))
    expect(next.now).toMatchObject({ status: 'pending' })
    await settle()
    await server.one('getTodo', 1).fail()
    expect(next.now).toMatchObject({ status: 'failed', error: { message: expect.not.stringContaining('was deleted') } })
  })

  test.each(['before the deletion', 'between its sending and its answer'])(
    'a reader whose first read the server answered %s is told what the server says',
    async (when) => {
      const { controller, server, getTodo, ...endpoints } = openBoard()
      const read = (): void => void controller.watch(getTodo, { id: '1' }).subscribe(() => {})
      const remove = (): void => void controller.fetch(endpoints[name], { id: '1' })
      for (const start of when === 'before the deletion' ? [read, remove] : [remove, read]) {
        start()
        await settle()
      }
      await server.one('remove').answer({ id: '1' })
      await server.one('getTodo').answer(row())
      expect(controller.watch(getTodo, { id: '1' }).getSnapshot()).toMatchObject({ status: 'pending' })
      await server.one('getTodo', 1).fail(Object.assign(new Error('gone'), { status: 404 }))
      expect(controller.watch(getTodo, { id: '1' }).getSnapshot()).toMatchObject({ status: 'failed' })
      expect(server.of('getTodo')).toHaveLength(2)
    },
  )

  test('nothing else asks for it: no poll, no focus, no expiry and no invalidation', async () => {
    const { controller, server, clock, getTodo, ...endpoints } = await detail({ managers: [revalidate()] })
    const polled = getTodo.extend({ pollFrequency: 100 })
    const deleted = controller.fetch(endpoints[name], { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await deleted
    controller.observe(poll, polled, { id: '1' }).subscribe(() => {})
    await clock.advance(500)
    controller.expireAll(getTodo)
    controller.invalidate(getTodo, { id: '1' })
    await clock.advance(500)
    clock.announce({ visible: false })
    clock.announce({ visible: true })
    await clock.advance(70_000)
    expect(server.of('getTodo')).toHaveLength(1)
  })
})

test('a refetch, and the reset of a boundary, ask the server', async () => {
  const { controller, server, shown, clock, remove } = await detail()
  const deleted = controller.fetch(remove, { id: '1' })
  await server.one('remove').answer({ id: '1' })
  await deleted
  await clock.advance(1_000)
  controller.dropError(shown.now.error)
  await settle()
  expect(server.of('getTodo')).toHaveLength(2)
  await server.one('getTodo', 1).answer(row('1', 'restored'))
  expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'restored' } })
})

test('a row of which only a list has told is kept too, and so is what a mark shows', async () => {
  const { controller, server, getTodos, getTodo, remove, clock } = openBoard()
  watch(controller.watch(getTodos, { userId: '1' }))
  await settle()
  await server.one('getTodos').answer([row('1')])
  const shown = watch(controller.watch(keepPrevious(getTodo), { id: '1' }))
  await settle()
  expect(shown.now.data).toMatchObject({ id: '1' })
  const deleted = controller.fetch(remove, { id: '1' })
  await server.one('remove').answer({ id: '1' })
  await deleted
  await clock.advance(500)
  expect(shown.now.data).toMatchObject({ id: '1' })
  expect(server.of('getTodo')).toHaveLength(0)
})

test('in an envelope too; a response with other rows is asked for without it', async () => {
  const { controller, server, remove, clock } = openBoard()
  const envelope = new Endpoint(server.on<[{ id: string }]>('envelope'), { name: 'envelope', schema: { data: Todo } })
  const page = new Endpoint(server.on<[]>('page'), { name: 'page', schema: { todo: Todo, other: Todo } })
  const shown = [watch(controller.watch(envelope, { id: '1' })), watch(controller.watch(page))]
  await settle()
  await server.one('envelope').answer({ data: row() })
  await server.one('page').answer({ todo: row(), other: row('2') })
  const deleted = controller.fetch(remove, { id: '1' })
  await server.one('remove').answer({ id: '1' })
  await deleted
  await clock.advance(500)
  expect(shown.map(({ now }) => now.status)).toEqual(['ready', 'pending'])
  expect([server.of('envelope').length, server.of('page').length]).toEqual([1, 2])
})

test('a reset ends it: everything is fetched anew', async () => {
  const { controller, server, remove, shown } = await detail()
  const deleted = controller.fetch(remove, { id: '1' })
  await server.one('remove').answer({ id: '1' })
  await deleted
  controller.resetEntireStore()
  await settle()
  expect(shown.now.status).toBe('pending')
  expect(server.of('getTodo')).toHaveLength(2)
})

test('a deletion is pending again if the row came back below it: the second starts with its success', async () => {
  const { controller, server, shown, before, clock, remove, removeNow } = await detail()
  void controller.fetch(remove, { id: '1' })
  await server.one('remove', 0).answer({ id: '1' })
  await clock.advance(500)
  void controller.fetch(removeNow, { id: '1' })
  controller.set(Todo, { id: '1' }, row('1', 'anew'))
  await clock.advance(5_000)
  expect(shown.now).toBe(before)
  await server.one('remove', 1).answer({ id: '1' })
  await clock.advance(999)
  expect(shown.now).toBe(before)
  await clock.advance(1)
  const told = shown.now
  expect(told).toMatchObject({ status: 'failed', error: { code: 'DELETED' } })
  // Readers that were told stay so, whatever comes back below another deletion.
  void controller.fetch(removeNow, { id: '1' })
  controller.set(Todo, { id: '1' }, row('1', 'anew'))
  await clock.advance(5_000)
  await server.one('remove', 2).answer({ id: '1' })
  await clock.advance(5_000)
  expect(shown.now).toBe(told)
  expect(server.of('getTodo')).toHaveLength(1)
})

test.each(['a response of its own', 'the response of a list'])(
  'a row from %s that was deleted and created at a time is asked for: only the server knows whether it exists',
  async (source) => {
    const { controller, server, getTodo, getTodos, create, remove, clock } = openBoard()
    const isOwn = source === 'a response of its own'
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    if (!isOwn) await server.one('getTodos').answer([row()])
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    if (isOwn) await server.one('getTodo').answer(row())
    void controller.fetch(create, { userId: '1' }, row('1', 'anew'))
    void controller.fetch(remove, { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await server.one('create').answer(row('1', 'anew'))
    const asked = server.of('getTodo').length
    await server.one('getTodo', asked - 1).answer(row('1', 'anew'))
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'anew' } })
    expect(asked).toBe(isOwn ? 2 : 1)
    await clock.advance(5_000)
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'anew' } })
    list.stop()
  },
)

describe('a row that comes back after its readers were told', () => {
  const comebacks = {
    'by an optimistic creation': ({ controller, createNow }) =>
      void controller.fetch(createNow, { userId: '1' }, row('1', 'anew')),
    'by a creation': async ({ controller, server, create }) => {
      controller.fetch(create, { userId: '1' }, row('1', 'anew'))
      await server.one('create').answer(row('1', 'anew'))
    },
    'by a write': ({ controller }) => controller.set(Todo, { id: '1' }, row('1', 'anew')),
  } satisfies Record<string, (board: Awaited<ReturnType<typeof detail>>) => unknown>

  test.each(Object.entries(comebacks))('%s is shown', async (_, comeBack) => {
    const board = await detail()
    const { controller, server, shown, clock, remove } = board
    const deleted = controller.fetch(remove, { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await deleted
    await clock.advance(1_000)
    expect(shown.now.status).toBe('failed')
    await comeBack(board)
    await settle()
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'anew' } })
  })
})

describe('an optimistic deletion that fails', () => {
  test.each(['of a row with a relation', 'of a row without relations'])(
    '%s gives it back as the same object, wherever it is shown',
    async (kind) => {
      const { controller, server, getTodo, getTodos, removeNow } = openBoard()
      const isFlat = kind === 'of a row without relations'
      const [todo, todos] = isFlat
        ? [getTodo.extend({ schema: Flat }), getTodos.extend({ schema: [Flat] })]
        : [getTodo, getTodos]
      const remove = isFlat ? removeNow.extend({ schema: new Invalidate(Flat) }) : removeNow
      const user = isFlat ? {} : { user: { id: 'a', name: 'Ada' } }
      const list = watch(controller.query(todos as typeof getTodos, {}))
      const shown = watch(controller.query(todo as typeof getTodo, { id: '1' }))
      await settle()
      await server.one('getTodos').answer([{ ...row('1'), ...user }, row('2')])
      await server.one('getTodo').answer({ ...row('1'), ...user })
      const before = shown.now
      const [first] = list.now.data ?? []
      const told = shown.notified
      const deleted = ending(controller.fetch(remove, { id: '1' }))
      expect(ids(list.now)).toEqual(['2'])
      await server.one('remove').fail()
      expect(deleted.error).toBeDefined()
      expect(list.now.data?.[0]).toBe(first)
      expect(shown.now.data).toBe(before.data)
      // Nothing that it shows has changed.
      expect(shown.notified).toBe(told)
    },
  )
})

describe.each(['first request', 'refetch'])('a row that is deleted by a message during the %s of a reader', (which) => {
  test.each(['gone', 'back'])('is requested once more, since that response came from before: it is %s', async (is) => {
    const { controller, server, getTodo, remove } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    if (which === 'refetch') {
      await server.one('getTodo').answer(row())
      void shown.now.refetch()
      await settle()
    }
    controller.setResponse(remove, { id: '1' }, { id: '1' })
    await server.one('getTodo', -1).answer(row())
    const before = which === 'refetch' ? 2 : 1
    expect(server.of('getTodo')).toHaveLength(before + 1)
    expect(shown.now.status).toBe('pending')
    if (is === 'back') await server.one('getTodo', -1).answer(row('1', 'again'))
    else await server.one('getTodo', -1).fail(refusal)
    expect(shown.now).toMatchObject(is === 'back' ? { data: { title: 'again' } } : { status: 'failed' })
    expect(server.of('getTodo')).toHaveLength(before + 1)
  })
})

import { expires, OptionError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { refusal } from './fake-server.js'
import { openBoard, watch } from './todo-board.js'

type Board = ReturnType<typeof openBoard>

/** A board that shows statistics, which the server counts anew after each `patch`. */
async function openWithStats(endpoints: (board: Board) => (...call: never[]) => readonly never[]) {
  const board = openBoard()
  const { controller, server, getPlain } = board
  const patch = board.patch.extend({ parts: [expires(endpoints(board))] })
  const stats = watch(controller.watch(getPlain))
  await settle()
  await server.one('getPlain').answer({ open: 2 })
  return { ...board, patch, stats }
}

const getsPlain =
  ({ getPlain }: Board) =>
  (): readonly never[] => [getPlain as never]

test('a mutation that succeeds refetches what it expires, once, and shows the old result meanwhile', async () => {
  const { controller, server, patch, stats } = await openWithStats(getsPlain)
  controller.fetch(patch, { id: '1' }, { title: 'Milk' })
  await settle()
  expect(server.of('getPlain')).toHaveLength(1)
  await server.one('patch').answer({ id: '1', title: 'Milk' })
  expect(server.of('getPlain')).toHaveLength(2)
  expect(stats.now).toMatchObject({ data: { open: 2 }, refreshing: true })
  await server.of('getPlain')[1]?.answer({ open: 1 })
  expect(stats.now).toMatchObject({ data: { open: 1 }, refreshing: false })
  expect(server.of('getPlain')).toHaveLength(2)
})

test('names the mutation as the cause', async () => {
  const { controller, server, patch } = await openWithStats(getsPlain)
  const causes: unknown[] = []
  let done = 0
  controller.on('fetch', ({ name, cause }) => name === 'getPlain' && causes.push(cause))
  controller.on('settle', (event) => {
    if (event.name === 'patch') done = event.done
  })
  controller.fetch(patch, { id: '1' }, {})
  await server.one('patch').answer({ id: '1' })
  expect(causes).toEqual([{ type: 'expire', by: done }])
})

test('a mutation without a response body expires too', async () => {
  const { controller, server, patch } = await openWithStats(getsPlain)
  controller.fetch(patch, { id: '1' }, {})
  await server.one('patch').answer(undefined)
  expect(server.of('getPlain')).toHaveLength(2)
})

test('a mutation that the server refuses expires nothing', async () => {
  const { controller, server, patch } = await openWithStats(getsPlain)
  controller.fetch(patch, { id: '1' }, {}).catch(() => {})
  await server.one('patch').fail(refusal)
  expect(server.of('getPlain')).toHaveLength(1)
})

describe('a mutation of which nobody knows whether the server has applied it', () => {
  test('expires the same endpoints, and is named as the cause', async () => {
    const { controller, server, patch, stats } = await openWithStats(getsPlain)
    const causes: unknown[] = []
    const ends: number[] = []
    controller.on('fetch', ({ name, cause }) => name === 'getPlain' && causes.push(cause))
    controller.on('settle', ({ name, done }) => name === 'patch' && ends.push(done))
    controller.fetch(patch, { id: '1' }, {}).catch(() => {})
    await server.one('patch').fail(new TypeError('connection lost'))
    expect(causes).toEqual([{ type: 'expire', by: ends[0] }])
    await server.of('getPlain')[1]?.answer({ open: 1 })
    expect(stats.now).toMatchObject({ data: { open: 1 }, refreshing: false })
    expect(server.of('getPlain')).toHaveLength(2)
  })

  test('fetches a list that also shows its row once', async () => {
    const { controller, server, patch, getTodos } = await openWithStats(({ getTodos }) => () => [getTodos as never])
    watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    await server.one('getTodos').answer([{ id: '1', title: 'Milk', userId: '1', votes: 0 }])
    controller.fetch(patch, { id: '1' }, {}).catch(() => {})
    await server.one('patch').fail(new TypeError('connection lost'))
    expect(server.of('getTodos')).toHaveLength(2)
    await server.of('getTodos')[1]?.answer([{ id: '1', title: 'Oats', userId: '1', votes: 0 }])
    expect(server.of('getTodos')).toHaveLength(2)
  })

  test('has no response: its function gets undefined, and expires nothing if it cannot do without', async () => {
    const given: unknown[] = []
    const { controller, server, patch } = await openWithStats(({ getPlain }) => (response: { open: number }, args) => {
      given.push(response, args)
      return response.open === 0 ? [] : [getPlain as never]
    })
    const errors: unknown[] = []
    controller.on('error', ({ error }) => errors.push(error))
    controller.fetch(patch, { id: '1' }, {}).catch(() => {})
    const lost = new TypeError('connection lost')
    await server.one('patch').fail(lost)
    expect(given).toEqual([undefined, { id: '1' }])
    expect(errors).toEqual([lost])
    expect(server.of('getPlain')).toHaveLength(1)
  })
})

test.each([
  ['an endpoint, which would be called', ({ getPlain }: Board) => getPlain],
  ['a list', ({ getPlain }: Board) => [getPlain]],
  ['nothing', () => undefined],
])('%s in place of the function is refused', (_, given) => {
  const board = openBoard()
  expect(() => expires(given(board) as never)).toThrow(/expires' needs a function that returns endpoints/)
  expect(board.server.requests).toHaveLength(0)
})

test('what nobody shows is fetched by its next reader', async () => {
  const { controller, server, patch, getPlain, stats } = await openWithStats(getsPlain)
  stats.stop()
  controller.fetch(patch, { id: '1' }, {})
  await server.one('patch').answer({ id: '1' })
  expect(server.of('getPlain')).toHaveLength(1)
  watch(controller.watch(getPlain))
  await settle()
  expect(server.of('getPlain')).toHaveLength(2)
})

test('a request that was sent before the mutation completed brings stale data', async () => {
  const { controller, server, patch, getPlain } = await openWithStats(getsPlain)
  controller.fetch(getPlain, { id: '7' })
  controller.fetch(patch, { id: '1' }, {})
  await settle()
  await server.one('patch').answer({ id: '1' })
  const [, early] = server.of('getPlain')
  await early?.answer({ open: 9 })
  const before = server.of('getPlain').length
  watch(controller.watch(getPlain, { id: '7' }))
  await settle()
  expect(server.of('getPlain')).toHaveLength(before + 1)
})

test('the function gets the response and the arguments of the call, and chooses', async () => {
  const seen: unknown[] = []
  const { controller, server, patch } = await openWithStats(() => (...call: never[]) => {
    seen.push(call)
    return []
  })
  controller.fetch(patch, { id: '1' }, { title: 'Milk' })
  await server.one('patch').answer({ id: '1', title: 'Milk' })
  expect(seen).toEqual([[{ id: '1', title: 'Milk' }, { id: '1' }, { title: 'Milk' }]])
  expect(server.of('getPlain')).toHaveLength(1)
})

test('anything but an endpoint is reported, and the others expire', async () => {
  const { controller, server, patch, reported } = await openWithStats((board) => () => [
    'getStats' as never,
    board.getPlain as never,
  ])
  const saved = controller.fetch(patch, { id: '1' }, { title: 'Milk' })
  await server.one('patch').answer({ id: '1', title: 'Milk' })
  expect(await saved).toMatchObject({ title: 'Milk' })
  expect(reported).toHaveLength(1)
  expect(reported[0]?.cause).toBeInstanceOf(OptionError)
  expect(server.of('getPlain')).toHaveLength(2)
})

test('every endpoint that a mutation names is refetched, also if several are shown', async () => {
  const board = openBoard()
  const { controller, server, getPlain, getTodo } = board
  const patch = board.patch.extend({ parts: [expires((): readonly never[] => [getTodo as never, getPlain as never])] })
  watch(controller.watch(getTodo, { id: '7' }))
  watch(controller.watch(getPlain))
  await settle()
  await server.one('getTodo').answer({ id: '7' })
  await server.one('getPlain').answer({ open: 2 })
  controller.fetch(patch, { id: '1' }, {})
  await server.one('patch').answer({ id: '1' })
  expect([server.of('getTodo').length, server.of('getPlain').length]).toEqual([2, 2])
})

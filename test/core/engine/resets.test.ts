import { type Controller, Endpoint, poll } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const row = (title = 't1') => ({ id: '1', title, userId: '1', votes: 0 })

const ends: Record<string, { readonly end: (controller: Controller) => void; readonly error: string }> = {
  'a reset': { end: (controller) => controller.resetEntireStore(), error: 'ResetError' },
  dispose: { end: (controller) => controller.dispose(), error: 'DisposedError' },
}

describe.each(Object.entries(ends))('%s in the middle of a request that starts', (_, { end, error }) => {
  test("inside on('fetch') of a mutation: it ends, nothing is sent, no optimistic value stays", async () => {
    const { controller, patchNow, server } = openBoard()
    const off = controller.on('fetch', () => {
      off()
      end(controller)
    })
    const sent = ending(controller.fetch(patchNow, { id: '1' }, { title: 'ghost' }))
    await settle()
    expect(sent.error).toMatchObject({ name: error })
    expect(server.requests).toHaveLength(0)
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    controller.set(Todo, { id: '1' }, row('new'))
    expect(controller.get(Todo, { id: '1' })?.title).toBe('new')
  })

  test("inside on('fetch') of a read: it ends, nothing is sent", async () => {
    const { controller, getTodo, server } = openBoard()
    const off = controller.on('fetch', () => {
      off()
      end(controller)
    })
    const sent = ending(controller.fetch(getTodo, { id: '1' }))
    await settle()
    expect(sent.error).toMatchObject({ name: error })
    expect(server.requests).toHaveLength(0)
    expect(controller.fetching(getTodo, { id: '1' }).getSnapshot()).toBe(false)
  })

  test('inside getOptimisticResponse: it ends, nothing is sent, nothing of it is seen', async () => {
    const { controller, patch, create, server } = openBoard()
    const settled: unknown[] = []
    controller.on('settle', (event) => settled.push(event.error))
    const ending1 = ending(
      controller.fetch(
        patch.extend({
          getOptimisticResponse: (_snapshot, { id }, body) => {
            end(controller)
            return { id, ...body }
          },
        }),
        { id: '1' },
        { title: 'ghost' },
      ),
    )
    await settle()
    expect(ending1.error).toMatchObject({ name: error })
    expect(server.requests).toHaveLength(0)
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    if (error === 'DisposedError') return
    expect(settled).toHaveLength(1)
    controller.set(Todo, { id: '1' }, row('new'))
    expect(controller.get(Todo, { id: '1' })?.title).toBe('new')
    const next = ending(controller.fetch(create, {}, { title: 'next' }))
    await server.one('create').answer({ id: '2', title: 'next' })
    expect(next.value).toMatchObject({ title: 'next' })
  })

  test('inside a function that is called for the response: nothing of the response is stored', async () => {
    const { controller, getTodos, server } = openBoard()
    const resetting = getTodos.extend({
      update: () => {
        end(controller)
        return {}
      },
    })
    const sent = ending(controller.fetch(resetting, {}))
    await server.one('getTodos').answer([row()])
    expect(sent.error).toMatchObject({ name: error })
    expect(controller.getResponse(getTodos, {}).data).toBeUndefined()
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })
})

describe('a listener that is notified because a reset ended its request', () => {
  test('may reset again: each request is reported once', async () => {
    const { controller, getTodo } = openBoard()
    const settled: string[] = []
    controller.on('settle', ({ key }) => {
      settled.push(key)
      if (settled.length < 10) controller.resetEntireStore()
    })
    const ends = ['1', '2', '3'].map((id) => ending(controller.fetch(getTodo, { id })))
    controller.resetEntireStore()
    await settle()
    expect(ends.map(({ error }) => error)).toMatchObject(ends.map(() => ({ name: 'ResetError' })))
    expect(new Set(settled).size).toBe(3)
    expect(settled).toHaveLength(3)
  })

  test('finds an empty store, and its writes stay', () => {
    const { controller, getTodo } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    ending(controller.fetch(getTodo, { id: '1' }))
    const found: unknown[] = []
    controller.on('settle', () => {
      found.push(controller.get(Todo, { id: '1' }))
      controller.set(Todo, { id: '2' }, { title: 'later' })
    })
    controller.resetEntireStore()
    expect(found).toEqual([undefined])
    expect(controller.get(Todo, { id: '2' })?.title).toBe('later')
  })

  test('may change something: its optimistic value is shown', async () => {
    const { controller, getTodo, patchNow, server } = openBoard()
    ending(controller.fetch(getTodo, { id: '1' }))
    const off = controller.on('settle', () => {
      off()
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'hoped' }))
    })
    controller.resetEntireStore()
    expect(controller.get(Todo, { id: '1' })?.title).toBe('hoped')
    await server.one('patch').fail()
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })

  test('may fetch a mounted key: that is one request', async () => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    const off = controller.on('settle', () => {
      off()
      ending(controller.fetch(getTodo, { id: '1' }))
    })
    controller.resetEntireStore()
    await settle()
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', -1).answer(row('anew'))
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'anew' } })
  })
})

test('a reset while a layer is replayed leaves nothing of it', async () => {
  const { controller, patch, getTodo, server } = openBoard()
  let isOver = false
  ending(
    controller.fetch(
      patch.extend({
        getOptimisticResponse: (snapshot, { id }) => {
          const votes = snapshot.get(Todo, { id })?.votes ?? 0
          if (isOver) controller.resetEntireStore()
          return { id, votes: votes + 1 }
        },
      }),
      { id: '1' },
      {},
    ),
  )
  const read = ending(controller.fetch(getTodo, { id: '1' }))
  isOver = true
  await server.one('getTodo').answer(row())
  isOver = false
  expect(read.isOver).toBe(true)
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  expect(server.one('patch').isAborted).toBe(true)
})

describe('R5: an endpoint that ignores its signal and responds after a reset', () => {
  test('writes nothing: rows, result and readers stay empty', async () => {
    const { controller } = openBoard()
    const responses: ((data: unknown) => void)[] = []
    const update = vi.fn(() => ({}))
    const deaf = (sideEffect?: true) =>
      new Endpoint(() => new Promise<unknown>((resolve) => responses.push(resolve)), {
        name: sideEffect ? 'write' : 'read',
        schema: Todo,
        sideEffect,
        update,
      })
    const getDeaf: Endpoint<() => Promise<unknown>, typeof Todo> = deaf() as never
    const read = ending(controller.fetch(getDeaf))
    const write = ending(controller.fetch(deaf(true)))
    controller.resetEntireStore()
    await settle()
    expect([read.error, write.error]).toMatchObject([{ name: 'ResetError' }, { name: 'ResetError' }])
    for (const response of responses) response(row('of the user before'))
    await settle()
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    expect(controller.getResponse(getDeaf).data).toBeUndefined()
    expect(update).not.toHaveBeenCalled()
    const next = watch(controller.watch(getDeaf))
    await settle()
    expect(next.now.status).toBe('pending')
    expect(responses).toHaveLength(3)
    responses[2]?.(row('of this user'))
    await settle()
    expect(next.now).toMatchObject({ status: 'ready', data: { title: 'of this user' } })
  })
})

describe('a reader that leaves in the tick of a reset is not fetched for', () => {
  const anew: Record<string, (board: ReturnType<typeof openBoard>) => void> = {
    resetEntireStore: ({ controller }) => controller.resetEntireStore(),
    expireAll: ({ controller, getTodo }) => controller.expireAll(getTodo),
    invalidateAll: ({ controller, getTodo }) => controller.invalidateAll(getTodo),
    invalidate: ({ controller, getTodo }) => controller.invalidate(getTodo, { id: '1' }),
    expireBy: ({ controller }) => controller.expireBy(Todo),
    invalidateBy: ({ controller }) => controller.invalidateBy(Todo, '1'),
  }

  const mounted = async () => {
    const board = openBoard()
    const shown = watch(board.controller.watch(board.getTodo, { id: '1' }))
    await settle()
    await board.server.one('getTodo').answer(row())
    return { board, shown }
  }

  test.each(Object.entries(anew))('leaving, then %s', async (_, start) => {
    const { board, shown } = await mounted()
    shown.stop()
    start(board)
    await settle()
    expect(board.server.of('getTodo')).toHaveLength(1)
  })

  test.each(Object.entries(anew))('%s, then leaving', async (_, start) => {
    const { board, shown } = await mounted()
    start(board)
    shown.stop()
    await settle()
    expect(board.server.of('getTodo')).toHaveLength(1)
  })

  test.each(Object.entries(anew))('a reader that stays through %s is fetched for once', async (_, start) => {
    const { board, shown } = await mounted()
    const other = watch(board.controller.watch(board.getTodo, { id: '1' }))
    other.stop()
    start(board)
    const again = watch(board.controller.watch(board.getTodo, { id: '1' }))
    shown.stop()
    await settle()
    expect(board.server.of('getTodo')).toHaveLength(2)
    await board.server.one('getTodo', 1).answer(row('new'))
    expect(again.now).toMatchObject({ status: 'ready', data: { title: 'new' } })
  })

  test('polls of a reader that leaves do not start again', async () => {
    const { controller, getTodo, server, clock } = openBoard()
    const polling = controller.observe(poll, getTodo.extend({ pollFrequency: 1_000 }), { id: '1' })
    const stop = polling.subscribe(() => {})
    await clock.advance(0)
    const sent = server.requests.length
    stop()
    controller.resetEntireStore()
    await clock.advance(60_000)
    expect(server.requests).toHaveLength(sent)
  })
})

describe.each(Object.entries(ends))('a call that %s drops', (_, { end, error }) => {
  /** Runs something, and returns what nobody has handled until a task later. */
  const unhandled = async (work: () => Promise<void>): Promise<readonly unknown[]> => {
    const rejected: unknown[] = []
    const onRejection = (reason: unknown): void => void rejected.push(reason)
    process.on('unhandledRejection', onRejection)
    await work()
    await new Promise((resolve) => setTimeout(resolve, 0))
    process.off('unhandledRejection', onRejection)
    return rejected
  }

  test('and that nobody waits for is no unhandled rejection', async () => {
    const rejected = await unhandled(async () => {
      const { controller, getTodo, getTodos, patchNow, touch } = openBoard()
      controller.watch(getTodos, {}).load()
      controller.fetch(getTodo, { id: '1' })
      controller.fetchIfStale(getTodo, { id: '2' })
      controller.fetch(patchNow, { id: '1' }, { title: 'mine' })
      await settle()
      controller.fetch(touch)
      end(controller)
    })
    expect(rejected).toEqual([])
  })

  test('rejects for whoever waits, also later', async () => {
    const { controller, getTodo } = openBoard()
    const promises = [controller.fetch(getTodo, { id: '1' }), controller.fetchIfStale(getTodo, { id: '2' })]
    const first = ending(promises[0] as Promise<unknown>)
    end(controller)
    await settle()
    expect(first.error).toMatchObject({ name: error })
    for (const promise of promises) await expect(promise).rejects.toMatchObject({ name: error })
  })

  test('does not hide that another one has failed', async () => {
    const rejected = await unhandled(async () => {
      const { controller, getTodo, server } = openBoard()
      controller.fetch(getTodo, { id: '1' }).then(undefined, (reason) => {
        throw reason
      })
      await settle()
      await server.one('getTodo').fail()
      end(controller)
    })
    expect(rejected).toHaveLength(1)
  })
})

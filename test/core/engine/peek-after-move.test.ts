import { expect, test } from 'vitest'
import { settle } from './clock.js'
import { ids, openBoard, Todo, watch } from './todo-board.js'

test.each(['invalidateBy', 'invalidate'] as const)(
  'a peek shows nothing that is invalid, also after an optimistic move has failed (%s)',
  async (how) => {
    const { controller, server, getTodos, move } = openBoard()
    const rows = [
      { id: '1', title: 'one', userId: '1' },
      { id: '2', title: 'two', userId: '1' },
    ]
    controller.setResponse(getTodos, { userId: '1' }, rows)
    const list = watch(controller.peek(getTodos, { userId: '1' }))
    await settle()
    expect(ids({ data: list.now })).toEqual(['1', '2'])
    if (how === 'invalidate') controller.invalidate(getTodos, { userId: '1' })
    else controller.invalidateBy(Todo, 1)
    expect(list.now).toBeUndefined()
    const moveNow = move.extend({ getOptimisticResponse: (_, { id }, body) => ({ id, ...body }) })
    const sent = controller.fetch(moveNow, { id: '1' }, { userId: '2' }).catch(() => {})
    await server.one('move').fail()
    await sent
    await settle()
    expect(list.now).toBeUndefined()
    // Whoever was told what it showed meanwhile is told that it shows nothing again.
    expect(list.seen.at(-1)).toBeUndefined()
    controller.setResponse(getTodos, { userId: '1' }, rows)
    expect(ids({ data: list.now })).toEqual(['1', '2'])
  },
)

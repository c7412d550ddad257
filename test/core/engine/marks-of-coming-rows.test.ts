import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { openBoard, Todo, titles, watch } from './todo-board.js'

describe.each(['expireBy', 'invalidateBy'] as const)('%s a row that a request in flight is about to bring', (mark) => {
  test('concerns it: the list and the row are fetched once more', async () => {
    const { controller, server, getTodos, getTodo } = openBoard()
    const list = watch(controller.watch(getTodos, {}))
    const row = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    controller[mark](Todo, 1)
    await server.one('getTodos').answer([{ id: '1', title: 'old' }])
    await server.one('getTodo').answer({ id: '1', title: 'old' })
    expect([server.of('getTodos').length, server.of('getTodo').length]).toEqual([2, 2])
    await server.one('getTodos', 1).answer([{ id: '1', title: 'new' }])
    await server.one('getTodo', 1).answer({ id: '1', title: 'new' })
    expect([titles(list.now), row.now.data?.title]).toEqual([['new'], 'new'])
    expect([server.of('getTodos').length, server.of('getTodo').length]).toEqual([2, 2])
  })

  test('does not concern other rows', async () => {
    const { controller, server, getTodo } = openBoard()
    const row = watch(controller.watch(getTodo, { id: '2' }))
    await settle()
    controller[mark](Todo, 1)
    await server.one('getTodo').answer({ id: '2', title: 'fresh' })
    expect([row.now.data?.title, server.of('getTodo').length]).toEqual(['fresh', 1])
  })

  test('concerns it also if unused data was dropped while the response was on its way', async () => {
    const { controller, server, clock, getTodos, getTodo } = openBoard({ retention: { after: 1_000 } })
    for (const id of ['1', '3']) controller.setResponse(getTodo, { id }, { id, title: 'older' })
    const list = watch(controller.query(getTodos, {}))
    await settle()
    controller[mark](Todo, 1)
    controller[mark](Todo, 2)
    await clock.advance(10_000)
    // Unused data was dropped.
    expect(controller.get(Todo, { id: '3' })).toBeUndefined()
    await server.one('getTodos').answer(['1', '2'].map((id) => ({ id, title: 'old' })))
    expect(server.of('getTodos')).toHaveLength(2)
    await server.one('getTodos', 1).answer(['1', '2'].map((id) => ({ id, title: 'new' })))
    expect(titles(list.now)).toEqual(['new', 'new'])
    expect(server.of('getTodos')).toHaveLength(2)
  })
})

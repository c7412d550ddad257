import { describe, expect, test } from 'vitest'
import { ending, openBoard, type TodoData } from '../core/engine/todo-board.js'
import type { Open } from './contract.js'
import { type Hook, view } from './harness.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })
const refused = (): Error => Object.assign(new Error('busy'), { status: 503 })

/** Requests that the library sends by itself after overlapping changes: their errors remove nothing from the screen. */
export function unasked(open: Open): void {
  for (const hook of ['suspense', 'dle', 'live'] as const) describe(hook, () => failing(open, hook))
}

function failing(open: Open, hook: Hook): void {
  const noted = (options: Parameters<typeof openBoard>[0] = {}) => {
    const board = openBoard({ retention: false, ...options })
    const errors: string[] = []
    board.controller.on('error', ({ error, request }) => errors.push(`${request?.cause?.type} ${error.message}`))
    // Polled once an hour, which is not what this is about.
    const getTodo = hook === 'live' ? board.getTodo.extend({ pollFrequency: 3_600_000 }) : board.getTodo
    return { ...board, getTodo, errors }
  }

  test('what two crossing edits have left is asked for until the server tells, and no longer than it is shown', async () => {
    const { controller, getTodo, patchNow, server, clock, errors } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => {
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'a' }))
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'b' }))
    })
    await screen.act(() => server.one('patch', 1).answer(row('1', 'b')))
    await screen.act(() => server.one('patch', 0).answer(row('1', 'a')))
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(server.of('getTodo')).toHaveLength(attempt + 1)
      await screen.act(() => server.one('getTodo', attempt).fail(refused()))
      expect(screen.texts()).toEqual(['b'])
      await screen.act(() => clock.advance(1_000 + 1_000 * 2 ** attempt))
    }
    expect(errors).toEqual(Array(3).fill('contested busy'))
    await screen.act(() => server.one('getTodo', 3).answer(row('1', 'a')))
    expect(screen.texts()).toEqual(['a'])
    await screen.act(() => clock.advance(60_000))
    expect(server.of('getTodo')).toHaveLength(4)
    await screen.end()
    expect(clock.pending).toBe(0)
  })

  test('a reader that leaves ends that', async () => {
    const { controller, getTodo, patchNow, server, clock } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => {
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'a' }))
      ending(controller.fetch(patchNow, { id: '1' }, { title: 'b' }))
    })
    await screen.act(() => server.one('patch', 1).answer(row('1', 'b')))
    await screen.act(() => server.one('patch', 0).answer(row('1', 'a')))
    await screen.act(() => server.one('getTodo').fail(refused()))
    await screen.end()
    await clock.advance(60_000)
    expect(server.of('getTodo')).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('where there is nothing to show the error shows', async () => {
    const { controller, getTodo, server } = noted()
    controller.setResponse(getTodo, { id: '1' }, row())
    const screen = await open(controller, view(hook, getTodo, { id: '1' }))
    await screen.act(() => controller.invalidate(getTodo, { id: '1' }))
    await screen.act(() => server.one('getTodo').fail(refused()))
    expect(screen.texts()).toEqual(['failed: busy'])
  })
}

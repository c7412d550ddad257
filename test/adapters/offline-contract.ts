import { memoryLog, offline, outbox } from '@roundtable/core/offline'
import { expect, test } from 'vitest'
import { ending, openBoard, Todo, type TodoData } from '../core/engine/todo-board.js'
import type { Open } from './contract.js'
import { view } from './harness.js'

const row = (id = '1', title = `t${id}`): TodoData => ({ id, title, userId: '1', votes: 0 })

/** The mutations that wait for the server. */
export function waiting(open: Open): void {
  test('useOutbox shows what waits, and usePending which rows it concerns, until the server has answered', async () => {
    const endpoints: Record<string, object> = {}
    const store = offline({ log: memoryLog(), outbox: outbox(endpoints) })
    const { controller, getTodos, patchNow, server } = openBoard({ managers: [store] })
    endpoints.patchNow = patchNow
    await store.ready
    controller.setResponse(getTodos, {}, [row('1'), row('2')] as never)
    const screen = await open(
      controller,
      view('outbox', undefined),
      view('pending', Todo, { id: '1' }),
      view('pending', Todo, { id: '2' }),
      view('pending', Todo, null),
    )
    expect(screen.texts()).toEqual(['nothing', 'nothing', 'nothing', 'nothing'])
    await screen.act(() => ending(controller.fetch(patchNow, { id: '1' }, { title: 'new' })))
    expect(screen.texts()).toEqual(['patchNow sending', 'sending', 'nothing', 'nothing'])
    await screen.change(2, [{ id: '1' }])
    expect(screen.texts()).toEqual(['patchNow sending', 'sending', 'sending', 'nothing'])
    const unwanted = Object.assign(new Error('unwanted'), { status: 422 })
    await screen.act(() => server.one('patch', 0).fail(unwanted))
    expect(screen.texts()).toEqual(['patchNow refused', 'refused', 'refused', 'nothing'])
    await screen.act(() => store.retry(store.outbox.getSnapshot()[0]?.id ?? ''))
    expect(screen.texts()).toEqual(['patchNow sending', 'sending', 'sending', 'nothing'])
    await screen.act(() => server.one('patch', 1).answer(row('1', 'new')))
    expect(screen.texts()).toEqual(['nothing', 'nothing', 'nothing', 'nothing'])
  })

  test('without offline() nothing waits', async () => {
    const { controller } = openBoard()
    const screen = await open(controller, view('outbox', undefined), view('pending', Todo, { id: '1' }))
    expect(screen.texts()).toEqual(['nothing', 'nothing'])
  })
}

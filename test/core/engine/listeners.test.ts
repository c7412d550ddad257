import { atomOf } from '@roundtable/core/nanostores'
import { computed } from 'nanostores'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const row = (title: string) => ({ id: '1', title, userId: '1', votes: 0 })

type Board = ReturnType<typeof openBoard>
/** Where a listener can be registered; each is notified of the row's next title. */
const places: Record<string, (board: Board, listener: () => void) => () => void> = {
  'a query': ({ controller, getTodo }, listener) => controller.watch(getTodo, { id: '1' }).subscribe(listener),
  'the store of a query': ({ controller, getTodo }, listener) =>
    atomOf(controller.watch(getTodo, { id: '1' })).listen(listener),
  'a store made from it': ({ controller, getTodo }, listener) =>
    computed(atomOf(controller.watch(getTodo, { id: '1' })), ({ data }) => data?.title).listen(listener),
  'a peek': ({ controller, getTodo }, listener) => controller.peek(getTodo, { id: '1' }).subscribe(listener),
  'a selection': ({ controller }, listener) => controller.view(Todo, { id: '1' }).subscribe(listener),
  'the event commit': ({ controller }, listener) => controller.on('commit', listener),
}

describe('F19, F20: a listener that throws', () => {
  const cause = new Error('mine')

  test.each(Object.entries(places))('of %s stops neither the write nor others, and is reported', async (_, listen) => {
    const board = openBoard()
    const { controller, getTodo, server, reported } = board
    let heard = 0
    controller.set(Todo, { id: '1' }, row('old'))
    listen(board, () => {
      throw cause
    })
    listen(board, () => {
      heard++
    })
    await settle()
    const before = reported.length
    const notified = heard
    controller.set(Todo, { id: '1' }, row('set'))
    expect(heard).toBe(notified + 1)
    expect(reported.slice(before)).toMatchObject([{ name: 'CallbackError', cause }])
    const end = ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo', -1).answer(row('fetched'))
    expect(end).toMatchObject({ isOver: true, value: { title: 'fetched' } })
    expect(heard).toBeGreaterThan(notified + 1)
    const mutation = ending(controller.fetch(board.patchNow, { id: '1' }, { title: 'hoped' }))
    await server.one('patch').answer(row('patched'))
    expect(mutation).toMatchObject({ isOver: true, value: { title: 'patched' } })
    expect(controller.get(Todo, { id: '1' })?.title).toBe('patched')
  })

  test('each of several that throw at one store is reported', () => {
    const { controller, getTodo, reported } = openBoard()
    controller.set(Todo, { id: '1' }, row('old'))
    const $snapshot = atomOf(controller.watch(getTodo, { id: '1' }))
    for (const message of ['first', 'second']) {
      $snapshot.listen(() => {
        throw new Error(message)
      })
    }
    controller.set(Todo, { id: '1' }, row('new'))
    expect(reported.map((error) => (error.cause as Error).message)).toEqual(['first', 'second'])
  })

  test.each(['fetch', 'settle', 'error', 'reset'] as const)('of the event %s: every promise settles', async (name) => {
    const { controller, getTodo, server } = openBoard()
    controller.on(name, () => {
      throw cause
    })
    const good = ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo').answer(row('good'))
    expect(good.value).toMatchObject({ title: 'good' })
    const bad = ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo', 1).fail()
    expect(bad.error).toMatchObject({ message: 'getTodo failed' })
    const reset = ending(controller.fetch(getTodo, { id: '1' }))
    controller.resetEntireStore()
    await settle()
    expect(reset.error).toMatchObject({ name: 'ResetError' })
  })

  test('a store that depends on several queries is notified once, though its listeners are guarded', () => {
    const { controller, getTodo } = openBoard()
    const both = computed(
      [atomOf(controller.watch(getTodo, { id: '1' })), atomOf(controller.watch(getTodo, { id: '2' }))],
      (first, second) => `${first.data?.title} ${second.data?.title}`,
    )
    const seen: string[] = []
    both.listen((text) => seen.push(text))
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'a' })
      controller.set(Todo, { id: '2' }, { title: 'b' })
    })
    expect(seen).toEqual(['a b'])
  })

  test('at an observed query: its snapshot is up to date for everybody', async () => {
    const { controller, getTodo, server } = openBoard()
    const query = controller.watch(getTodo, { id: '1' })
    atomOf(query).listen(() => {
      throw cause
    })
    const shown = watch(query)
    await settle()
    await server.one('getTodo').answer(row('here'))
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'here' } })
  })
})

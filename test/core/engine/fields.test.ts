import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, titles, watch } from './todo-board.js'

/** A board with todo 1 mounted through `getTodo`, and its first response there. */
async function withTodo(fields: { title?: string; votes?: number; userId?: string } = {}) {
  const board = openBoard()
  const shown = watch(board.controller.watch(board.getTodo, { id: '1' }))
  await settle()
  await board.server.one('getTodo').answer({ id: '1', title: 'a', votes: 0, userId: '1', ...fields })
  shown.seen.length = 0
  return { ...board, shown }
}

describe('a read is ordered field by field', () => {
  test('a detail response that arrives after a list which started later keeps the fields that the list lacks', async () => {
    const { controller, getTodo, getTodos, server } = openBoard()
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(getTodos, { userId: '1' })
    await server.one('getTodos').answer([{ id: '1', title: 'from the list' }])
    await server.one('getTodo').answer({ id: '1', title: 'from the detail', votes: 3 })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'from the list', votes: 3 })
  })

  test('fields of a later read stay, and a slow list beside it causes no fetch', async () => {
    const { controller, getTodo, getTodos, server, shown } = await withTodo()
    void controller.fetch(getTodos, { userId: '1' })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'newer', votes: 2 })
    await server.one('getTodos').answer([{ id: '1', title: 'older', votes: 1 }])
    expect(shown.now.data).toMatchObject({ title: 'newer', votes: 2 })
    expect(server.requests).toHaveLength(3)
  })

  test('versions of single fields outlive the responses that they order: a third, oldest response only fills gaps', async () => {
    const { controller, getTodo, getTodos, getPlain, server } = openBoard()
    const oldest = getPlain.extend({ schema: Todo })
    void controller.fetch(oldest, { id: '1' })
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(getTodos, { userId: '1' })
    await server.one('getTodo').answer({ id: '1', title: 'b', votes: 2 })
    await server.one('getTodos').answer([{ id: '1', title: 'c' }])
    await server.one('getPlain').answer({ id: '1', title: 'a', votes: 1, userId: '9' })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'c', votes: 2, userId: '9' })
  })

  test('a read overtaken by a mutation with another value does not change the row, and its dependents are fetched once again', async () => {
    const { controller, getTodo, patch, server, shown } = await withTodo()
    const reading = ending(controller.fetch(getTodo, { id: '1' }))
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer({ id: '1', title: 'edited' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'a', votes: 4 })
    expect(reading.value).toMatchObject({ title: 'edited', votes: 4 })
    expect(shown.now.data).toMatchObject({ title: 'edited', votes: 4 })
    expect(server.of('getTodo')).toHaveLength(3)
    await server.one('getTodo', 2).answer({ id: '1', title: 'edited by another', votes: 4 })
    expect(shown.now.data).toMatchObject({ title: 'edited by another' })
    expect(server.of('getTodo')).toHaveLength(3)
  })

  test('a read overtaken by a mutation with the same value needs no refetch', async () => {
    const { controller, getTodo, patch, server } = await withTodo()
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer({ id: '1', title: 'edited' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'edited', votes: 0, userId: '1' })
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('a newer read in flight counts as the refetch', async () => {
    const { controller, getTodo, getTodos, patch, server, shown } = await withTodo()
    void controller.fetch(getTodos, { userId: '1' })
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer({ id: '1', title: 'edited' })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodos').answer([{ id: '1', title: 'a' }])
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).answer({ id: '1', title: 'edited', votes: 0, userId: '1' })
    expect(server.of('getTodo')).toHaveLength(2)
    expect(shown.now.data).toMatchObject({ title: 'edited' })
  })

  test('the refetch waits for an older flight of the key', async () => {
    const { controller, getTodo, getTodos, patch, server, shown } = await withTodo()
    void controller.fetch(getTodos, { userId: '1' })
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer({ id: '1', title: 'edited' })
    await server.one('getTodos').answer([{ id: '1', title: 'a' }])
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).answer({ id: '1', title: 'edited', votes: 0, userId: '1' })
    expect(server.of('getTodo')).toHaveLength(3)
    await server.one('getTodo', 2).answer({ id: '1', title: 'edited', votes: 0, userId: '1' })
    expect(server.of('getTodo')).toHaveLength(3)
    expect(shown.now.data).toMatchObject({ title: 'edited' })
  })
})

describe('a mutation is ordered field by field', () => {
  test('responses in reverse order each keep the fields that the other did not write', async () => {
    const { controller, patch, server } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { title: 'first', votes: 1 })
    void controller.fetch(patch, { id: '1' }, { title: 'second' })
    await server.one('patch', 1).answer({ id: '1', title: 'second' })
    await server.one('patch', 0).answer({ id: '1', title: 'first', votes: 1 })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'second', votes: 1 })
  })

  test('two that overlapped and differ refetch the dependents of the row once', async () => {
    const { controller, patch, server, shown } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { title: 'first' })
    void controller.fetch(patch, { id: '1' }, { title: 'second' })
    await server.one('patch', 1).answer({ id: '1', title: 'second' })
    expect(server.of('getTodo')).toHaveLength(1)
    await server.one('patch', 0).answer({ id: '1', title: 'first' })
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).answer({ id: '1', title: 'first', votes: 0, userId: '1' })
    expect(shown.now.data).toMatchObject({ title: 'first' })
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('two that overlapped and agree need no refetch, nor two on different fields', async () => {
    const { controller, patch, server } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { title: 'same' })
    void controller.fetch(patch, { id: '1' }, { title: 'same' })
    void controller.fetch(patch, { id: '1' }, { votes: 7 })
    await server.one('patch', 2).answer({ id: '1', votes: 7 })
    await server.one('patch', 1).answer({ id: '1', title: 'same' })
    await server.one('patch', 0).answer({ id: '1', title: 'same' })
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('one that changes a field which a later-started read has written wins, and its dependents are fetched again', async () => {
    const { controller, getTodo, patch, server, shown } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'seen by the read', votes: 0, userId: '1' })
    await server.one('patch').answer({ id: '1', title: 'edited' })
    expect(shown.now.data).toMatchObject({ title: 'edited' })
    expect(server.of('getTodo')).toHaveLength(3)
  })

  test('one whose value was skipped still fences reads that started before it completed', async () => {
    const { controller, getTodo, patch, server } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { title: 'first' })
    void controller.fetch(patch, { id: '1' }, { title: 'second' })
    await server.one('patch', 1).answer({ id: '1', title: 'second' })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('patch', 0).answer({ id: '1', title: 'first' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'before both', votes: 0, userId: '1' })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'second' })
  })

  test('so does one whose update was skipped, for a result that both have changed', async () => {
    const { controller, getPlain, touch, server } = openBoard()
    const count = (value: string) => touch.extend({ update: () => ({ [getPlain.key()]: () => value }) })
    const shown = watch(controller.watch(getPlain))
    await settle()
    await server.one('getPlain').answer('at first')
    void controller.fetch(count('first'))
    void controller.fetch(count('second'))
    await server.one('touch', 1).answer(null)
    void controller.fetch(getPlain)
    await server.one('touch', 0).answer(null)
    expect(shown.now.data).toBe('second')
    await server.one('getPlain', 1).answer('before both')
    expect(shown.now.data).toBe('second')
    await server.one('getPlain', 2).answer('after both')
    expect(shown.now.data).toBe('after both')
  })
})

describe('a stale result', () => {
  test('without readers is fetched at the next mount', async () => {
    const { controller, getTodo, patch, server, shown } = await withTodo()
    shown.stop()
    await settle()
    void controller.fetch(patch, { id: '1' }, { title: 'first' })
    void controller.fetch(patch, { id: '1' }, { title: 'second' })
    await server.one('patch', 1).answer({ id: '1', title: 'second' })
    await server.one('patch', 0).answer({ id: '1', title: 'first' })
    expect(server.of('getTodo')).toHaveLength(1)
    const again = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(again.now.data).toMatchObject({ title: 'second' })
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('waits for a pending mutation only if its layer changes a dependency of the key', async () => {
    const { controller, patch, patchNow, server } = await withTodo()
    const contest = async () => {
      const at = server.of('patch').length
      void controller.fetch(patch, { id: '1' }, { title: `${at} first` })
      void controller.fetch(patch, { id: '1' }, { title: `${at} second` })
      await server.one('patch', at + 1).answer({ id: '1', title: `${at} second` })
      await server.one('patch', at).answer({ id: '1', title: `${at} first` })
    }
    void controller.fetch(patchNow, { id: '2' }, { title: 'an upload that hangs' })
    await contest()
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).answer({ id: '1', title: 'x', votes: 0, userId: '1' })
    const at = server.of('patch').length
    void controller.fetch(patchNow, { id: '1' }, { votes: 5 })
    await contest()
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('patch', at).answer({ id: '1', votes: 5 })
    expect(server.of('getTodo')).toHaveLength(3)
  })

  test('can also be a list that depends on the row', async () => {
    const { controller, getTodos, patch, server } = openBoard()
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    await server.one('getTodos').answer([{ id: '1', title: 'a', userId: '1' }])
    void controller.fetch(patch, { id: '1' }, { title: 'first' })
    void controller.fetch(patch, { id: '1' }, { title: 'second' })
    await server.one('patch', 1).answer({ id: '1', title: 'second' })
    await server.one('patch', 0).answer({ id: '1', title: 'first' })
    expect(titles(list.now)).toEqual(['second'])
    expect(server.of('getTodos')).toHaveLength(2)
  })
})

describe('data that comes without a request counts as a read that starts now', () => {
  test('a set overrides a read that started before it, and not one that starts later', async () => {
    const { controller, getTodo, server } = await withTodo()
    void controller.fetch(getTodo, { id: '1' })
    controller.set(Todo, { id: '1' }, { title: 'edited here' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'older', votes: 1, userId: '1' })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'edited here', votes: 1 })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo', 2).answer({ id: '1', title: 'newer', votes: 1, userId: '1' })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'newer' })
  })

  test('a setResponse overrides a read of its key that started before', async () => {
    const { controller, getTodo, server, shown } = await withTodo()
    void controller.fetch(getTodo, { id: '1' })
    controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'live', votes: 9, userId: '1' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'older', votes: 1, userId: '1' })
    expect(shown.now.data).toMatchObject({ title: 'live', votes: 9 })
  })

  test('a setError hides stored data until newer data comes', async () => {
    const { controller, getTodo, server, shown } = await withTodo()
    const error = new Error('from the socket')
    controller.setError(getTodo, { id: '1' }, error)
    expect(shown.now).toMatchObject({ status: 'failed', error })
    expect(controller.getError(getTodo, { id: '1' })).toBe(error)
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo', 1).answer({ id: '1', title: 'back', votes: 0, userId: '1' })
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'back' }, error: undefined })
  })
})

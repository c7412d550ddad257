import { Endpoint, Invalidate } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, ids, openBoard, Todo, Todos, watch } from './todo-board.js'

const row = (id: string) => ({ id, title: `t${id}`, userId: '1' })

async function withDeleted() {
  const board = openBoard()
  const { controller, server, getTodos, remove } = board
  const list = watch(controller.watch(getTodos, { userId: '1' }))
  await settle()
  await server.one('getTodos').answer([row('1'), row('2')])
  const deleted = controller.fetch(remove, { id: '1' })
  await server.one('remove').answer({ id: '1' })
  await deleted
  return { ...board, list }
}

describe('a deleted row', () => {
  test('vanishes from lists, which keep its place for when it comes back', async () => {
    const { controller, getTodo, server, list } = await withDeleted()
    expect(ids(list.now)).toEqual(['2'])
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo').answer(row('1'))
    expect(ids(list.now)).toEqual(['1', '2'])
  })

  test('is not revived by a mutation that started before the deletion and completes after it', async () => {
    const { controller, patch, remove, server } = openBoard()
    controller.set(Todo, { id: '1' }, row('1'))
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    void controller.fetch(remove, { id: '1' })
    await server.one('remove').answer({ id: '1' })
    await server.one('patch').answer({ id: '1', title: 'edited' })
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })

  test('is revived by the response of a mutation that started after the deletion', async () => {
    const { controller, patch, server } = await withDeleted()
    void controller.fetch(patch, { id: '1' }, { title: 'restored' })
    await server.one('patch').answer({ ...row('1'), title: 'restored' })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'restored' })
  })

  test('is revived by a set, a read that starts now', async () => {
    const { controller, list } = await withDeleted()
    controller.set(Todo, { id: '1' }, row('1'))
    expect(ids(list.now)).toEqual(['1', '2'])
  })

  test('is not revived by an optimistic PATCH, but shows it once a response contains the row again', async () => {
    const { controller, patchNow, getTodo, server } = await withDeleted()
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'edited' }))
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo').answer(row('1'))
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'edited', userId: '1' })
    await server.one('patch').fail()
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 't1' })
  })

  test('is revived optimistically by a push, and removed again if that fails', async () => {
    const { controller, createNow, server, list } = await withDeleted()
    ending(controller.fetch(createNow, { userId: '1' }, { id: '1', title: 'again' }))
    expect(list.now.data).toMatchObject([{ id: '1', title: 'again' }, { id: '2' }])
    await server.one('create').fail()
    expect(ids(list.now)).toEqual(['2'])
  })

  test('stays deleted where an older deletion completes after a newer write, and readers fetch it', async () => {
    const { controller, remove, patch, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row('1'))
    void controller.fetch(remove, { id: '1' })
    void controller.fetch(patch, { id: '1' }, { title: 'newer' })
    await server.one('patch').answer({ ...row('1'), title: 'newer' })
    await server.one('remove').answer({ id: '1' })
    expect(shown.now.data).toMatchObject({ title: 'newer' })
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('has decided on all fields, also on those that only a later read brings: an older creation does not', async () => {
    const { controller, create, remove, getTodo, server } = openBoard()
    const first = { id: '1', title: 'first', userId: '1', votes: 5 }
    void controller.fetch(create, {}, first)
    void controller.fetch(remove, { id: '1' })
    void controller.fetch(create, {}, { id: '1', userId: '2' })
    await server.one('create', 1).answer({ id: '1', userId: '2' })
    await server.one('remove').answer({ id: '1' })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo').answer({ id: '1', title: 'second', userId: '2', votes: 9 })
    await server.one('create', 0).answer(first)
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'second', userId: '2', votes: 9 })
  })

  test('the same where it was deleted before any response told of it', async () => {
    const { controller, create, remove, patch, server } = openBoard()
    void controller.fetch(patch, { id: '1' }, { votes: 1 })
    void controller.fetch(patch, { id: '1' }, { votes: 2 })
    void controller.fetch(remove, { id: '1' })
    await server.one('remove').answer({ id: '1' })
    void controller.fetch(create, {}, { id: '1', userId: '2' })
    await server.one('create').answer({ id: '1', userId: '2' })
    await server.one('patch', 0).answer({ id: '1', votes: 1 })
    await server.one('patch', 1).answer({ id: '1', votes: 2 })
    // Both are older than the deletion: the first fills a gap, the second has none to fill.
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ userId: '2', votes: 1 })
  })

  test('that a live source deletes is fetched once where it is shown, and its absence is then the response', async () => {
    const { controller, getTodo, remove, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row('1'))
    controller.setResponse(remove, { id: '1' }, { id: '1' } as never)
    await settle()
    expect(shown.now.status).toBe('pending')
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).fail(new Error('404'))
    expect(shown.now).toMatchObject({ status: 'failed', error: { message: '404' } })
    expect(server.of('getTodo')).toHaveLength(2)
  })
})

describe.each(['Invalidate', 'remove'] as const)('%s accepts', (what) => {
  const forms: readonly [string, unknown][] = [
    ['the entity', row('1')],
    ['{ id }', { id: '1' }],
    ['a bare key', '1'],
    ['a number', 1],
    ['an array of entities', [row('1')]],
    ['an array of keys', ['1']],
    ['an empty body, since the arguments name it', null],
    ['no body at all', undefined],
    ['an empty text', ''],
    ['a receipt', 'ok'],
    ['a count, since the arguments name it', 2],
  ]

  test.each(forms)('%s', async (_, response) => {
    const { controller, server, getTodos } = openBoard()
    const schema = what === 'Invalidate' ? new Invalidate(Todo) : Todos.remove
    const end = new Endpoint(server.on<[{ id: string }]>('end'), { name: 'end', schema, sideEffect: true })
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    await server.one('getTodos').answer([row('1'), row('2')])
    const ended = controller.fetch(end, { id: '1' })
    await server.one('end').answer(response)
    await ended
    expect(ids(list.now)).toEqual(['2'])
    expect(controller.get(Todo, { id: '1' }) === undefined).toBe(what === 'Invalidate')
  })
})

import { CallbackError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, ids, openBoard, Todo, titles, watch } from './todo-board.js'

const row = (id: string) => ({ id, title: `t${id}`, userId: '1', votes: 0 })

async function withList() {
  const board = openBoard()
  const list = watch(board.controller.watch(board.getTodos, { userId: '1' }))
  await settle()
  await board.server.one('getTodos').answer([row('1'), row('2')])
  list.seen.length = 0
  return { ...board, list }
}

describe('an optimistic response', () => {
  test('is readable as soon as fetch returns, and notifies once', async () => {
    const { controller, patchNow, list } = await withList()
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'edited' }))
    expect(titles(list.now)).toEqual(['edited', 't2'])
    expect(controller.get(Todo, { id: '1' })?.title).toBe('edited')
    expect(list.notified).toBe(1)
  })

  test('is replaced by the real response in one step, which notifies nobody if they are equal', async () => {
    const { controller, patchNow, server, list } = await withList()
    void controller.fetch(patchNow, { id: '1' }, { title: 'edited' })
    const shown = list.now.data
    await server.one('patch').answer({ id: '1', title: 'edited' })
    expect(list.now.data).toBe(shown)
    expect(list.notified).toBe(1)
  })

  test('that is abandoned by throwing snapshot.abort shows nothing, and the request is sent', async () => {
    const { controller, patch, server, list, reported } = await withList()
    const never = patch.extend({
      getOptimisticResponse: (snapshot) => {
        throw snapshot.abort
      },
    })
    const end = ending(controller.fetch(never, { id: '1' }, { title: 'edited' }))
    expect(list.notified).toBe(0)
    await server.one('patch').answer({ id: '1', title: 'edited' })
    expect(end.value).toMatchObject({ title: 'edited' })
    expect(reported).toEqual([])
  })

  test('that throws rejects the call with a CallbackError, sends nothing and leaves the store as it was', async () => {
    const { controller, patch, server, list } = await withList()
    const cause = new Error('mine')
    const broken = patch.extend({
      getOptimisticResponse: () => {
        throw cause
      },
    })
    const end = ending(controller.fetch(broken, { id: '1' }, { title: 'edited' }))
    await settle()
    expect(end.error).toBeInstanceOf(CallbackError)
    expect(end.error).toMatchObject({ callback: 'getOptimisticResponse', cause })
    expect(server.of('patch')).toHaveLength(0)
    expect(list.notified).toBe(0)
  })

  test('that throws only on newer server state is reverted and reported; the request goes on', async () => {
    const { controller, patch, server, list, reported } = await withList()
    const fragile = patch.extend({
      getOptimisticResponse: (snapshot, { id }) => {
        const todo = snapshot.get(Todo, { id })
        if (todo?.votes === 5) throw new Error('unexpected')
        return { id, title: `${todo?.title}!` }
      },
    })
    const end = ending(controller.fetch(fragile, { id: '1' }, {}))
    expect(titles(list.now)).toEqual(['t1!', 't2'])
    controller.set(Todo, { id: '1' }, { votes: 5 })
    expect(titles(list.now)).toEqual(['t1', 't2'])
    expect(reported).toMatchObject([{ name: 'CallbackError' }])
    await server.one('patch').answer({ id: '1', title: 'done' })
    expect(end.value).toMatchObject({ title: 'done' })
  })
})

describe('pending layers', () => {
  test('are replayed on newer server state', async () => {
    const { controller, vote, list } = await withList()
    ending(controller.fetch(vote, { id: '1' }, {}))
    controller.set(Todo, { id: '1' }, { votes: 10 })
    expect(list.now.data?.[0]?.votes).toBe(11)
  })

  test('see base and earlier layers, never later ones', async () => {
    const { controller, patch, vote, server, list } = await withList()
    const seen: (number | undefined)[] = []
    const looking = patch.extend({
      getOptimisticResponse: (snapshot, { id }) => {
        seen.push(snapshot.get(Todo, { id })?.votes)
        return { id, title: 'seen' }
      },
    })
    ending(controller.fetch(vote, { id: '1' }, {}))
    ending(controller.fetch(looking, { id: '1' }, {}))
    ending(controller.fetch(vote, { id: '1' }, {}))
    expect(seen).toEqual([1])
    await server.one('patch', 2).answer({ id: '1', votes: 7 })
    expect(list.now.data?.[0]).toMatchObject({ votes: 7, title: 'seen' })
    await server.one('patch', 0).fail()
    expect(seen.at(-1)).toBe(7)
  })

  test('do not write a field that a mutation which started later has answered in server state', async () => {
    const { controller, patchNow, server, list } = await withList()
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'first', votes: 1 }))
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'second' }))
    await server.one('patch', 1).answer({ id: '1', title: 'second' })
    expect(list.now.data?.[0]).toMatchObject({ title: 'second', votes: 1 })
    await server.one('patch', 0).fail()
    expect(list.now.data?.[0]).toMatchObject({ title: 'second', votes: 0 })
  })

  test('nor if one that started before them is the last to complete: its turn was over', async () => {
    const { controller, patch, patchNow, server, list } = await withList()
    ending(controller.fetch(patch, { id: '1' }, { title: 'first' }))
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'between' }))
    ending(controller.fetch(patch, { id: '1' }, { title: 'last' }))
    await server.one('patch', 2).answer({ id: '1', title: 'last' })
    await server.one('patch', 0).answer({ id: '1', title: 'first' })
    expect(list.now.data?.[0]).toMatchObject({ title: 'last' })
    await server.one('patch', 1).answer({ id: '1', title: 'between' })
    expect(list.now.data?.[0]).toMatchObject({ title: 'last' })
  })

  test('do not put a member back that a mutation which started later has removed', async () => {
    const { controller, createNow, remove, server, list } = await withList()
    ending(controller.fetch(createNow, { userId: '1' }, { id: '9', title: 'new' }))
    void controller.fetch(remove, { id: '9' })
    await server.one('remove').answer({ id: '9' })
    expect(ids(list.now)).toEqual(['1', '2'])
    await server.one('create').answer({ ...row('9') })
    expect(ids(list.now)).toEqual(['1', '2'])
  })

  test('do not delete a row that a mutation which started later has written', async () => {
    const { controller, removeNow, patch, server, list } = await withList()
    ending(controller.fetch(removeNow, { id: '1' }))
    expect(ids(list.now)).toEqual(['2'])
    void controller.fetch(patch, { id: '1' }, { title: 'kept' })
    await server.one('patch').answer({ ...row('1'), title: 'kept' })
    expect(titles(list.now)).toEqual(['kept', 't2'])
  })

  test('end with the request: failed, aborted or timed out, the screen is as before, with the same references', async () => {
    const { controller, clock, patchNow, server, list } = await withList()
    const before = list.now.data
    const quitting = new AbortController()
    ending(controller.fetch(patchNow.extend({ signal: quitting.signal }), { id: '1' }, { title: 'a' }))
    ending(controller.fetch(patchNow.extend({ timeout: 50 }), { id: '1' }, { title: 'b' }))
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'c' }))
    expect(titles(list.now)).toEqual(['c', 't2'])
    await server.one('patch', 2).fail()
    expect(titles(list.now)).toEqual(['b', 't2'])
    await clock.advance(50)
    expect(titles(list.now)).toEqual(['a', 't2'])
    quitting.abort()
    expect(list.now.data).toEqual(before)
    expect(list.now.data?.[1]).toBe(before?.[1])
  })

  test('of before a reset are removed: their responses are dropped', async () => {
    const { controller, createNow, server, list } = await withList()
    const end = ending(controller.fetch(createNow, { userId: '1' }, { title: 'new' }))
    const request = server.one('create')
    controller.resetEntireStore()
    await request.answer(row('9'))
    expect(end.error).toMatchObject({ name: 'ResetError' })
    await server.one('getTodos', -1).answer([row('1')])
    expect(ids(list.now)).toEqual(['1'])
  })

  test('that skipped a deleted row write it when it comes back', async () => {
    const { controller, patchNow, remove, getTodo, server } = await withList()
    void controller.fetch(remove, { id: '1' })
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'edited' }))
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'edited' })
    await server.one('remove').answer({ id: '1' })
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo').answer(row('1'))
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'edited' })
  })

  test('are replayed only when a dependency changes, and other rows keep their references', async () => {
    const { controller, patch, server } = await withList()
    let runs = 0
    const counted = patch.extend({
      getOptimisticResponse: (_, { id }) => {
        runs++
        return { id, title: 'counted' }
      },
    })
    ending(controller.fetch(counted, { id: '2' }, {}))
    const before = controller.get(Todo, { id: '2' })
    for (let votes = 1; votes < 5; votes++) controller.set(Todo, { id: '1' }, { votes })
    ending(controller.fetch(patch, { id: '1' }, { title: 'x' }))
    await server.one('patch', 1).answer({ id: '1', title: 'x' })
    expect(runs).toBe(1)
    expect(controller.get(Todo, { id: '2' })).toBe(before)
  })
})

describe('placeholders', () => {
  test('of several creates in one response differ, and are removed with their layer', async () => {
    const { controller, create, server, list } = await withList()
    const createTwo = create.extend({ getOptimisticResponse: () => [{ title: 'x' }, { title: 'y' }] })
    ending(controller.fetch(createTwo, { userId: '1' }, {}))
    const [, , x, y] = ids(list.now) ?? []
    expect(x).toMatch(/^optimistic:/)
    expect(y).toMatch(/^optimistic:/)
    expect(x).not.toBe(y)
    await server.one('create').fail()
    expect(ids(list.now)).toEqual(['1', '2'])
    expect(controller.get(Todo, { id: x ?? '' })).toBeUndefined()
  })

  test('never take their key from a response: one without a primary key is refused', async () => {
    const { controller, createNow, server, list } = await withList()
    const end = ending(controller.fetch(createNow, { userId: '1' }, { title: 'new' }))
    await server.one('create').answer({ title: 'new' })
    expect(end.error).toMatchObject({ name: 'MissingPkError' })
    expect(ids(list.now)).toEqual(['1', '2'])
  })
})

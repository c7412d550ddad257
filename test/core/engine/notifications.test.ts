import { Collection, Controller, Endpoint, Entity } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { ending, openBoard, Todo, Todos, titles, User, watch } from './todo-board.js'

const row = (id = '1', title = `t${id}`) => ({ id, title, userId: '1', votes: 0 })

describe('F17: listeners', () => {
  test('may leave twice, and one function may listen twice', async () => {
    const { controller, getTodo, server } = openBoard()
    const query = controller.watch(getTodo.extend({ abortOnUnused: true }), { id: '1' })
    const listener = vi.fn()
    const first = query.subscribe(listener)
    query.subscribe(listener)
    first()
    first()
    await settle()
    expect(server.one('getTodo').isAborted).toBe(false)
    await server.one('getTodo').answer(row())
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

describe('F21: inside a notification', () => {
  test('one may leave: it is not called any more, and the others are not skipped', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    const observer = controller.view(Todo, { id: '1' })
    const heard: string[] = []
    const stops: (() => void)[] = []
    for (const name of ['a', 'b', 'c']) {
      const hear = (): void => {
        heard.push(name)
        if (name === 'a') stops[1]?.()
      }
      stops.push(observer.subscribe(hear))
    }
    controller.set(Todo, { id: '1' }, { votes: 1 })
    expect(heard).toEqual(['a', 'c'])
  })

  test('one may write: all are notified of the first change before any of the second, without recursion', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, row())
    const observer = controller.view(Todo, { id: '1' })
    const heard: string[] = []
    observer.subscribe(() => {
      const votes = observer.getSnapshot()?.votes ?? 0
      heard.push(`a${votes}`)
      if (votes < 5_000) controller.set(Todo, { id: '1' }, { votes: votes + 1 })
    })
    let notified = 0
    observer.subscribe(() => notified++)
    controller.set(Todo, { id: '1' }, { votes: 1 })
    expect(heard.at(-1)).toBe('a5000')
    expect(heard).toHaveLength(5_000)
    expect(notified).toBe(5_000)
  })

  test('all have read again before the first is notified, so that none sees the other as it was', () => {
    const { controller } = openBoard()
    controller.set(Todos, { userId: '1' }, [row('1')])
    const one = controller.view(Todo, { id: '1' })
    const list = controller.view(Todos, { userId: '1' })
    const seen: unknown[] = []
    for (const observer of [one, list]) {
      observer.getSnapshot()
      observer.subscribe(() => seen.push(list.getSnapshot()?.[0] === one.getSnapshot()))
    }
    controller.set(Todo, { id: '1' }, { title: 'edited' })
    expect(seen).toEqual([true, true])
  })
})

describe('unchanged data', () => {
  test('keeps every reference and notifies nobody, in a read, a set and a mutation', async () => {
    const { controller, getTodos, patch, server } = openBoard()
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    const response = () => [{ ...row('1'), user: { id: '7', name: 'Ann' }, tags: ['x'] }, row('2')]
    await server.one('getTodos').answer(response())
    const before = list.now.data
    ending(controller.fetch(getTodos, { userId: '1' }))
    await server.one('getTodos', 1).answer(response())
    controller.set(Todo, { id: '1' }, { title: 't1' })
    controller.set(User, { id: '7' }, { name: 'Ann' })
    ending(controller.fetch(patch, { id: '2' }, {}))
    await server.one('patch').answer({ id: '2', title: 't2' })
    expect(list.now.data).toBe(before)
    expect(list.notified).toBe(1)
  })

  test('of one row replaces that row and the list alone', async () => {
    const { controller, getTodos } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2'), row('3')])
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    const [one, two, three] = list.now.data ?? []
    controller.set(Todo, { id: '2' }, { title: 'edited' })
    expect(list.now.data?.[0]).toBe(one)
    expect(list.now.data?.[1]).not.toBe(two)
    expect(list.now.data?.[2]).toBe(three)
    expect(titles(list.now)).toEqual(['t1', 'edited', 't3'])
  })
})

test('a response that is stale as it comes does not notify who goes on waiting', async () => {
  const { controller, getTodos, patch, server } = openBoard()
  const belongs = ({ userId }: { userId?: unknown }) => (userId === undefined ? 'unknown' : userId === '1')
  const read = { invalidIfStale: true, dataExpiryLength: 0, schema: new Collection([Todo], { belongs }) }
  const reader = watch(controller.watch(getTodos.extend(read), {}))
  await settle()
  const pending = reader.now
  // Whether it is in the list, nobody has told.
  const patched = controller.fetch(patch, { id: '2' }, { title: 'edited' })
  await server.one('patch').answer({ id: '2', title: 'edited' })
  await patched
  await server.one('getTodos').answer([row()])
  expect(reader.notified).toBe(0)
  expect(reader.now).toBe(pending)
  await server.one('getTodos', 1).answer([row(), row('2', 'edited')])
  expect(reader.seen.map(titles)).toEqual([['t1', 'edited']])
})

test('C8: of 10,000 mounted queries a change notifies only those that depend on it', async () => {
  const controller = new Controller({ env: new HandClock() })
  let views = 0
  class Item extends Entity {
    static override key = 'Item'
    id = ''
    title = ''
    override pk() {
      views++
      return this.id
    }
  }
  const getItem = new Endpoint(async ({ id }: { id: string }) => ({ id, title: id }), { name: 'getItem', schema: Item })
  const notified: string[] = []
  for (let at = 0; at < 10_000; at++) {
    const id = `${at}`
    controller.setResponse(getItem, { id }, { id, title: id })
    controller.watch(getItem, { id }).subscribe(() => notified.push(id))
  }
  await settle()
  notified.length = 0
  views = 0
  controller.set(Item, { id: '5000' }, { title: 'edited' })
  expect(notified).toEqual(['5000'])
  expect(views).toBeLessThan(10)
})

import { All, Controller, Endpoint, Entity } from '@roundtable/core'
import { type Dehydrated, dehydrateParts, dehydrateStream, hydrate } from '@roundtable/core/hydration'
import { describe, expect, test } from 'vitest'
import type { Registry } from '../../../core/src/client/registry.js'
import { callsDuring } from '../../calls.js'
import { rowsOfState } from '../../rows-of-state.js'
import { settle } from '../engine/clock.js'
import { openBoard, Todo } from '../engine/todo-board.js'
import { sent } from './shop.js'

/** What a browser has of the texts of a state. */
const idsIn = (part: Dehydrated | undefined): readonly string[] =>
  (part === undefined ? [] : rowsOfState(part)).map(({ pk }) => pk).sort()

describe('a part of the state of a controller', () => {
  test('costs what was written since the last one, however many rows and keys there are', async () => {
    const open = (count: number) => {
      const { controller, getTodo, getTodos } = openBoard({ server: true })
      const rows = Array.from({ length: count }, (_, id) => ({ id: `${id}`, title: 'a' }))
      controller.setResponse(getTodos, {}, rows)
      for (const { id } of rows) controller.setResponse(getTodo, { id }, { id, title: 'a' })
      const next = dehydrateParts(controller)
      next()
      controller.setResponse(getTodo, { id: 'new' }, { id: 'new', title: 'b' })
      return next
    }
    // The first part of all loads what the others share.
    open(1)()
    const [few, many] = [open(10), open(1_000)]
    const parts: (Dehydrated | undefined)[] = []
    const fewCalls = await callsDuring(() => parts.push(few()))
    const manyCalls = await callsDuring(() => parts.push(many()))
    expect(parts.map(idsIn)).toEqual([['new'], ['new']])
    expect(manyCalls).toBeLessThan(2 * fewCalls)
  })

  test('has its rows in the order of their first reference, as a selection of all shows them', () => {
    class Reply extends Entity {
      static override key = 'Reply'
      id = ''
      replies: readonly Reply[] = []
    }
    Object.defineProperty(Reply, 'schema', { value: { replies: [Reply] } })
    const getReply = new Endpoint(async (_: { id: string }) => ({}), { name: 'getReply', schema: Reply })
    const all = new All(Reply)
    const server = new Controller({ server: true })
    const next = dehydrateParts(server)
    server.setResponse(getReply, { id: 'first' }, { id: 'first', replies: [] })
    const parts = [next()]
    server.setResponse(getReply, { id: '3' }, { id: '3', replies: [{ id: '1', replies: [{ id: '2', replies: [] }] }] })
    parts.push(next())
    const browser = new Controller()
    for (const part of parts) hydrate(browser, part)
    const order = (controller: Controller) => controller.get(all)?.map(({ id }) => id)
    expect(order(browser)).toHaveLength(4)
    expect(order(browser)).toEqual(order(server))
  })

  test('has with include a row that was written before a key led to it', () => {
    const { controller, getTodos, getTodo } = openBoard({ server: true })
    const next = dehydrateParts(controller, { include: (key) => key.startsWith('getTodos') })
    controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'a' })
    expect(next()).toBeUndefined()
    controller.setResponse(getTodos, {}, [{ id: '1', title: 'a' }])
    expect(idsIn(next())).toEqual(['1'])
    expect(next()).toBeUndefined()
  })

  test('has a row that was invalidated once a response leads to it', () => {
    const { controller, getTodos, getTodo } = openBoard({ server: true })
    const next = dehydrateParts(controller)
    controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'a' })
    controller.invalidateBy(Todo, '1')
    expect(idsIn(next())).toEqual([])
    controller.setResponse(getTodos, {}, [{ id: '1', title: 'a' }])
    expect(idsIn(next())).toEqual(['1'])
  })

  test('has what several writes have written before their one notification', () => {
    const { controller, getTodo } = openBoard({ server: true })
    const next = dehydrateParts(controller)
    next()
    controller.notifyOnce(() => {
      controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'a' })
      expect(idsIn(next())).toEqual(['1'])
      controller.setResponse(getTodo, { id: '2' }, { id: '2', title: 'a' })
    })
    expect(idsIn(next())).toEqual(['2'])
    expect(next()).toBeUndefined()
  })

  test('has what was hydrated and waited for the first use of its key', () => {
    const { controller: first, getTodos } = openBoard({ server: true })
    first.setResponse(getTodos, {}, [{ id: '1', title: 'a' }])
    const { controller } = openBoard({ server: true })
    const next = dehydrateParts(controller)
    hydrate(controller, sent(first))
    expect(idsIn(next())).toEqual(['1'])
    expect(controller.getResponse(getTodos, {}).data).toHaveLength(1)
    const late = next()
    expect([late?.results.length, late?.lists.length]).toEqual([1, 1])
    expect(next()).toBeUndefined()
  })

  test('has nothing of before a reset', () => {
    const { controller, getTodo } = openBoard({ server: true })
    const next = dehydrateParts(controller)
    controller.setResponse(getTodo, { id: '1' }, { id: '1', title: 'a' })
    controller.resetEntireStore()
    expect(next()).toBeUndefined()
    controller.setResponse(getTodo, { id: '2' }, { id: '2', title: 'b' })
    controller.resetEntireStore()
    controller.setResponse(getTodo, { id: '3' }, { id: '3', title: 'c' })
    expect(idsIn(next())).toEqual(['3'])
  })
})

describe('two streams of one controller', () => {
  const readAll = async (stream: ReadableStream<Dehydrated>): Promise<readonly string[][]> => {
    const parts: string[][] = []
    for await (const part of stream as unknown as AsyncIterable<Dehydrated>) parts.push([...idsIn(part)])
    return parts
  }

  test('each have all of it, once, from when they start until they end', async () => {
    const { controller, getTodo } = openBoard({ server: true })
    const write = (id: string) => controller.setResponse(getTodo, { id }, { id, title: id })
    const [early, late] = [new AbortController(), new AbortController()]
    write('1')
    const first = readAll(dehydrateStream(controller, { signal: early.signal }))
    await settle()
    write('2')
    await settle()
    const second = readAll(dehydrateStream(controller, { signal: late.signal }))
    await settle()
    write('3')
    await settle()
    early.abort()
    write('4')
    await settle()
    late.abort()
    write('5')
    expect(await first).toEqual([['1'], ['2'], ['3']])
    expect(await second).toEqual([['1', '2'], ['3'], ['4']])
  })

  test('leave nothing that listens once both have ended', async () => {
    const { controller } = openBoard({ server: true })
    const { store } = (controller['~host'] as Registry).runtime
    const page = new AbortController()
    const first = dehydrateStream(controller, { signal: page.signal }).getReader()
    const second = readAll(dehydrateStream(controller, { signal: page.signal }))
    await settle()
    await first.cancel()
    expect(store.record).toBeDefined()
    page.abort()
    await second
    expect(store.record).toBeUndefined()
  })
})

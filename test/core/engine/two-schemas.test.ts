import {
  All,
  Collection,
  Endpoint,
  type EndpointInterface,
  Query,
  RestEndpoint,
  type Schema,
  Values,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, Todos, watch } from './todo-board.js'

const row = (id: string) => ({ id, title: `t${id}`, userId: '1', votes: 0 })
const list = [row('1'), row('2')]
const map = { a: row('1'), b: row('2') }

type Read = EndpointInterface<() => Promise<unknown>, undefined, undefined> & { testKey(key: string): boolean }

/** Schemas of one key, and their responses. */
const schemas: Record<string, { readonly schema: Schema; readonly data: unknown }> = {
  'no schema': { schema: undefined, data: list },
  'a Collection': { schema: Todos, data: list },
  'a plain array': { schema: [Todo], data: list },
  'an object around a Collection': { schema: { results: Todos, total: 0 }, data: { results: list, total: 2 } },
  'an object around a plain array': { schema: { results: [Todo], total: 0 }, data: { results: list, total: 2 } },
  'a Collection of Values': { schema: new Collection(new Values(Todo)), data: map },
  Values: { schema: new Values(Todo), data: map },
  'an entity': { schema: Todo, data: row('1') },
}

const open = () => {
  const board = openBoard()
  const read = (schema: Schema): Read =>
    // The schemas of these tests are of every kind, which no type follows.
    new Endpoint(board.server.on<[]>('same'), { name: 'same', schema }) as never
  return { ...board, read }
}

const pairs = Object.keys(schemas).flatMap((first) =>
  Object.keys(schemas).flatMap((second) => (first === second ? [] : [[first, second] as const])),
)

describe('two schemas of one key have two results', () => {
  test.each(pairs)('%s first, %s later: neither shows what the other stored', async (first, second) => {
    const { controller, server, read } = open()
    const [one, two] = [schemas[first], schemas[second]]
    if (one === undefined || two === undefined) throw new Error('no schema')
    const mounted = watch(controller.watch(read(one.schema)))
    await settle()
    await server.one('same').answer(one.data)
    const alone = JSON.stringify(mounted.now.data)
    expect(mounted.now.status).toBe('ready')
    expect(controller.getResponse(read(two.schema)).data).not.toEqual(expect.any(String))
    const later = watch(controller.watch(read(two.schema)))
    ending(controller.fetch(read(two.schema)))
    await settle()
    await server.one('same', -1).answer(two.data)
    expect(later.now).toMatchObject({ status: 'ready' })
    expect(JSON.stringify(later.now.data)).toBe(JSON.stringify(two.data))
    expect(JSON.stringify(mounted.now.data)).toBe(alone)
    expect(mounted.now.status).toBe('ready')
  })

  test('both under way at once: each gets its own', async () => {
    const { controller, server, read } = open()
    const shown = [Todos, undefined].map((schema) => watch(controller.watch(read(schema))))
    const ends = [Todos, undefined].map((schema) => ending(controller.fetch(read(schema))))
    await settle()
    for (const request of server.of('same')) await request.answer(list)
    for (const { now } of shown)
      expect(now).toMatchObject({ status: 'ready', data: [{ title: 't1' }, { title: 't2' }] })
    expect((ends[0]?.value as Todo[] | undefined)?.[0]).toBeInstanceOf(Todo)
    expect((ends[1]?.value as Todo[] | undefined)?.[0]).not.toBeInstanceOf(Todo)
  })

  test('an error of one is not the other’s', async () => {
    const { controller, server, read } = open()
    const raw = watch(controller.watch(read(undefined)))
    await settle()
    await server.one('same').answer(list)
    const typed = watch(controller.watch(read(Todos)))
    await settle()
    await server.one('same', 1).answer({ nothing: true })
    expect(typed.now.status).toBe('failed')
    expect(raw.now.status).toBe('ready')
  })

  test('both are invalidated, expired and reset together', async () => {
    const { controller, server, read } = open()
    const both = [Todos, undefined]
    const shown = both.map((schema) => watch(controller.watch(read(schema))))
    const answerAll = async () => {
      await settle()
      const sent = server.of('same')
      for (const request of sent) await request.answer(list)
      return sent.length
    }
    expect(await answerAll()).toBe(2)
    controller.invalidate(read(undefined))
    expect(await answerAll()).toBe(4)
    controller.expireAll(read(Todos))
    expect(await answerAll()).toBe(6)
    controller.resetEntireStore()
    expect(await answerAll()).toBe(8)
    for (const { now } of shown) expect(now.status).toBe('ready')
  })

  test('are both collected when nobody uses them', async () => {
    const { controller, server, clock, read } = open()
    for (const schema of [Todos, undefined, [Todo]]) {
      ending(controller.fetch(read(schema)))
      await server.one('same', -1).answer(list)
    }
    await clock.advance(2_000_000)
    for (const schema of [Todos, undefined, [Todo]]) expect(controller.getResponse(read(schema)).data).toBeUndefined()
  })
})

describe('schemas that store a result in one form share it', () => {
  test.each<[string, Schema, Schema]>([
    ['the same array, made anew', [Todo], [Todo]],
    ['a literal, made anew, with other defaults', { results: [Todo], total: 0 }, { results: [Todo], more: '' }],
    ['a Query over a Collection', Todos, new Query(Todos, (todos) => todos.length)],
    ['All, made anew', new All(Todo), new All(Todo)],
    ['a class that extends the other', Todo, class Later extends Todo {}],
  ])('%s: one request', async (_, first, second) => {
    const { controller, server, read } = open()
    const data = first === Todo ? row('1') : Array.isArray(first) || first !== Object(first) ? list : first
    const response =
      typeof first === 'object' && first !== null && 'results' in first ? { results: list, total: 2 } : data
    const ends = [first, second].map((schema) => ending(controller.fetch(read(schema))))
    expect(server.of('same')).toHaveLength(1)
    await server.one('same').answer(response === first ? list : response)
    for (const end of ends) expect(end).toMatchObject({ isOver: true })
    expect(ends.map(({ error }) => error)).toEqual([undefined, undefined])
    expect(controller.getResponse(read(second)).data).toBeDefined()
  })

  test('a list and its pages', async () => {
    const { controller } = open()
    const getTodos = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/todos',
      paginationField: 'page',
      searchParams: {} as { page?: number } | undefined,
      schema: { results: new Collection([Todo]), next: '' },
    })
    controller.setResponse(getTodos, { results: [row('1')], next: '2' })
    controller.setResponse(getTodos.getPage, { page: 2 }, { results: [row('2')], next: '' })
    expect(controller.getResponse(getTodos).data?.results).toHaveLength(2)
  })
})

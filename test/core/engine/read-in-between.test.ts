import { Controller, Endpoint, Entity } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { openBoard, Todo, titles, watch } from './todo-board.js'

const row = (id = '1', title = `t${id}`) => ({ id, title, userId: '1', votes: 0 })

async function withReaders() {
  const board = openBoard()
  const { controller, getTodos } = board
  controller.setResponse(getTodos, { userId: '1' }, [row()])
  const query = watch(controller.watch(getTodos, { userId: '1' }))
  const peek = watch(controller.peek(getTodos, { userId: '1' }))
  await settle()
  const read = () => titles(controller.getResponse(getTodos, { userId: '1' }))
  return { ...board, query, peek, read }
}

describe('reading a key in the middle of a change takes the change from none of its readers', () => {
  test('in a batch', async () => {
    const { controller, query, peek, read } = await withReaders()
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'new' })
      expect(read()).toEqual(['new'])
    })
    expect(titles(query.now)).toEqual(['new'])
    expect(titles({ data: peek.now })).toEqual(['new'])
    expect([query.notified, peek.notified]).toEqual([1, 1])
  })

  test('by fetchIfStale', async () => {
    const { controller, getTodos, query } = await withReaders()
    let data: Promise<readonly Todo[]> | undefined
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'new' })
      data = controller.fetchIfStale(getTodos, { userId: '1' })
    })
    expect(titles({ data: await data })).toEqual(['new'])
    expect(titles(query.now)).toEqual(['new'])
    expect(query.notified).toBe(1)
  })

  test('in an optimistic response', async () => {
    const { controller, getTodos, patch, query, peek, server } = await withReaders()
    const seen: unknown[] = []
    const careful = patch.extend({
      getOptimisticResponse: (snapshot, { id }, body) => {
        seen.push(titles(snapshot.getResponse(getTodos, { userId: '1' })))
        return { id, ...body }
      },
    })
    const change = (title: string) => controller.fetch(careful, { id: '1' }, { title })
    const calls = [change('a'), change('b')]
    expect(seen).toEqual([['t1'], ['a']])
    expect(titles(query.now)).toEqual(['b'])
    expect(titles({ data: peek.now })).toEqual(['b'])
    expect([query.notified, peek.notified]).toEqual([2, 2])
    for (const call of server.of('patch')) await call.answer(row('1', 'c'))
    await Promise.all(calls)
    expect(titles(query.now)).toEqual(['c'])
  })

  test('and finding that it cannot be shown', async () => {
    const broken = { is: false }
    class Odd extends Entity {
      static override key = 'Odd'
      id = ''
      name = ''
      static override fromJS(this: unknown, props: object): never {
        if (broken.is) throw new Error('no')
        return Object.assign(new Odd(), props) as never
      }
    }
    const getOdd = new Endpoint(async (_: { id: string }): Promise<unknown> => null, { name: 'getOdd', schema: Odd })
    const controller = new Controller({ onError: () => {} })
    controller.setResponse(getOdd, { id: '1' }, { id: '1', name: 'a' })
    const query = watch(controller.watch(getOdd, { id: '1' }))
    await settle()
    broken.is = true
    controller.notifyOnce(() => {
      controller.set(Odd, { id: '1' }, { name: 'b' })
      controller.getResponse(getOdd, { id: '1' })
    })
    expect(query.now.status).toBe('failed')
    expect(query.notified).toBe(1)
    controller.dispose()
  })

  test('while nobody listens: who comes next sees what is there', async () => {
    const { controller, query, read, getTodos } = await withReaders()
    query.stop()
    await settle()
    controller.set(Todo, { id: '1' }, { title: 'new' })
    read()
    const again = controller.watch(getTodos, { userId: '1' })
    let notified = 0
    again.subscribe(() => notified++)
    expect(titles(again.getSnapshot())).toEqual(['new'])
    await settle()
    expect(notified).toBe(0)
  })
})

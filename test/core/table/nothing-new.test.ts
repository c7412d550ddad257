// biome-ignore-all lint/complexity/noThisInStatic: the class that was asked is meant, never the base class.
import { All, Collection, type EndpointInterface, Entity, Invalidate } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { watch } from '../engine/todo-board.js'
import { open } from '../schemas/open.js'

class Author extends Entity {
  static override key = 'Author'
  id = ''
  name = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { author: Author, reviewers: [Author], due: Date }
  id = ''
  title = ''
  done = false
  tags: readonly string[] = []
  meta: { readonly deep: number } | undefined = { deep: 1 }
  author: Author | undefined = undefined
  reviewers: readonly Author[] = []
  due: Date | undefined = undefined
}
class Ringed extends Todo {
  static override key = 'Ringed'
  static override schema = { ...Todo.schema, next: Ringed }
  next: Ringed | undefined = undefined
}
/** A class whose instances are constructed, and hold more than their fields. */
class Secret extends Todo {
  static override key = 'Secret'
  readonly #secret = 5
  get secret() {
    return this.#secret
  }
}

describe.each([
  ['a plain class', Todo],
  ['a class in a ring', Ringed],
  ['a class with private members', Secret],
])('a change that shows nothing new keeps the instance and notifies nobody: %s', (_, Kind) => {
  const start = async () => {
    const { controller, load, mutate, server } = open()
    const ring = Kind === Ringed ? { next: '1' } : {}
    const query = await load('one', Kind, { id: '1', title: 'a', ...ring })
    const list = await load('list', new Collection([Kind]), [{ id: '1', title: 'a' }])
    const before = [query.now.data, list.now, query.notified, list.notified]
    const same = () => expect([query.now.data, list.now, query.notified, list.notified]).toEqual(before)
    const keeps = () => {
      same()
      expect(query.now.data).toBe(before[0])
    }
    return { controller, query, keeps, mutate, server }
  }

  test.each([
    ['a default', { done: false }],
    ['a default that is an array', { tags: [] }],
    ['a default that is an object', { meta: { deep: 1 } }],
    ['a default of a relation', { reviewers: [] }],
    ['a relation that is not there', { author: '9' }],
    ['relations that are not there', { reviewers: ['8', '9'] }],
    ['undefined where the default is undefined', { due: undefined }],
  ])('%s', async (_name, fields) => {
    const { controller, keeps } = await start()
    controller.set(Kind, { id: '1' }, fields)
    keeps()
  })

  test('a relation that a pending deletion hides, until it fails', async () => {
    const { controller, query, keeps, mutate, server } = await start()
    controller.set(Author, { id: '7' }, { name: 'Ann' })
    const remove = { schema: new Invalidate(Author) }
    const sent = controller
      .fetch(
        Object.assign(async () => mutate('never', remove.schema), {
          schema: remove.schema,
          sideEffect: true as const,
          key: () => 'remove',
          getOptimisticResponse: () => ({ id: '7' }),
        }) as EndpointInterface<() => Promise<unknown>>,
      )
      .catch(() => 'failed')
    expect(controller.get(Author, { id: '7' })).toBeUndefined()
    controller.set(Kind, { id: '1' }, { author: '7' })
    keeps()
    await server.one('never').fail()
    expect(await sent).toBe('failed')
    expect(query.now.data?.author?.name).toBe('Ann')
  })

  test('but a visible change is shown', async () => {
    const { controller, query } = await start()
    controller.set(Kind, { id: '1' }, { done: true })
    expect([query.now.data?.done, query.notified]).toEqual([true, 2])
    controller.set(Kind, { id: '1' }, { extra: 1 } as never)
    expect([query.now.data, query.notified]).toMatchObject([{ extra: 1 }, 3])
    controller.set(Kind, { id: '1' }, { due: '2026-01-01' })
    expect([query.now.data?.due?.getFullYear(), query.notified]).toEqual([2026, 4])
    controller.set(Kind, { id: '1' }, { author: { id: '5', name: 'Ann' } })
    expect([query.now.data?.author?.name, query.notified]).toEqual(['Ann', 5])
  })
})

test('an instance that fromJS makes of fields that are not shown is made again', async () => {
  class Hidden extends Entity {
    static override key = 'Hidden'
    static override fromJS<Instance>(this: { readonly prototype: Instance }, fields: object = {}): Instance {
      const made = Object.assign(Object.create(this.prototype as object), { id: (fields as { id: string }).id })
      Object.defineProperty(made, 'secret', { value: (fields as { secret?: unknown }).secret, enumerable: false })
      return made as Instance
    }
    id = ''
    declare secret: unknown
  }
  const { load, controller } = open()
  const query = await load('one', Hidden, { id: '1', secret: 1 })
  controller.set(Hidden, { id: '1' }, { secret: 2 })
  expect(query.now.data?.secret).toBe(2)
})

describe('All, once a row of its kind was stored', () => {
  test('shows an empty array when the last row is deleted, and nothing before the first came', async () => {
    const { controller, run } = open()
    const all = watch(controller.view(new All(Author)))
    expect(all.now).toBeUndefined()
    await run('create', Author, { id: '1' })
    await run('delete', new Invalidate(Author), { id: '1' })
    expect([all.now, controller.get(new All(Author))]).toEqual([[], []])
    expect(controller.get(new All({ author: Author }, () => 'author'))).toEqual([])
    expect(controller.get(new All(Todo))).toBeUndefined()
  })

  test('also after the deleted row was collected, and not after an optimistic one that failed', async () => {
    const { clock, controller, run, writer, server } = open({ retention: { after: 1_000 } })
    const all = watch(controller.view(new All(Author)))
    const create = writer('create', Author).extend({ getOptimisticResponse: () => ({ id: '5' }) })
    const sent = controller.fetch(create, {}).catch(() => 'failed')
    expect(all.now).toHaveLength(1)
    await server.one('create').fail()
    expect(await sent).toBe('failed')
    expect(all.now).toBeUndefined()
    await run('create', Author, { id: '1' })
    await run('delete', new Invalidate(Author), { id: '1' })
    await clock.advance(60_000)
    await run('note', Todo, { id: '1' })
    expect([all.now, controller.get(new All(Author))]).toEqual([[], []])
    controller.resetEntireStore()
    expect(all.now).toBeUndefined()
  })
})

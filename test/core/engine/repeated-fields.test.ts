import { Collection, Controller, Entity, resource } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const whole = (fields: object) => ({ id: '1', title: 'old', votes: 0, userId: '1', ...fields })

async function withTodo() {
  const board = openBoard()
  const shown = watch(board.controller.watch(board.getTodo, { id: '1' }))
  await settle()
  await board.server.one('getTodo').answer(whole({}))
  shown.seen.length = 0
  return { ...board, shown }
}

describe('a server that responds with whole rows: of fields that a mutation does not name, it repeats what was there', () => {
  test('a later mutation that is answered first does not hide an edit that is pending, nor its response', async () => {
    const { controller, patchNow, server, shown } = await withTodo()
    const rename = ending(controller.fetch(patchNow, { id: '1' }, { title: 'new' }))
    void controller.fetch(patchNow, { id: '1' }, { votes: 1 })
    await server.one('patch', 1).answer(whole({ votes: 1 }))
    expect(shown.now.data).toMatchObject({ title: 'new', votes: 1 })
    await server.one('patch', 0).answer(whole({ title: 'new', votes: 1 }))
    expect(rename.value).toMatchObject({ title: 'new', votes: 1 })
    expect(shown.now.data).toMatchObject({ title: 'new', votes: 1 })
    expect(shown.seen.map(({ data }) => data?.title)).not.toContain('old')
  })

  test('the response of a later mutation does not undo an edit that was acknowledged meanwhile', async () => {
    const { controller, patch, server, shown } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { title: 'new' })
    void controller.fetch(patch, { id: '1' }, { votes: 1 })
    await server.one('patch', 0).answer(whole({ title: 'new' }))
    await server.one('patch', 1).answer(whole({ votes: 1 }))
    expect(shown.now.data).toMatchObject({ title: 'new', votes: 1 })
    // Only the server knows whether the later one has changed the title, too.
    await server.one('getTodo', 1).answer(whole({ title: 'new', votes: 1 }))
    expect(shown.now.data).toMatchObject({ title: 'new', votes: 1 })
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('an earlier mutation that is answered last repeats an old value, which a later edit has replaced', async () => {
    const { controller, patch, server, shown } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { votes: 1 })
    void controller.fetch(patch, { id: '1' }, { title: 'new' })
    await server.one('patch', 1).answer(whole({ title: 'new' }))
    await server.one('patch', 0).answer(whole({ votes: 1 }))
    expect(shown.now.data).toMatchObject({ title: 'new', votes: 1 })
  })

  test('a row that comes nested in the response of another mutation is only repeated', async () => {
    class Author extends Entity {
      static override key = 'RepeatedAuthor'
      id = ''
      name = ''
    }
    class Card extends Entity {
      static override key = 'RepeatedCard'
      static override schema = { author: Author }
      id = ''
      title = ''
      author: Author | undefined = undefined
    }
    const open: { readonly path: string; readonly answer: (data: unknown) => void }[] = []
    const transport = (url: string | URL | Request): Promise<Response> =>
      new Promise((resolve) => {
        open.push({ path: new URL(String(url)).pathname, answer: (data) => resolve(Response.json(data)) })
      })
    const authors = resource({ urlPrefix: 'http://x', path: '/authors/:id', schema: Author, optimistic: true })
    const cards = resource({ urlPrefix: 'http://x', path: '/cards/:id', schema: Card, optimistic: true })
    const controller = new Controller({ transport })
    controller.set(Author, { id: '7' }, { id: '7', name: 'old' })
    const shown = watch(controller.view(Author, { id: '7' }))
    void controller.fetch(authors.partialUpdate, { id: '7' }, { name: 'new' })
    void controller.fetch(cards.partialUpdate, { id: '1' }, { title: 'edited' })
    await settle()
    open[1]?.answer({ id: '1', title: 'edited', author: { id: '7', name: 'old' } })
    await settle()
    expect(shown.now).toMatchObject({ name: 'new' })
    open[0]?.answer({ id: '7', name: 'new' })
    await settle()
    expect(shown.now).toMatchObject({ name: 'new' })
    controller.dispose()
  })

  test('a class that decides which responses it accepts gets the fields in the same order', async () => {
    class Versioned extends Entity {
      static override key = 'RepeatedVersioned'
      static override shouldUpdate(
        _existing: unknown,
        _incoming: unknown,
        before: { readonly version: number },
        now: { readonly version: number },
      ) {
        return now.version >= before.version
      }
      id = ''
      title = ''
      votes = 0
      version = 0
    }
    const board = openBoard()
    const { controller, server } = board
    const patch = board.patch.extend({ schema: Versioned })
    controller.set(Versioned, { id: '1' }, whole({ version: 1 }))
    void controller.fetch(patch, { id: '1' }, { title: 'new' })
    void controller.fetch(patch, { id: '1' }, { votes: 1 })
    await server.one('patch', 1).answer(whole({ votes: 1, version: 2 }))
    await server.one('patch', 0).answer(whole({ title: 'new', votes: 1, version: 3 }))
    expect(controller.get(Versioned, { id: '1' })).toMatchObject({ title: 'new', votes: 1 })
  })
})

describe('a list with belongs that was requested before a read which brought one of its rows', () => {
  const kept = new Collection([Todo], {
    belongs: ({ userId }: { readonly userId: string }, args: { readonly userId?: string }) => userId === args.userId,
  })

  const withLists = async () => {
    const board = openBoard()
    const getKept = board.getTodos.extend({ schema: kept })
    const [one, two] = ['1', '2'].map((userId) => watch(board.controller.watch(getKept, { userId }))) as [
      ReturnType<typeof watch<{ readonly data: readonly Todo[] | undefined }>>,
      ReturnType<typeof watch<{ readonly data: readonly Todo[] | undefined }>>,
    ]
    await settle()
    const show = () => [one, two].map(({ now }) => now.data?.map(({ id }) => id).join(' '))
    return { ...board, show }
  }

  test('does not bring back a row that the later read has moved, nor lose one that it has put in', async () => {
    const { controller, server, show, getTodo } = await withLists()
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(getTodo, { id: '2' })
    await server.one('getTodo', 0).answer({ id: '1', title: 'a', userId: '2' })
    await server.one('getTodo', 1).answer({ id: '2', title: 'b', userId: '1' })
    await server.one('getTodos', 0).answer([{ id: '1', title: 'a', userId: '1' }])
    await server.one('getTodos', 1).answer([{ id: '2', title: 'b', userId: '2' }])
    expect(show()).toEqual(['2', '1'])
  })

  test('decides about a row of which the later read says nothing that matters', async () => {
    const { controller, server, show, getTodo } = await withLists()
    controller.set(Todo, { id: '1' }, { id: '1', userId: '1' })
    void controller.fetch(getTodo, { id: '2' })
    await server.one('getTodo').answer({ id: '2', title: 'b' })
    await server.one('getTodos', 0).answer([{ id: '2', userId: '1' }])
    await server.one('getTodos', 1).answer([])
    expect(show()).toEqual(['2 1', ''])
  })
})

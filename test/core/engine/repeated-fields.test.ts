import { Collection, Controller, Endpoint, Entity, Lazy, resource, scope } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const whole = (fields: object) => ({ id: '1', title: 'old', votes: 0, userId: '1', ...fields })

async function withTodo(fields: object = {}) {
  const board = openBoard()
  const shown = watch(board.controller.watch(board.getTodo, { id: '1' }))
  await settle()
  await board.server.one('getTodo').answer(whole(fields))
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

  test('a class with a merge of its own gets whole records', async () => {
    class Replaced extends Entity {
      static override key = 'RepeatedReplaced'
      static override merge(_before: unknown, incoming: never): never {
        return incoming
      }
      id = ''
      title = ''
      votes = 0
    }
    const { controller, server, patch: before } = openBoard()
    const patch = before.extend({ schema: Replaced })
    controller.set(Replaced, { id: '1' }, whole({}))
    void controller.fetch(patch, { id: '1' }, { title: 'new' })
    void controller.fetch(patch, { id: '1' }, { votes: 1 })
    await server.one('patch', 0).answer(whole({ title: 'new' }))
    await server.one('patch', 1).answer(whole({ votes: 1 }))
    expect(controller.get(Replaced, { id: '1' })).toMatchObject({ title: 'new', votes: 1 })
  })

  test.each(['on', 'off'])(
    'an action without a body may have written any field, also one that it sets back: %s',
    async (title) => {
      const { controller, server, patch } = await withTodo({ title: 'off' })
      const toggle = new Endpoint(server.on<[{ readonly id: string }]>('toggle'), {
        name: 'toggle',
        schema: Todo,
        sideEffect: true,
      })
      void controller.fetch(patch, { id: '1' }, { title: 'on' })
      const toggled = ending(controller.fetch(toggle, { id: '1' }))
      await server.one('patch').answer(whole({ title: 'on' }))
      await server.one('toggle').answer(whole({ title }))
      expect(toggled.value).toMatchObject({ title })
      expect(controller.get(Todo, { id: '1' })).toMatchObject({ title })
    },
  )

  test.each([
    ['answered in order', [0, 1]],
    ['answered in the other order', [1, 0]],
  ] as const)(
    'nor does a body that names no field of the row, such as a reason, tell what an action changes: %s',
    async (_, order) => {
      const { controller, server } = await withTodo({ title: 'open' })
      const act = new Endpoint(server.on<[{ readonly id: string }, object]>('act'), {
        name: 'act',
        schema: Todo,
        sideEffect: true,
      })
      const calls = ['closed', 'open'].map((reason) => ending(controller.fetch(act, { id: '1' }, { reason, id: '1' })))
      for (const i of order) await server.one('act', i).answer(whole({ title: ['closed', 'open'][i] }))
      expect(calls[1]?.value).toMatchObject({ title: 'open' })
      expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'open' })
    },
  )

  test('of a row that was not there when it was sent, a mutation repeats nothing, though a read has brought the row since', async () => {
    const { controller, server, patch, getTodo } = openBoard()
    void controller.fetch(patch, { id: '1' }, { title: 'new' })
    void controller.fetch(patch, { id: '1' }, { userId: '2' })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo').answer(whole({ title: 'new', userId: '2', votes: 5 }))
    await server.one('patch', 1).answer(whole({ title: 'new', userId: '2', votes: 5 }))
    await server.one('patch', 0).answer(whole({ title: 'new', votes: 4 }))
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ votes: 5 })
  })

  test('a mutation that sets a field to the value that it had comes after the one before it', async () => {
    const { controller, server, patchNow, shown } = await withTodo()
    void controller.fetch(patchNow, { id: '1' }, { title: 'new' })
    void controller.fetch(patchNow, { id: '1' }, { title: 'old' })
    await server.one('patch', 1).answer(whole({ title: 'old' }))
    await server.one('patch', 0).answer(whole({ title: 'new' }))
    expect(shown.now.data).toMatchObject({ title: 'old' })
  })
})

describe('a field that neither of two mutations names, such as a version, which the server writes by itself', () => {
  class Versioned extends Entity {
    static override key = 'WrittenVersion'
    id = ''
    title = ''
    votes = 0
    version = 0
  }
  class Replaced extends Versioned {
    static override key = 'WrittenReplaced'
    static override merge(_before: unknown, incoming: never): never {
      return incoming
    }
  }
  class Judged extends Versioned {
    static override key = 'WrittenJudged'
    static override shouldUpdate(): boolean {
      return true
    }
  }
  class Card extends Entity {
    static override key = 'WrittenCard'
    static override schema = { todo: Versioned }
    id = ''
    todo: Versioned | undefined = undefined
  }

  // The other one has changed nothing on the server, or was applied before.
  const cases = [Versioned, Replaced, Judged].flatMap((Class) =>
    [0, 1].flatMap((writer) => [0, 1].map((first) => ({ Class, name: Class.key, writer, first }))),
  )

  test.each(cases)('$name: that of mutation $writer stays, whichever is answered first: $first', async (each) => {
    const { Class, writer, first } = each
    const { controller, patch: before, server } = openBoard()
    const patch = before.extend({ schema: Class })
    controller.set(Class, { id: '1' }, whole({ version: 1 }))
    const shown = watch(controller.view(Class, { id: '1' }))
    void controller.fetch(patch, { id: '1' }, { title: 'new' })
    void controller.fetch(patch, { id: '1' }, { votes: 7 })
    const answer = (index: number): Promise<void> => {
      const version = index === writer ? 2 : 1
      const fields = index === 0 ? { title: 'new', votes: writer === 0 ? 7 : 0 } : { title: 'new', votes: 7 }
      return server.one('patch', index).answer(whole({ ...fields, version }))
    }
    await answer(first)
    await answer(1 - first)
    expect(shown.now).toMatchObject({ title: 'new', version: 2 })
  })

  test.each([
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ])('of a nested row, that of mutation %i stays, whichever is answered first: %i', async (writer, first) => {
    const { controller, patch: before, server } = openBoard()
    const patch = before.extend({ schema: Card })
    controller.set(Versioned, { id: '1' }, whole({ version: 1 }))
    const shown = watch(controller.view(Versioned, { id: '1' }))
    void controller.fetch(patch, { id: 'a' }, { title: 'new' })
    void controller.fetch(patch, { id: 'b' }, { title: 'new' })
    for (const index of [first, 1 - first])
      await server
        .one('patch', index)
        .answer({ id: index === 0 ? 'a' : 'b', todo: whole({ version: index === writer ? 2 : 1 }) })
    expect(shown.now).toMatchObject({ version: 2 })
  })

  test.each([1, 2])(
    'a mutation that had to wait repeats what was there when it was sent; first answer: %i',
    async (first) => {
      const { controller, patch: before, server } = openBoard()
      const patch = before.extend({ schema: Versioned })
      const waiting = patch.extend({ scope: scope('row') })
      controller.set(Versioned, { id: '1' }, whole({ version: 1 }))
      void controller.fetch(waiting, { id: '1' }, { title: 'new' })
      void controller.fetch(patch, { id: '1' }, { votes: 1 })
      void controller.fetch(waiting, { id: '1' }, { title: 'newer' })
      const answers = [
        { title: 'new', version: 2 },
        { title: 'new', votes: 1, version: 3 },
        { title: 'newer', version: 2 },
      ]
      for (const index of [0, first, 3 - first]) await server.one('patch', index).answer(whole(answers[index] ?? {}))
      expect(controller.get(Versioned, { id: '1' })).toMatchObject({ title: 'newer', votes: 1, version: 3 })
    },
  )

  test('what a read has brought that started after a mutation was sent stays, too, until both are asked for', async () => {
    const { controller, patch, getTodo, server, shown } = await withTodo()
    void controller.fetch(patch, { id: '1' }, { votes: 1 })
    void controller.fetch(getTodo, { id: '1' })
    await server.one('getTodo', 1).answer(whole({ title: 'by another user', userId: '2' }))
    await server.one('patch').answer(whole({ votes: 1, userId: '3' }))
    expect(shown.now.data).toMatchObject({ title: 'by another user', votes: 1, userId: '3' })
    await server.one('getTodo', 2).answer(whole({ votes: 1, userId: '3' }))
    expect(shown.now.data).toMatchObject({ title: 'old', votes: 1, userId: '3' })
  })
})

describe('a list with belongs that was requested before a read which brought one of its rows', () => {
  const kept = new Collection([Todo], {
    belongs: ({ userId }: { readonly userId: string }, args: { readonly userId?: string }) => userId === args.userId,
  })

  const withLists = async () => {
    const board = openBoard()
    const getKept = board.getTodos.extend({ schema: kept })
    const one = watch(board.controller.watch(getKept, { userId: '1' }))
    const two = watch(board.controller.watch(getKept, { userId: '2' }))
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

  test('is not judged by rows that the later read has left as they were: the server may have limited it', async () => {
    const { controller, server, show, getTodos } = await withLists()
    const rows = ['1', '2', '3'].map((id) => ({ id, title: id, userId: '1' }))
    await server.one('getTodos', 0).answer(rows.slice(0, 2))
    await server.one('getTodos', 1).answer([])
    controller.setResponse(getTodos, {}, rows)
    const limited = show()
    const getKept = getTodos.extend({ schema: kept })
    void controller.fetch(getKept, { userId: '1' })
    void controller.fetch(getTodos, {})
    await server.one('getTodos', 3).answer(rows)
    await server.one('getTodos', 2).answer(rows.slice(0, 2))
    expect(limited).toEqual(['1 2 3', ''])
    expect(show()).toEqual(['1 2', ''])
  })
})

describe.each(['rows that the board contains', 'rows behind Lazy'])(
  'a body that names a field of a row that it creates: %s',
  (what) => {
    class Card extends Entity {
      static override key = 'RepeatedCard'
      id = ''
      title = ''
    }
    const cards = what === 'rows behind Lazy' ? new Lazy([Card]) : [Card]
    class Board extends Entity {
      static override key = 'RepeatedBoard'
      static override schema = { cards }
      id = ''
      cards: readonly Card[] = []
    }
    const old = { id: '4', title: 'old' }

    test.each(['first', 'last'])('the other rows in its response are repeated: it is answered %s', async (when) => {
      const { controller, patchNow, create, server } = openBoard()
      const rename = patchNow.extend({ schema: Card })
      const add = create.extend({ schema: Board })
      controller.set(Card, { id: '4' }, old)
      const shown = watch(controller.view(Card, { id: '4' }))
      const renamed = ending(controller.fetch(rename, { id: '4' }, { title: 'new' }))
      void controller.fetch(add, { userId: '1' }, { title: 'another' })
      const answers = [
        () => server.one('create').answer({ id: '1', cards: [old, { id: '5', title: 'another' }] }),
        () => server.one('patch').answer({ ...old, title: 'new' }),
      ]
      for (const answer of when === 'first' ? answers : answers.reverse()) {
        await answer()
        expect(shown.now).toMatchObject({ title: 'new' })
      }
      expect(renamed.value).toMatchObject({ title: 'new' })
      expect(controller.get(Card, { id: '5' })).toMatchObject({ title: 'another' })
    })
  },
)

test('a read that was sent before a mutation that repeats a field, and says more of it, is followed by another', async () => {
  const { controller, patch, getTodo, server, shown } = await withTodo()
  void controller.fetch(getTodo, { id: '1' })
  void controller.fetch(patch, { id: '1' }, { title: 'new' })
  await server.one('patch').answer(whole({ title: 'new' }))
  await server.one('getTodo', 1).answer(whole({ title: 'new', votes: 6 }))
  await server.one('getTodo', 2).answer(whole({ title: 'new', votes: 6 }))
  expect(shown.now.data).toMatchObject({ title: 'new', votes: 6 })
})

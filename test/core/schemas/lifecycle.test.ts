import {
  Collection,
  Controller,
  Entity,
  EntityMixin,
  Invalidate,
  MissingPkError,
  resource,
  SchemaError,
  Union,
  validateRequired,
} from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Plain extends Entity {
  static override key = 'Plain'
  id = ''
  title = 'untitled'
  votes = 0
}

describe('an entity', () => {
  test('shows its defaults where the response has no value, its methods and getters, and further fields of the response', async () => {
    class Todo extends Plain {
      get loud() {
        return this.title.toUpperCase()
      }
      greet() {
        return `I am ${this.title}`
      }
    }
    const { load } = open()
    const { now } = await load('one', Todo, { id: '1', title: 'a', extra: [1] })
    expect(now.data).toBeInstanceOf(Todo)
    expect(now.data?.loud).toBe('A')
    expect(now.data?.greet()).toBe('I am a')
    expect(now.data?.votes).toBe(0)
    expect(now.data).toHaveProperty('extra', [1])
    expect(Object.isFrozen(now.data)).toBe(true)
  })

  test('is not affected by later changes to the response that it came from', async () => {
    const { load } = open()
    const data = { id: '1', title: 'a', tags: ['x'], deep: { inner: [1] } }
    const { now } = await load('one', Plain, data)
    data.tags.push('y')
    data.deep.inner.push(2)
    expect(now.data).toMatchObject({ tags: ['x'], deep: { inner: [1] } })
  })

  test('has a primary key of several fields, of its parent, its field and the arguments', async () => {
    class Seat extends Entity {
      static override key = 'Seat'
      row = 0
      number = 0
      override pk(parent?: { readonly hall?: string }, field?: string, args?: readonly unknown[]) {
        const [params] = (args ?? []) as [{ readonly show?: string }?]
        return `${params?.show ?? '-'}/${parent?.hall ?? '-'}/${field ?? '-'}/${this.row}.${this.number}`
      }
    }
    const { controller, load } = open()
    await load(
      'hall',
      { hall: '', best: Seat, rest: [Seat] } as const,
      {
        hall: 'h',
        best: { row: 1, number: 2 },
        rest: [{ row: 3, number: 4 }],
      },
      { show: 's' },
    )
    expect(controller.get(Seat, 's/h/best/1.2' as never)).toMatchObject({ row: 1 })
    // A member of a list has the list's parent and the list's field.
    expect(controller.get(Seat, 's/h/rest/3.4' as never)).toMatchObject({ row: 3 })
  })

  test.each([
    ['1 and the text of it', 1, '1'],
    ['0', 0, '0'],
    ["the text 'undefined'", 'undefined', 'undefined'],
    ['a hostile name', '__proto__', '__proto__'],
    ['another hostile name', 'constructor', 'constructor'],
    ['signs of all kinds', 'a/b|c:d\n😀', 'a/b|c:d\n😀'],
    ['ten thousand letters', 'x'.repeat(10_000), 'x'.repeat(10_000)],
  ])('B10, B11: finds its row by %s', async (_, id, requested) => {
    const { controller, load } = open()
    const { now } = await load(
      'list',
      [Plain],
      [
        { id, title: 'this' },
        { id: 'other', title: 'that' },
      ],
    )
    expect(now.data?.map(({ title }) => title)).toEqual(['this', 'that'])
    expect(controller.get(Plain, { id: requested })?.title).toBe('this')
    expect(controller.get(Plain, { id: 'toString' })).toBeUndefined()
  })

  test('B11: kinds and keys of hostile names do not meet', async () => {
    class A extends Plain {
      static override key = 'A|B'
    }
    class B extends Plain {
      static override key = 'A'
    }
    const { controller, load } = open()
    await load('one', A, { id: 'c', title: 'first' })
    await load('two', B, { id: 'B|c', title: 'second' })
    expect(controller.get(A, { id: 'c' })?.title).toBe('first')
    expect(controller.get(B, { id: 'B|c' })?.title).toBe('second')
    expect(controller.get(B, { id: 'c' })).toBeUndefined()
  })

  test.each([undefined, null, '', Number.NaN])(
    'B10: without a usable primary key (%s) is a MissingPkError',
    async (id) => {
      const { controller, refused } = open()
      expect(
        await refused('one', { before: Plain, list: [Plain] }, { before: { id: '1' }, list: [{ id }] }),
      ).toBeInstanceOf(MissingPkError)
      expect(controller.get(Plain, { id: '1' })).toBeUndefined()
    },
  )

  test('is shaped by process, which sees its parent, its field and the arguments', async () => {
    const seen: unknown[] = []
    class Shaped extends Plain {
      static override process(
        input: { readonly id: string },
        parent: unknown,
        field: string | undefined,
        args: readonly unknown[],
      ) {
        seen.push(parent, field, args)
        return { ...input, title: 'shaped' }
      }
    }
    const { load } = open()
    const data = { first: { id: '1' } }
    const { now } = await load('one', { first: Shaped }, data, { q: 1 })
    expect(now.data?.first.title).toBe('shaped')
    expect(seen).toEqual([data, 'first', [{ q: 1 }]])
  })

  test('finds in process the field of its list: of an array, a Collection and a Union alike, and none at the top', async () => {
    class Member extends Plain {
      static override key = 'Member'
      role: string | undefined = undefined
      static override process(input: object, _parent: unknown, field: string | undefined) {
        return { ...input, role: field }
      }
    }
    const { load } = open()
    const schema = {
      owners: [Member],
      guests: new Collection([Member]),
      others: [new Union({ member: Member }, () => 'member')],
      rest: { inner: [[Member]] },
    } as const
    const { now } = await load('one', schema, {
      owners: [{ id: '1' }],
      guests: [{ id: '2' }],
      others: [{ id: '3' }],
      rest: { inner: [[{ id: '4' }]] },
    })
    const roles = [now.data?.owners, now.data?.guests, now.data?.others, now.data?.rest.inner[0]]
    expect(roles.map((members) => members?.[0]?.role)).toEqual(['owners', 'guests', 'others', 'inner'])
    const top = await load('top', [Member], [{ id: '5' }])
    expect(top.now.data?.[0]?.role).toBeUndefined()
  })

  test('may add in process to what super.process returns; the response stays as it was', async () => {
    class Live extends Plain {
      static override key = 'Live'
      live = false
      static override process(...args: Parameters<typeof Entity.process>) {
        // biome-ignore lint/complexity/noThisInStatic: what users write.
        const processed = super.process(...args)
        processed.live = true
        return processed
      }
    }
    const { controller } = open()
    const data = Object.freeze({ id: '1', title: 'a' })
    controller.set(Live, { id: '1' }, data)
    expect(controller.get(Live, { id: '1' })).toMatchObject({ title: 'a', live: true })
    expect(data).not.toHaveProperty('live')
  })

  test('is deleted by a response for which process returns nothing', async () => {
    class Ghost extends Plain {
      static override process(input: { readonly id: string; readonly gone?: boolean }) {
        return input.gone ? undefined : input
      }
    }
    const { controller, load, run } = open()
    const list = await load('list', [Ghost], [{ id: '1' }, { id: '2' }])
    await run('update', Ghost, { id: '1', gone: true })
    expect(list.now.data?.map(({ id }) => id)).toEqual(['2'])
    expect(controller.get(Ghost, { id: '1' })).toBeUndefined()
    await run('update', [Ghost], [{ id: '1' }, { id: '2', gone: true }])
    expect(list.now.data?.map(({ id }) => id)).toEqual(['1'])
  })

  test('refuses a response by validate, with the path and the reason, and nothing of it is stored', async () => {
    class Strict extends Plain {
      static override validate(processed: Readonly<Record<string, unknown>>) {
        return validateRequired(processed, { id: '', title: '' })
      }
    }
    const { controller, refused } = open()
    const error = await refused('list', [Strict], [{ id: '1', title: 'a' }, { id: '2' }])
    expect(error).toBeInstanceOf(SchemaError)
    expect((error as Error).message).toMatch(/Strict|Plain/)
    expect((error as Error).message).toContain('$[1]')
    expect((error as Error).message).toContain("'title' is missing")
    expect(controller.get(Strict, { id: '1' })).toBeUndefined()
  })

  test('is merged by its own merge, within a response and with stored data', async () => {
    class Counted extends Plain {
      static override merge(existing: Readonly<Record<string, unknown>>, incoming: Readonly<Record<string, unknown>>) {
        return { ...existing, ...incoming, votes: Number(existing.votes ?? 0) + Number(incoming.votes ?? 0) }
      }
    }
    const { load, run } = open()
    const one = await load(
      'list',
      [Counted],
      [
        { id: '1', votes: 1 },
        { id: '1', votes: 2 },
      ],
    )
    expect(one.now.data?.[0]?.votes).toBe(3)
    await run('add', Counted, { id: '1', votes: 4 })
    expect(one.now.data?.[0]?.votes).toBe(7)
  })

  test('is left alone where shouldUpdate returns false, and keeps existing fields where shouldReorder returns true', async () => {
    class Dated extends Plain {
      version = 0
      static override shouldUpdate(
        _a: unknown,
        _b: unknown,
        existing: Readonly<Record<string, unknown>>,
        incoming: Readonly<Record<string, unknown>>,
      ) {
        return existing.title !== 'locked' || incoming.title === 'unlocked'
      }
      static override shouldReorder(
        _a: unknown,
        _b: unknown,
        existing: Readonly<Record<string, unknown>>,
        incoming: Readonly<Record<string, unknown>>,
      ) {
        return Number(incoming.version) < Number(existing.version)
      }
    }
    const { load, run } = open()
    const one = await load('one', Dated, { id: '1', title: 'a', version: 5 })
    await run('older', Dated, { id: '1', title: 'old', version: 3, extra: true })
    expect(one.now.data).toMatchObject({ title: 'a', version: 5, extra: true })
    await run('lock', Dated, { id: '1', title: 'locked', version: 6 })
    await run('newer', Dated, { id: '1', title: 'new', version: 7 })
    expect(one.now.data).toMatchObject({ title: 'locked', version: 6 })
  })

  describe.each(['the mutation', 'the read'])('with a shouldUpdate of its own, if %s is answered first', (first) => {
    test.each([
      ['the row', { id: '1', title: 'edited', version: 3 }],
      ['nothing', undefined],
    ])(
      'keeps an edit that is answered with %s from a read that overlaps it and does not know it',
      async (_, answer) => {
        class Versioned extends Plain {
          version = 0
          static override shouldUpdate(
            _a: unknown,
            _b: unknown,
            existing: Readonly<Record<string, unknown>>,
            incoming: Readonly<Record<string, unknown>>,
          ) {
            return incoming.version === undefined || Number(incoming.version) >= Number(existing.version)
          }
        }
        const answers: ((data: unknown) => Promise<void>)[] = []
        const controller = new Controller({
          transport: () =>
            new Promise((resolve) => {
              answers.push((data) => {
                resolve(data === undefined ? new Response(null, { status: 204 }) : Response.json(data))
                return settle()
              })
            }),
        })
        const urlPrefix = 'https://api.test'
        const Rows = resource({ urlPrefix, path: '/rows/:id', schema: Versioned, optimistic: true })
        const shown = watch(controller.watch(Rows.getList))
        await settle()
        await answers[0]?.([{ id: '1', title: 'first', version: 1 }])
        const saved = controller.fetch(Rows.partialUpdate, { id: '1' }, { title: 'edited' })
        await settle()
        void controller.fetch(Rows.getList)
        await settle()
        const title = () => shown.now.data?.[0]?.title
        const mutation = () => answers[1]?.(answer)
        const read = () => answers[2]?.([{ id: '1', title: 'of another', version: 2 }])
        for (const respond of first === 'the read' ? [read, mutation] : [mutation, read]) {
          await respond()
          expect(title()).toBe('edited')
        }
        expect((await saved)?.title).toBe('edited')
        controller.dispose()
      },
    )
  })

  test('finds in its metas which request started earlier', async () => {
    const starts: [number, number][] = []
    class Watched extends Plain {
      static override mergeWithStore(...[a, b, existing, incoming]: Parameters<typeof Entity.mergeWithStore>) {
        starts.push([a.start, b.start])
        return Plain.mergeWithStore(a, b, existing, incoming)
      }
    }
    const { controller, reader, server } = open()
    const [first, second] = [reader('first', Watched), reader('second', Watched)]
    void controller.fetch(first, {})
    void controller.fetch(second, {})
    await server.one('second').answer({ id: '1', title: 'later' })
    await server.one('first').answer({ id: '1', title: 'earlier', votes: 2 })
    expect(controller.get(Watched, { id: '1' })).toMatchObject({ title: 'later', votes: 2 })
    expect(starts).toHaveLength(1)
    expect(starts[0]?.[1]).toBeLessThan(starts[0]?.[0] ?? 0)
  })

  test('may be made by createIfValid of its own', async () => {
    class Made extends Plain {
      made = ''
      static override createIfValid<Instance>(record: Readonly<Record<string, unknown>>): Instance | undefined {
        if (record.title === 'bad') return undefined
        return Object.assign(Object.create(Made.prototype), record, { made: 'by hand' })
      }
    }
    const { load, run } = open()
    const list = await load(
      'list',
      [Made],
      [
        { id: '1', title: 'a' },
        { id: '2', title: 'bad' },
      ],
    )
    expect(list.now.data).toMatchObject([{ id: '1', made: 'by hand' }])
    await run('fix', Made, { id: '2', title: 'good' })
    expect(list.now.data).toHaveLength(2)
  })

  test('reads fields by functions and by classes, and is refused where these throw', async () => {
    class Event extends Entity {
      static override key = 'Event'
      static override schema = { at: Date, size: Number, day: (iso: string) => iso.slice(0, 10).split('-').map(Number) }
      id = ''
      at = new Date(0)
      size = 0
      day: readonly number[] = []
    }
    const { load, run } = open()
    const one = await load('one', Event, {
      id: '1',
      at: '2026-01-02T00:00:00Z',
      size: '12',
      day: '2026-03-04',
      no: null,
    })
    expect(one.now.data?.at.getTime()).toBe(Date.UTC(2026, 0, 2))
    expect(one.now.data).toMatchObject({ size: 12, day: [2026, 3, 4] })
    const before = one.now.data
    await run('same', Event, { id: '1', at: '2026-01-02T00:00:00Z', size: '12' })
    expect(one.now.data).toBe(before)
    await run('resize', Event, { id: '1', size: '13' })
    expect(one.now.data?.size).toBe(13)
    expect(one.now.data?.at).toBe(before?.at)
    const failed = await run('bad', Event, { id: '1', day: 5 }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(SchemaError)
    expect((failed as Error).message).toContain('$.day')
  })

  test('is deleted with a required relation, and not with an optional one', async () => {
    class Owner extends Plain {
      static override key = 'Owner'
    }
    class Pet extends Entity {
      static override key = 'Pet'
      static override schema = { owner: Owner, friend: Owner }
      id = ''
      owner = Owner.fromJS({})
      friend: Owner | undefined = undefined
    }
    const { controller, load, run } = open()
    const list = await load(
      'list',
      [Pet],
      [
        { id: '1', owner: { id: 'a' }, friend: { id: 'b' } },
        { id: '2', owner: { id: 'b' }, friend: { id: 'a' } },
      ],
    )
    await run('delete', new Invalidate(Owner), { id: 'b' })
    expect(list.now.data?.map(({ id, friend }) => [id, friend])).toEqual([['1', undefined]])
    expect(controller.get(Pet, { id: '2' })).toBeUndefined()
    controller.set(Owner, { id: 'b' }, { id: 'b', title: 'back' })
    expect(list.now.data).toHaveLength(2)
  })

  test('without a key of its own is stored under its name, with a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    class Nameless extends Entity {
      id = ''
    }
    const { load } = open()
    await load('one', Nameless, { id: '1' })
    expect(Nameless.key).toBe('Nameless')
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })
})

describe('EntityMixin', () => {
  class Stock {
    symbol = ''
    price = 0
    get text() {
      return `${this.symbol} at ${this.price}`
    }
  }

  test('makes an entity of a class, by a field', async () => {
    class StockEntity extends EntityMixin(Stock, { pk: 'symbol', key: 'Stock', indexes: ['price'] }) {}
    const { controller, load } = open()
    const one = await load('one', [StockEntity], [{ symbol: 'ABC', price: 5 }])
    expect(one.now.data?.[0]?.text).toBe('ABC at 5')
    expect(one.now.data?.[0]).toBeInstanceOf(Stock)
    expect(controller.get(StockEntity, { symbol: 'ABC' })?.price).toBe(5)
    expect(controller.get(StockEntity, { price: 5 })?.symbol).toBe('ABC')
  })

  test('or by a function, with parts of its life', async () => {
    const StockEntity = EntityMixin(Stock, {
      key: 'Stock',
      pk: (stock) => `${stock.symbol}!`,
      process: (input) => ({ ...(input as object), price: 9 }),
    })
    const { controller, load } = open()
    await load('one', StockEntity, { symbol: 'ABC' })
    expect(controller.get(StockEntity, { symbol: 'ABC' })?.text).toBe('ABC at 9')
  })
})

test('a relation that a class names later, for classes that refer to each other, is read from then on', async () => {
  class Left extends Entity {
    static override key = 'Left'
    id = ''
    right: Right | undefined = undefined
  }
  class Right extends Entity {
    static override key = 'Right'
    static override schema = { left: Left }
    id = ''
    left: Left | undefined = undefined
  }
  Left.schema = { right: Right }
  const { load } = open()
  const one = await load('one', Left, { id: '1', right: { id: '2', left: { id: '1' } } })
  expect(one.now.data?.right?.left).toBe(one.now.data)
})

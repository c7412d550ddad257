import { Controller, denormalize, Endpoint, Entity, KeyArgError, normalize, Query, transfer } from '@roundtable/core'
import { mockController } from '@roundtable/core/testing'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'

class Note extends Entity {
  static override key = 'Note'
  id = ''
  meta: unknown = undefined
  other: unknown = undefined
}

class Person extends Entity {
  static override key = 'Person'
  id = ''
  name = ''
  left: Person | undefined = undefined
  right: Person | undefined = undefined
  friends: readonly Person[] = []
}
Person.schema = { left: Person, right: Person, friends: [Person] }

/** As `Person`, but each value passes through a `process` that makes another object of it. */
class Processed extends Person {
  static override key = 'Processed'
  static override process(input: unknown): unknown {
    return { ...(input as object) }
  }
}
Processed.schema = { left: Processed, right: Processed, friends: [Processed] }

const open = () => new Controller({ env: new HandClock() })
const getNote = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), { name: 'getNote', schema: Note })
const getAny = new Endpoint(async (_: { id: string }): Promise<unknown> => ({}), { name: 'getAny' })

interface Ring {
  n: number
  self: Ring
  list: Ring[]
}

/** A value that contains itself twice. */
function ring(n = 1): Ring {
  const made = { n } as Ring
  made.self = made
  made.list = [made]
  return made
}

interface Pair {
  p: Pair | number
  q: Pair | number
}

/** Sixty pairs, each of which holds the next one twice: 2^60 if they were counted one by one. */
function shared(leaf = 1): Pair {
  let made: Pair = { p: leaf, q: leaf }
  for (let level = 0; level < 60; level++) made = { p: made, q: made }
  return made
}

function expectRing(shown: unknown, given: Ring): void {
  const held = shown as Ring
  expect(held).not.toBe(given)
  expect(held.n).toBe(given.n)
  expect(held.self).toBe(held)
  expect(held.list[0]).toBe(held)
  expect(Object.isFrozen(held.list)).toBe(true)
}

function expectShared(shown: unknown, leaf = 1): void {
  let at = shown as Pair | number
  let depth = 0
  for (; typeof at === 'object'; at = at.p, depth++) {
    expect(at.p).toBe(at.q)
    expect(Object.isFrozen(at)).toBe(true)
  }
  expect([at, depth]).toEqual([leaf, 61])
}

describe('B15: a value that contains itself, or the same part many times', () => {
  test('is stored by set as it is: rings close, parts stay shared, and the input stays the caller’s', () => {
    const controller = open()
    const given = ring()
    controller.set(Note, { id: '1' }, { id: '1', meta: given, other: given })
    const shown = controller.get(Note, { id: '1' })
    expectRing(shown?.meta, given)
    expect(shown?.other).toBe(shown?.meta)
    controller.set(Note, { id: '2' }, { id: '2', meta: shared() })
    expectShared(controller.get(Note, { id: '2' })?.meta)
    given.n = 2
    expect(shown?.meta).toHaveProperty('n', 1)
  })

  test('is shared by the rows of one response', () => {
    const controller = open()
    const given = ring()
    const both = [
      { id: '1', meta: given },
      { id: '2', meta: given },
    ]
    controller.setResponse(new Endpoint(async (): Promise<unknown> => [], { name: 'list', schema: [Note] }), both)
    expectRing(controller.get(Note, { id: '1' })?.meta, given)
    expect(controller.get(Note, { id: '2' })?.meta).toBe(controller.get(Note, { id: '1' })?.meta)
  })

  test('is compared: an equal one changes nothing and notifies nobody, another one is shown', () => {
    const controller = open()
    controller.set(Note, { id: '1' }, { id: '1', meta: ring(), other: shared() })
    const note = watch(controller.view(Note, { id: '1' }))
    const before = note.now
    controller.set(Note, { id: '1' }, { id: '1', meta: ring(), other: shared() })
    expect(note.now).toBe(before)
    expect(note.notified).toBe(0)
    controller.set(Note, { id: '1' }, { meta: ring(2), other: shared(2) })
    expectRing(note.now?.meta, ring(2))
    expectShared(note.now?.other, 2)
    expect(note.notified).toBe(1)
  })

  test('of 10,000 levels is stored, copied and compared whole', () => {
    const deep = (leaf: number) => {
      let made: object = { leaf }
      for (let level = 0; level < 10_000; level++) made = { in: made }
      return made
    }
    const controller = open()
    const given = deep(1)
    controller.set(Note, { id: '1' }, { id: '1', meta: given })
    const before = controller.get(Note, { id: '1' })
    let [mine, held] = [given, before?.meta] as { in?: object }[]
    let levels = 0
    for (; mine?.in !== undefined; mine = mine.in, held = held?.in)
      if (held !== mine && held?.in !== undefined) levels++
    expect(levels).toBe(10_000)
    // A test runner cannot print values this deep.
    const isSame = () => controller.get(Note, { id: '1' }) === before
    controller.set(Note, { id: '1' }, { meta: deep(1) })
    expect(isSame()).toBe(true)
    controller.set(Note, { id: '1' }, { meta: deep(2) })
    expect(isSame()).toBe(false)
  })

  test('is stored by setResponse, with a schema, without one, and transferred', () => {
    const controller = open()
    for (const hand of [<Value>(value: Value) => value, transfer]) {
      controller.setResponse(getNote, { id: '1' }, hand({ id: '1', meta: ring(), other: shared() }))
      const { meta } = controller.get(Note, { id: '1' }) as { meta: Ring }
      expect(meta.list[0]).toBe(meta)
      controller.setResponse(getAny, { id: '1' }, hand([ring(), shared()]))
      controller.setResponse(getAny, { id: '1' }, hand([ring(), shared()]))
      const [first, second] = controller.getResponse(getAny, { id: '1' }).data as [Ring, Pair]
      expect(first.list[0]).toBe(first)
      expect(second.p).toBe(second.q)
    }
  })

  test('is stored where a schema does not declare it', () => {
    const controller = open()
    const getPage = new Endpoint(async (): Promise<unknown> => ({}), { name: 'page', schema: { note: Note, more: 0 } })
    const query = watch(controller.watch(getPage))
    for (const n of [1, 1, 2])
      controller.setResponse(getPage, { note: { id: '1' }, more: ring(n) as never, also: shared() })
    const data = query.now.data as unknown as { more: Ring; also: Pair }
    expectRing(data.more, ring(2))
    expectShared(data.also)
  })

  test('is stored while it is optimistic', async () => {
    const controller = open()
    const failing = new Endpoint(async (): Promise<unknown> => Promise.reject(new Error('no')), {
      name: 'save',
      schema: Note,
      sideEffect: true,
      getOptimisticResponse: () => ({ id: '1', meta: ring(), other: shared() }),
    })
    const sent = controller.fetch(failing).catch(() => 'failed')
    expectRing(controller.get(Note, { id: '1' })?.meta, ring())
    expectShared(controller.get(Note, { id: '1' })?.other)
    expect(await sent).toBe('failed')
    expect(controller.get(Note, { id: '1' })).toBeUndefined()
  })

  test('is handled by normalize and denormalize', () => {
    const { entities, result } = normalize([Note], [{ id: '1', meta: ring(), other: shared() }])
    const again = normalize([Note], [{ id: '1', meta: ring(), other: shared() }], [], { entities })
    expect(again.entities.Note).toBe(entities.Note)
    const [note] = denormalize([Note], result, entities) ?? []
    expectRing(note?.meta, ring())
    expectShared(note?.other)
  })

  test('is sent by fixtures like any other', async () => {
    const controller = mockController({
      resolverFixtures: [
        { endpoint: getNote, args: [{ id: '1' }], response: { id: '1', meta: ring(), other: shared() } },
      ],
    })
    const note = await controller.fetch(getNote, { id: '1' })
    expectRing((note as Note).meta, ring())
    expectShared((note as Note).other)
  })

  test('is memoized in the result of a Query: the same again is the same object', () => {
    const controller = open()
    controller.set(Note, { id: '1' }, { id: '1', meta: 1, other: 1 })
    const family = new Query(Note, ({ meta }: Note) => {
      const made = { meta, children: [] as { parent: object }[], twins: shared(meta as number) }
      made.children.push({ parent: made }, { parent: made })
      return made
    })
    const shown = watch(controller.view(family, { id: '1' }))
    const before = shown.now
    expect(before?.children[1]?.parent).toBe(before)
    controller.set(Note, { id: '1' }, { other: 2 })
    expect(shown.now).toBe(before)
    controller.set(Note, { id: '1' }, { meta: 2 })
    expect(shown.now).not.toBe(before)
    expect(shown.now?.children[1]?.parent).toBe(shown.now)
    expectShared(shown.now?.twins, 2)
  })
})

describe.each([
  ['as they come', Person],
  ['through a process of their own', Processed],
])('entities that contain themselves, or that occur in many places, %s', (_, Kind) => {
  test('become one row each', () => {
    const controller = open()
    const ann: Record<string, unknown> = { id: 'a', name: 'Ann' }
    Object.assign(ann, { left: ann, right: ann, friends: [ann, ann] })
    controller.set(Kind, { id: 'a' }, ann)
    const shown = controller.get(Kind, { id: 'a' })
    expect(shown?.left).toBe(shown)
    expect(shown?.friends).toEqual([shown, shown])
    let made: object = { id: '0' }
    for (let level = 1; level <= 60; level++) made = { id: `${level}`, left: made, right: made, friends: [made, made] }
    controller.set(Kind, { id: '60' }, made)
    let at = controller.get(Kind, { id: '60' })
    for (; at?.left !== undefined; at = at.left) expect(at.friends).toEqual([at.right, at.left])
    expect(at?.id).toBe('0')
  })

  test('also where every place has two versions of it, of which the later counts', () => {
    const controller = open()
    let [one, two]: [object, object] = [
      { id: '0', name: 'one' },
      { id: '0', name: 'two' },
    ]
    for (let level = 1; level <= 60; level++) {
      const id = `${level}`
      ;[one, two] = [
        { id, name: 'one', left: one, right: two },
        { id, name: 'two', left: one, right: two },
      ]
    }
    controller.set(Kind, { id: 'top' }, { id: 'top', left: one, right: two })
    const top = controller.get(Kind, { id: 'top' })
    expect([top?.left?.name, top?.left?.left?.name]).toEqual(['two', 'two'])
  })
})

test('a value that comes again after another version of it wins', () => {
  const controller = open()
  const [one, two] = [
    { id: '1', name: 'one' },
    { id: '1', name: 'two' },
  ]
  controller.set(Person, { id: 'top' }, { id: 'top', friends: [one, two, one] })
  expect(controller.get(Person, { id: '1' })?.name).toBe('one')
})

test('arguments that hold one part 2^60 times have no key, and throw at once', async () => {
  const controller = open()
  await expect(controller.fetch(getAny, { id: shared() } as never)).rejects.toBeInstanceOf(KeyArgError)
  const twice = { a: 1 }
  expect(getAny.key({ id: [twice, twice] } as never)).toBe(getAny.key({ id: [{ a: 1 }, { a: 1 }] } as never))
  await settle()
})

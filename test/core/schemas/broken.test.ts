// biome-ignore-all lint/complexity/noThisInStatic: the class that was asked is meant, never the base class.
import { Collection, Entity, SchemaError, Values } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

/** The error that a class below throws while it creates an instance of a record with `isBad`. */
let thrown: unknown = new Error('no good')

const makeOf = <Instance>(entity: { readonly prototype: Instance }, fields: object): Instance =>
  Entity.fromJS.call(entity, fields) as Instance

class ByFactory extends Entity {
  static override key = 'ByFactory'
  static override fromJS<Instance>(this: { readonly prototype: Instance }, fields: object = {}): Instance {
    if ('isBad' in fields && fields.isBad === true) throw thrown
    return makeOf(this, fields)
  }
  id = ''
  isBad = false
}
class ByCreate extends Entity {
  static override key = 'ByCreate'
  static override createIfValid<Instance>(record: Readonly<Record<string, unknown>>): Instance {
    if (record.isBad === true) throw thrown
    return Object.assign(Object.create(ByCreate.prototype), record)
  }
  id = ''
  isBad = false
}
/** A constructor gets nothing: it can only throw for all. */
let isBroken = false
class ByConstructor extends Entity {
  static override key = 'ByConstructor'
  constructor() {
    super()
    if (isBroken) throw thrown
  }
  id = ''
  isBad = false
}

const classes = [
  ['fromJS', ByFactory],
  ['createIfValid', ByCreate],
  ['the constructor', ByConstructor],
] as const

describe.each(classes)('a class of which %s throws', (_, Kind) => {
  const bad = (value: boolean) => {
    isBroken = value
    return { id: '1', isBad: value }
  }
  class Holder extends Entity {
    static override key = 'Holder'
    static override schema = { one: Kind, many: [Kind], map: new Values(Kind), box: { in: Kind } }
    id = ''
    one: object | undefined = undefined
  }

  test.each([
    ['Error', new Error('no good')],
    ['null', null],
    ['text', 'no good'],
  ])('fails its readers with a SchemaError where it throws %s, and no others', async (_name, what) => {
    thrown = what
    const { load, reported, controller } = open()
    const fine = await load('fine', [Kind], [{ id: '2' }])
    const query = await load('bad', Kind, bad(true))
    expect(query.now).toMatchObject({ status: 'failed', error: { name: 'SchemaError', cause: what } })
    expect(query.now.error?.message).toContain(`${Kind.key} 1 cannot be shown`)
    expect(() => controller.get(Kind, { id: '1' })).toThrow(SchemaError)
    expect([fine.now.status, reported]).toEqual(['ready', []])
    bad(false)
  })

  test.each([
    ['an array', [Kind], (it: object) => [{ id: '2' }, it]],
    ['a Collection', new Collection([Kind]), (it: object) => [{ id: '2' }, it]],
    ['a Collection of Values', new Collection(new Values(Kind)), (it: object) => ({ a: it })],
    ['an object', { it: Kind }, (it: object) => ({ it })],
    ['Values', new Values(Kind), (it: object) => ({ a: it })],
    ['a field', Holder, (it: object) => ({ id: 'h', one: it })],
    ['an array in a field', Holder, (it: object) => ({ id: 'h', many: [it] })],
    ['a map in a field', Holder, (it: object) => ({ id: 'h', map: { a: it } })],
    ['an object in a field', Holder, (it: object) => ({ id: 'h', box: { in: it } })],
  ])('also through %s; when it no longer throws, they show it', async (_name, schema, around) => {
    thrown = new Error('no good')
    const { load, controller, reported, clock } = open()
    const query = await load('bad', schema as unknown as typeof Kind, around(bad(true)))
    expect(query.now).toMatchObject({ status: 'failed', error: { name: 'SchemaError', cause: thrown } })
    const one = watch(controller.view(Kind, { id: '1' }))
    expect(one.now).toBeUndefined()
    bad(false)
    // The constructor threw for the other one, too: a row is tried again when it changes.
    for (const id of ['1', '2']) controller.set(Kind, { id }, { isBad: false, note: 'changed' } as never)
    await settle()
    expect(query.now.status).toBe('ready')
    expect(one.now).toMatchObject({ id: '1', isBad: false })
    bad(true)
    controller.set(Kind, { id: '1' }, { isBad: true, note: 'again' } as never)
    await clock.advance(1)
    expect(query.now).toMatchObject({ status: 'failed', error: { name: 'SchemaError' } })
    bad(false)
    expect(reported.every((error) => error instanceof SchemaError)).toBe(true)
  })

  test('rejects the caller with that error, and the response of a mutation likewise', async () => {
    thrown = null
    const { fetchRead, mutate, server } = open()
    const requested = fetchRead('read', Kind, {}).catch((error: unknown) => error)
    await server.one('read').answer(bad(true))
    expect(await requested).toMatchObject({ name: 'SchemaError', cause: null })
    const sent = mutate('write', Kind).catch((error: unknown) => error)
    await server.one('write').answer(bad(true))
    expect(await sent).toMatchObject({ name: 'SchemaError', cause: null })
    bad(false)
  })
})

test('rows in a ring fail and recover together', async () => {
  thrown = new Error('no good')
  class Friend extends ByFactory {
    static override key = 'Friend'
    friend: Friend | undefined = undefined
  }
  Friend.schema = { friend: Friend }
  const { controller, load } = open()
  const query = await load('ring', Friend, { id: '1', friend: { id: '2', isBad: true, friend: '1' } })
  expect(query.now).toMatchObject({ status: 'failed', error: { cause: thrown } })
  controller.set(Friend, { id: '2' }, { isBad: false })
  expect(query.now.data?.friend?.friend).toBe(query.now.data)
  controller.set(Friend, { id: '1' }, { isBad: true })
  expect(query.now.status).toBe('failed')
  controller.set(Friend, { id: '1' }, { isBad: false })
  expect(query.now.data?.friend?.friend).toBe(query.now.data)
})

test('a deserializer that throws on data which another class of the key stored fails its reader alone', async () => {
  class Plain extends Entity {
    static override key = 'Day'
    id = ''
    at: unknown = undefined
  }
  class Dated extends Plain {
    static override schema = { at: (iso: string) => new Date(iso.slice(0, 10)) }
  }
  const { load, controller } = open()
  const plain = await load('plain', Plain, { id: '1', at: 5 })
  const dated = watch(controller.view(Dated, { id: '1' }))
  expect([plain.now.status, dated.now]).toEqual(['ready', undefined])
  controller.set(Plain, { id: '1' }, { at: '2026-01-01' })
  expect(dated.now?.at).toEqual(new Date('2026-01-01'))
})

import { Collection, denormalize, Entity, Lazy, normalize, Query, type Schema, Union, Values } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Team extends Entity {
  static override key = 'Team'
  id = ''
  name = ''
}
class User extends Entity {
  static override key = 'User'
  static override schema = { team: Team, born: Date }
  id = ''
  type = 'user'
  name = ''
  team: Team | undefined = undefined
  born: Date | undefined = undefined
  get label() {
    return `@${this.name}`
  }
}
class Article extends Entity {
  static override key = 'Article'
  id = ''
  title = ''
  editor: unknown = undefined
}
class Rich extends Article {
  static override schema = {
    editor: User,
    readers: [User],
    byName: new Values(User),
    actor: new Union({ user: User }, 'type'),
    box: { user: User },
    list: new Collection([User]),
    map: new Collection(new Values(User)),
    lazy: new Lazy(User),
  }
  override editor: User | undefined = undefined
  readers: readonly User[] = []
  byName: Readonly<Record<string, User>> = {}
  actor: User | undefined = undefined
  box: { readonly user?: User } = {}
  list: readonly User[] = []
  map: Readonly<Record<string, User>> = {}
  lazy: unknown = undefined
}

const ann = { id: '23', type: 'user', name: 'Ann' }

describe('a record that another class of the key stored in place of a relation', () => {
  test('is shown as the row that it names, in whatever way the relation holds it', async () => {
    const { load, controller } = open()
    const data = {
      id: '1',
      editor: ann,
      readers: [ann, '7', null],
      byName: { a: ann },
      actor: ann,
      box: { user: ann },
      list: [ann],
      map: { a: ann },
      lazy: ann,
    }
    await load('plain', Article, data)
    const rich = controller.get(Rich, { id: '1' })
    const places = [
      rich?.editor,
      rich?.readers[0],
      rich?.byName.a,
      rich?.actor,
      rich?.box.user,
      rich?.list[0],
      rich?.map.a,
    ]
    for (const user of places) {
      expect(user).toBeInstanceOf(User)
      expect(user?.label).toBe('@Ann')
      expect(Object.isFrozen(user)).toBe(true)
    }
    expect(rich?.readers).toHaveLength(2)
    // It is a row from then on: relations belong to the key.
    for (const user of places) expect(user).toBe(controller.get(User, { id: '23' }))
    expect(controller.get(Article, { id: '1' })?.editor).toBe('23')
  })

  test('keeps its instance while nothing in it changes, shows its own relations, and follows them', async () => {
    const { load, controller } = open()
    controller.set(Team, { id: 't' }, { name: 'red' })
    await load('plain', Article, { id: '1', title: 'a', editor: { ...ann, team: 't', born: '2000-01-01' } })
    const shown = watch(controller.view(Rich, { id: '1' }))
    const before = shown.now?.editor
    expect([before?.team?.name, before?.born?.getFullYear()]).toEqual(['red', 2000])
    controller.set(Article, { id: '1' }, { title: 'b' })
    expect(shown.now?.title).toBe('b')
    expect(shown.now?.editor).toBe(before)
    controller.set(Team, { id: 't' }, { name: 'blue' })
    expect(shown.now?.editor?.team?.name).toBe('blue')
    controller.set(Article, { id: '1' }, { editor: { ...ann, name: 'Bea' } })
    expect(shown.now?.editor?.label).toBe('@Bea')
  })

  test('is replaced by a row once a response of the other class contains one', async () => {
    const { load, controller } = open()
    await load('plain', Article, { id: '1', editor: ann })
    const shown = watch(controller.view(Rich, { id: '1' }))
    expect(shown.now?.editor?.name).toBe('Ann')
    await load('rich', Rich, { id: '1', editor: { ...ann, name: 'Bea' } })
    expect(shown.now?.editor).toBe(controller.get(User, { id: '23' }))
    expect(shown.now?.editor?.name).toBe('Bea')
  })

  test('may hold others, 5,000 levels deep, in rings and many times', async () => {
    class Node extends Entity {
      static override key = 'Node'
      id = ''
      next: unknown = undefined
    }
    class Linked extends Node {
      static override schema: { readonly [field: string]: Schema } = {}
      override next: Linked | undefined = undefined
      other: Linked | undefined = undefined
    }
    Linked.schema = { next: Linked, other: Linked }
    const { controller } = open()
    let deep: object = { id: '0' }
    for (let level = 1; level <= 5_000; level++) deep = { id: `${level}`, next: deep, other: deep }
    controller.set(Node, { id: 'deep' }, { next: deep })
    let depth = 0
    for (let at = controller.get(Linked, { id: 'deep' })?.next; at !== undefined; at = at.next) depth++
    expect(depth).toBe(5_001)
    const ring: Record<string, unknown> = { id: 'r' }
    ring.next = ring
    ring.other = { id: 's', next: ring }
    controller.set(Node, { id: 'ring' }, { next: ring })
    const shown = controller.get(Linked, { id: 'ring' })?.next
    expect(shown?.next).toBe(shown)
    expect(shown?.other?.next).toBe(shown)
  })

  test('is also shown by optimistic readers and where arguments count', async () => {
    const { load, controller, writer, server } = open()
    await load('plain', Article, { id: '1', editor: ann })
    let seen: unknown
    const save = writer('save', Rich).extend({
      getOptimisticResponse(snapshot) {
        seen = snapshot.get(Rich, { id: '1' })?.editor?.label
        return { id: '1', title: 'soon' }
      },
    })
    const sent = controller.fetch(save, {})
    expect(seen).toBe('@Ann')
    await server.one('save').answer({ id: '1', title: 'now' })
    await sent
    const named = new Query(Rich, ({ editor }, { sign }: { sign: string }) => `${sign}${editor?.label}`)
    expect(controller.get(named, { id: '1', sign: '!' })).toBe('!@Ann')
  })
})

test('denormalize shows rows, and results, that hold whole records', () => {
  const [article] = denormalize([Rich], ['1'], { Article: { 1: { id: '1', editor: ann, readers: [ann] } } }) ?? []
  expect(article?.editor).toBeInstanceOf(User)
  expect(article?.readers[0]?.label).toBe('@Ann')
  expect(denormalize([User], [ann], {})?.[0]).toBeInstanceOf(User)
  const { result, entities } = normalize(Rich, { id: '1', editor: ann })
  const again = denormalize(Rich, result, entities)
  expect(again?.editor?.label).toBe('@Ann')
})

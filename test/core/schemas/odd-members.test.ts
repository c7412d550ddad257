import { Collection, Endpoint, Entity, normalize, resource, type Schema, schema, Union, Values } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../engine/clock.js'
import { ending, watch } from '../engine/todo-board.js'
import { open } from './open.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  type = 'user'
}
class Group extends Entity {
  static override key = 'Group'
  id = ''
  type = 'group'
}
const Actor = new Union({ user: User, group: Group }, 'type')
const ann = { id: '1', type: 'user' }
const team = { id: '1', type: 'group' }
const bot = { id: '7', type: 'bot', deep: { n: 1 } }

// The Union's warning about unknown kinds is tested elsewhere.
vi.spyOn(console, 'warn').mockImplementation(() => {})

const kindsOf = (list: readonly unknown[] | undefined) =>
  list?.map((item) => (item === null ? null : (item as object).constructor.name))

describe('one odd member leaves a list readable', () => {
  test.each([
    ['[Entity]', [User], [ann, null], ['User', null]],
    ['Collection of an Entity', new Collection([User]), [ann, null, null], ['User', null, null]],
    ['Collection of schema.Array', new Collection(new schema.Array(User)), [null, ann], [null, 'User']],
    ['[Union]', [Actor], [ann, null, bot], ['User', null, 'Object']],
    ['Collection of a Union', new Collection([Actor]), [ann, null, bot, team], ['User', null, 'Object', 'Group']],
    ['nothing but such', new Collection([Actor]), [null, bot], [null, 'Object']],
    ['text and numbers in a Union', new Collection([Actor]), ['text', ann, 5], ['String', 'User', 'Number']],
  ])('%s', async (_, list, data, expected) => {
    const { load } = open()
    const shown = await load('list', list, data)
    expect(shown.now.status).toBe('ready')
    expect(kindsOf(shown.now.data as readonly unknown[])).toEqual(expected)
  })

  test.each<[what: string, list: Schema]>([
    ['[Entity]', [User]],
    ['schema.Array', new schema.Array(User)],
    ['Collection of an Entity', new Collection([User])],
    ['[Union]', [Actor]],
    ['Collection of a Union', new Collection([Actor])],
  ])('%s: false, an empty text and undefined are nobody, also below an object', async (_, list) => {
    const { load, controller } = open()
    const data = [false, ann, '', undefined, { ...ann, id: '2' }]
    const shown = await load('list', list, data)
    expect(shown.now.status).toBe('ready')
    expect(shown.now.data).toMatchObject([{ id: '1' }, { id: '2' }])
    const within = new Endpoint(async (): Promise<unknown> => 1, { name: 'within', schema: { users: list } })
    controller.setResponse(within, { users: data } as never)
    expect(controller.getResponse(within).data).toMatchObject({ users: [{ id: '1' }, { id: '2' }] })
  })

  test('a map leaves them out too', async () => {
    const { load } = open()
    for (const [at, map] of [new Values(User), new Collection(new Values(User)), new Values(Actor)].entries()) {
      const shown = await load(`map ${at}`, map as Schema, { a: ann, b: false, c: '', d: undefined })
      expect(Object.keys((shown.now.data ?? {}) as object)).toEqual(['a'])
    }
  })

  test('in place of the whole they are no data', async () => {
    const { load } = open()
    expect((await load('one', User, false)).now.status).toBe('failed')
    expect((await load('list', [User], false)).now.status).toBe('failed')
  })

  test('a member of an unknown kind stays as it came, also where it looks like a reference', async () => {
    const { load } = open()
    const trap = { id: '1', schema: 'user', type: 'bot' }
    const shown = await load('list', new Collection([Actor]), [ann, bot, trap])
    expect(shown.now.data?.slice(1)).toEqual([bot, trap])
  })

  test('in a map too, where null vanishes as in any Values', async () => {
    const { load } = open()
    const shown = await load('map', new Collection(new Values(Actor)), { a: ann, b: null, c: bot })
    expect(Object.keys(shown.now.data ?? {})).toEqual(['a', 'c'])
    expect(shown.now.data?.c).toEqual(bot)
  })

  test('assign gives its caller the data it shows, a member of an unknown kind as it came', async () => {
    const { load, run } = open()
    const map = new Collection(new Values(Actor))
    const shown = await load('map', map, { a: ann })
    const given = await run('assign', map.assign, { b: bot, c: null, d: team })
    expect(given).toEqual({ b: bot, d: shown.now.data?.d })
    expect(Object.keys(shown.now.data ?? {})).toEqual(['a', 'b', 'd'])
  })

  test('an equal response keeps every reference and notifies nobody', async () => {
    const { load, fetchRead, server } = open()
    const list = new Collection([Actor])
    const shown = await load('list', list, [ann, null, bot])
    const before = shown.now.data
    const { notified } = shown
    void fetchRead('list', list, {})
    await server.one('list', -1).answer([{ ...ann }, null, structuredClone(bot)])
    expect(shown.now.data).toBe(before)
    expect(shown.notified).toBe(notified)
  })

  test('in pages, each where it stood; a page that comes again brings its own', async () => {
    const { load, fetchRead, server } = open()
    const list = new Collection([Actor])
    const shown = await load('list', list, [null, ann])
    const page = list.paginated(({ page: _, ...rest }: Readonly<Record<string, unknown>>) => [rest])
    void fetchRead('page', page, { page: 2 })
    await server.one('page').answer([null, bot])
    expect(kindsOf(shown.now.data)).toEqual([null, 'User', null, 'Object'])
    void fetchRead('page', page, { page: 2 })
    await server.one('page', 1).answer([team, null])
    expect(kindsOf(shown.now.data)).toEqual([null, 'User', 'Group', null])
  })

  test('a push of an unknown kind puts it into the lists that it matches, and resolves with it', async () => {
    const { load, run } = open()
    const list = new Collection([Actor])
    const all = await load('all', list, [ann])
    const bots = await load('bots', list, [], { type: 'bot' })
    const users = await load('users', list, [ann], { type: 'user' })
    expect(await run('push', list.push, bot, {})).toEqual(bot)
    expect([all, bots, users].map(({ now }) => now.data?.length)).toEqual([2, 1, 1])
    expect(await run('several', list.push, [team, null, bot], {})).toMatchObject([team, bot])
    expect(kindsOf(all.now.data)).toEqual(['User', 'Object', 'Group', 'Object'])
  })

  test('other members come, go and change beside it', async () => {
    const { load, run, controller } = open()
    const list = new Collection([Actor])
    const shown = await load('list', list, [null, ann, bot])
    await run('push', list.push, team, {})
    await run('remove', list.remove, ann, {})
    controller.set(Group, { id: '1' }, { type: 'group' })
    expect(kindsOf(shown.now.data)).toEqual([null, 'Object', 'Group'])
    await run('move', list.move, bot, {})
    expect(kindsOf(shown.now.data)).toEqual([null, 'Object', 'Group'])
  })

  test('normalize returns them as they came', () => {
    const list = new Collection([Actor])
    const { entities, result } = normalize(list, [ann, null, bot])
    expect(entities[list.key]?.[result as string]).toEqual([{ id: '1', schema: 'user' }, null, bot])
  })
})

describe('a deletion by a resource of a Union', () => {
  const opened = async () => {
    const board = open()
    const responses: unknown[] = [[ann, bot]]
    const Actors = resource({ path: '/actors/:id', schema: Actor })
    const fetch = async (): Promise<never> => responses.shift() as never
    const list = watch(board.controller.watch(Actors.getList.extend({ fetch })))
    await settle()
    const remove = async (id: string, response: unknown) => {
      responses.push(response)
      const end = ending(board.controller.fetch(Actors.delete.extend({ fetch }), { id }))
      await settle()
      expect(end.isOver).toBe(true)
      return end
    }
    return { ...board, list, remove }
  }

  test.each([
    ['the member, of a kind unknown to the Union', bot, bot],
    ['an array of such', [bot], [bot]],
    ['nothing', null, undefined],
    ['its key', { id: '7' }, undefined],
  ])('answered by %s resolves', async (_, response, value) => {
    const { remove } = await opened()
    const end = await remove('7', response)
    expect(end.error).toBeUndefined()
    expect(end.value).toEqual(value)
  })

  test('does not confuse it with a known row of the same key', async () => {
    const { remove, list } = await opened()
    await remove('1', { id: '1', type: 'bot' })
    expect(kindsOf(list.now.data as readonly unknown[])).toEqual(['User', 'Object'])
    await remove('1', ann)
    expect(kindsOf(list.now.data as readonly unknown[])).toEqual(['Object'])
  })
})

import { Collection, Entity, Invalidate, Union, unshift, Values } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Post extends Entity {
  static override key = 'Post'
  id = ''
  authorId = ''
}
const own = new Collection([Post])
const shared = new Collection([Post], {
  argsKey: ({ authorId }: { readonly authorId?: string } = {}) => ({ authorId }),
  nestKey: (author: { readonly id: string }) => ({ authorId: author.id }),
})
class Author extends Entity {
  static override key = 'Author'
  static override schema = { drafts: own, posts: shared }
  id = ''
  drafts: readonly Post[] = []
  posts: readonly Post[] = []
}
const post = (id: string, authorId: string) => ({ id, authorId })
const ids = (list: readonly { readonly id: string }[] | undefined) => list?.map(({ id }) => id).join('')

describe('a list in an entity', () => {
  const authors = [
    { id: 'a', drafts: [post('1', 'a')], posts: [post('2', 'a')] },
    { id: 'b', drafts: [post('3', 'b')], posts: [] },
  ]

  test('without nestKey is its parent’s own, whatever the arguments; no push reaches it', async () => {
    const { controller, load, run } = open()
    const list = await load('list', [Author], authors, { q: 1 })
    await load('same', [Author], authors, { q: 2 })
    expect(list.now.data?.map(({ drafts }) => ids(drafts))).toEqual(['1', '3'])
    await run('push', own.push, post('9', 'a'), {})
    expect(list.now.data?.map(({ drafts }) => ids(drafts))).toEqual(['1', '3'])
    expect(controller.get(own, {})).toBeUndefined()
    await run('refetch', Author, { id: 'a', drafts: [post('1', 'a'), post('5', 'a')] })
    expect(list.now.data?.map(({ drafts }) => ids(drafts))).toEqual(['15', '3'])
  })

  test('with nestKey is the list of those arguments, wherever it is nested', async () => {
    const { controller, load, run } = open()
    const list = await load('list', [Author], authors)
    expect(controller.get(shared, { authorId: 'a' })).toBe(list.now.data?.[0]?.posts)
    await run('push', shared.push, post('9', 'b'), { authorId: 'b' })
    expect(list.now.data?.map(({ posts }) => ids(posts))).toEqual(['2', '9'])
    await run('move', shared.move, post('2', 'b'), {})
    expect(list.now.data?.map(({ posts }) => ids(posts))).toEqual(['', '92'])
    await run('delete', new Invalidate(Post), '9')
    expect(list.now.data?.map(({ posts }) => ids(posts))).toEqual(['', '2'])
  })

  test('optimistically too, and back again', async () => {
    const { controller, load, server, writer } = open()
    const list = await load('list', [Author], authors)
    const push = writer('push', shared.push).extend({ getOptimisticResponse: (_, ...[, body]) => body })
    const sent = controller.fetch(push, { authorId: 'b' }, post('9', 'b')).catch(() => 'failed')
    expect(list.now.data?.map(({ posts }) => ids(posts))).toEqual(['2', '9'])
    await server.one('push').fail()
    expect(await sent).toBe('failed')
    expect(list.now.data?.map(({ posts }) => ids(posts))).toEqual(['2', ''])
  })
})

describe('unions and Values', () => {
  class Photo extends Entity {
    static override key = 'Photo'
    id = ''
    authorId = ''
  }
  const kind = (value: { readonly photo?: boolean }) => (value.photo ? ('photo' as const) : ('post' as const))
  const feed = new Collection([new Union({ post: Post, photo: Photo }, kind)])

  test('a member is identified by kind and key, through push, remove and move', async () => {
    const { load, run } = open()
    const a = await load('a', feed, [post('1', 'a')], { authorId: 'a' })
    const b = await load('b', feed, [], { authorId: 'b' })
    await run('push', feed.push, { ...post('1', 'a'), photo: true }, {})
    expect(a.now.data?.map((one) => one.constructor)).toEqual([Post, Photo])
    await run('push', feed.push, post('1', 'a'), {})
    expect(a.now.data).toHaveLength(2)
    await run('move', feed.move, { ...post('1', 'b'), photo: true }, {})
    expect([a.now.data?.map((one) => one.constructor), b.now.data?.map((one) => one.constructor)]).toEqual([
      [Post],
      [Photo],
    ])
    await run('remove', feed.remove, post('1', 'a'), {})
    expect([a.now.data?.length, b.now.data?.length]).toEqual([0, 1])
  })

  test('a map: assign, push by key, remove by identity, move', async () => {
    const map = new Collection(new Values(Post))
    const { load, run } = open()
    const a = await load('a', map, { x: post('1', 'a') }, { authorId: 'a' })
    const b = await load('b', map, {}, { authorId: 'b' })
    await run('assign', map.assign, { y: post('2', 'a'), z: post('3', 'b') }, {})
    const shown = () =>
      [a, b].map(({ now }) =>
        Object.entries(now.data ?? {})
          .map(([key, { id }]) => key + id)
          .join(),
      )
    expect(shown()).toEqual(['x1,y2', 'z3'])
    await run('push', map.push, post('4', 'b'), {})
    await run('remove', map.remove, '2', { authorId: 'a' })
    await run('move', map.move, post('1', 'b'), {})
    expect(shown().map((text) => text.split(',').sort().join())).toEqual(['', '11,44,z3'])
  })

  test('addWith and moveWith decide the places of members', async () => {
    const { load, run } = open()
    const list = new Collection([Post])
    const a = await load('a', list, [post('1', 'a')], { authorId: 'a' })
    const b = await load('b', list, [post('2', 'b')], { authorId: 'b' })
    const second = list.addWith((existing, incoming) => [...existing.slice(0, 1), ...incoming, ...existing.slice(1)])
    await run('add', second, [post('3', 'a'), post('4', 'a')], {})
    expect(ids(a.now.data)).toBe('134')
    await run('move', list.moveWith(unshift), post('3', 'b'), {})
    expect([ids(a.now.data), ids(b.now.data)]).toEqual(['14', '32'])
    const everywhere = list.addWith(unshift, () => () => true)
    await run('all', everywhere, post('9', 'c'), {})
    expect([ids(a.now.data), ids(b.now.data)]).toEqual(['914', '932'])
  })
})

test('R20: a move while both lists are being refetched ends in exactly one list, whatever the order', async () => {
  const list = new Collection([Post])
  const orders = [
    ['a', 'b', 'move'],
    ['a', 'move', 'b'],
    ['move', 'a', 'b'],
    ['b', 'a', 'move'],
    ['b', 'move', 'a'],
    ['move', 'b', 'a'],
  ] as const
  for (const order of orders) {
    for (const applied of [0, 1, 2]) {
      const board = open()
      const a = await board.load('a', list, [post('1', 'a')], { authorId: 'a' })
      const b = await board.load('b', list, [], { authorId: 'b' })
      let at = 'a'
      const responses: Record<string, () => Promise<void>> = {}
      const send = (name: 'a' | 'b') => {
        void board.fetchRead(name, list, { authorId: name })
        const request = board.server.one(name, -1)
        return () => request.answer(at === name ? [post('1', name)] : [])
      }
      const freeze = (name: 'a' | 'b') => {
        const request = board.server.one(name, -1)
        const data = at === name ? [post('1', name)] : []
        responses[name] = () => request.answer(data)
      }
      send('a')
      send('b')
      const moved = board.mutate('move', list.move, {}, {})
      // The server applies the move before, between or after the reads.
      if (applied > 0) freeze('a')
      if (applied > 1) freeze('b')
      at = 'b'
      if (applied < 1) freeze('a')
      if (applied < 2) freeze('b')
      responses.move = () => board.server.one('move').answer(post('1', 'b'))
      for (const name of order) await responses[name]?.()
      await moved
      await settle()
      // Refetches that followed get the server's state.
      for (const request of board.server.requests.filter(({ name, args }) => name !== 'move' && args.length > 0)) {
        const { authorId } = request.args[0] as { readonly authorId: string }
        await request.answer(at === authorId ? [post('1', authorId)] : [])
      }
      expect([order, applied, ids(a.now.data), ids(b.now.data)]).toEqual([order, applied, '', '1'])
    }
  }
})

test('two observers of a list in an entity and of its parent are notified once each', async () => {
  const { controller, load } = open()
  const one = await load('one', Author, { id: 'a', drafts: [], posts: [post('1', 'a')] })
  const list = watch(controller.view(shared, { authorId: 'a' }))
  const notified = [one.notified, list.notified]
  controller.set(Post, { id: '1' }, { authorId: 'x' })
  expect([one.notified, list.notified]).toEqual(notified.map((times) => times + 1))
})

import { All, Collection, Endpoint, Entity, Query, resource, type Snapshot, Union } from '@roundtable/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard } from './todo-board.js'

type Id = { readonly id: string }
type RowRecord = Readonly<Record<string, unknown>>

describe('a class’s own merge that throws while a layer is replayed', () => {
  const state = { isBroken: false }
  class Fussy extends Entity {
    static override key = 'Fussy'
    id = ''
    title = ''
    votes = 0
    static override merge(existing: RowRecord, incoming: RowRecord): RowRecord {
      if (state.isBroken && 'votes' in incoming) throw new Error('merge')
      return { ...existing, ...incoming }
    }
  }
  afterEach(() => {
    state.isBroken = false
  })

  const open = () => {
    const board = openBoard()
    const vote = new Endpoint(board.server.on<[Id], unknown>('vote'), {
      name: 'vote',
      schema: Fussy,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, { id }: Id) => ({ id, votes: 5 }),
    })
    return { ...board, vote }
  }

  test('is reported; the write that replayed it holds, and the layer skips the row', async () => {
    const { controller, vote, server, reported } = open()
    controller.set(Fussy, { id: '1' }, { title: 'old' })
    const end = ending(controller.fetch(vote, { id: '1' }))
    expect(controller.get(Fussy, { id: '1' })).toMatchObject({ title: 'old', votes: 5 })
    state.isBroken = true
    controller.set(Fussy, { id: '1' }, { title: 'new' })
    expect(controller.get(Fussy, { id: '1' })).toMatchObject({ title: 'new', votes: 0 })
    expect(reported).toMatchObject([{ name: 'CallbackError', callback: 'merge' }])
    state.isBroken = false
    controller.set(Fussy, { id: '1' }, { title: 'newer' })
    expect(controller.get(Fussy, { id: '1' })).toMatchObject({ title: 'newer', votes: 5 })
    await server.one('vote').answer({ id: '1', votes: 6 })
    expect(end.value).toMatchObject({ title: 'newer', votes: 6 })
  })

  test('at first: nothing is sent, and the mutation rejects', async () => {
    const { controller, vote, server, reported } = open()
    controller.set(Fussy, { id: '1' }, { title: 'old' })
    state.isBroken = true
    const end = ending(controller.fetch(vote, { id: '1' }))
    await settle()
    expect(end.error).toMatchObject({ name: 'CallbackError', callback: 'merge' })
    expect(server.requests).toHaveLength(0)
    expect(reported).toHaveLength(0)
    expect(controller.get(Fussy, { id: '1' })).toMatchObject({ title: 'old', votes: 0 })
  })
})

describe('a layer that looked up missing rows is replayed when one arrives', () => {
  class Tag extends Entity {
    static override key = 'Tag'
    static override indexes = ['slug'] as const
    id = ''
    slug = ''
    count = 0
  }
  const first = new Query(new All(Tag), (tags) => tags[0])

  const open = (getOptimisticResponse: (snapshot: Snapshot) => unknown) => {
    const board = openBoard()
    const count = new Endpoint(board.server.on<[], unknown>('count'), {
      name: 'count',
      schema: Tag,
      sideEffect: true,
      getOptimisticResponse,
    })
    return { ...board, count }
  }

  test.each<[string, Parameters<typeof open>[0]]>([
    [
      'by an index',
      (snapshot) => {
        const tag = snapshot.get(Tag, { slug: 'a' })
        if (tag === undefined) throw snapshot.abort
        return { id: tag.id, count: 9 }
      },
    ],
    [
      'by All',
      (snapshot) => {
        const tag = snapshot.get(new All(Tag))?.find(({ slug }) => slug === 'a')
        if (tag === undefined) throw snapshot.abort
        return { id: tag.id, count: 9 }
      },
    ],
    [
      'by a Query over All',
      (snapshot) => {
        const tag = snapshot.get(first)
        if (tag?.slug !== 'a') throw snapshot.abort
        return { id: tag.id, count: 9 }
      },
    ],
  ])('%s', (_, respond) => {
    const { controller, count } = open(respond)
    ending(controller.fetch(count))
    expect(controller.get(new All(Tag)) ?? []).toEqual([])
    controller.set(Tag, { id: '1' }, { slug: 'a' })
    expect(controller.get(Tag, { id: '1' })).toMatchObject({ count: 9 })
    controller.set(Tag, { id: '1' }, { slug: 'b' })
    expect(controller.get(Tag, { id: '1' })).toMatchObject({ slug: 'b', count: 0 })
    controller.set(Tag, { id: '1' }, { slug: 'a' })
    expect(controller.get(Tag, { id: '1' })).toMatchObject({ slug: 'a', count: 9 })
  })

  test('by an index, where another layer adds the row', async () => {
    const { controller, count, server } = open((snapshot) => {
      const tag = snapshot.get(Tag, { slug: 'a' })
      if (tag === undefined) throw snapshot.abort
      return { id: tag.id, count: tag.count + 1 }
    })
    const rename = new Endpoint(server.on<[Id], unknown>('rename'), {
      name: 'rename',
      schema: Tag,
      sideEffect: true,
      getOptimisticResponse: (_, { id }: Id) => ({ id, slug: 'a' }),
    })
    controller.set(Tag, { id: '1' }, { slug: 'b' })
    ending(controller.fetch(rename, { id: '1' }))
    ending(controller.fetch(count))
    expect(controller.get(Tag, { id: '1' })).toMatchObject({ slug: 'a', count: 1 })
    await server.one('rename').fail()
    expect(controller.get(Tag, { id: '1' })).toMatchObject({ slug: 'b', count: 0 })
    controller.set(Tag, { id: '2' }, { slug: 'a', count: 4 })
    expect(controller.get(Tag, { id: '2' })).toMatchObject({ count: 5 })
  })
})

describe('an optimistic change of a row that its arguments do not name by its key', () => {
  class User extends Entity {
    static override key = 'User'
    id = ''
    name = ''
  }
  class Post extends Entity {
    static override key = 'Post'
    static override indexes = ['slug'] as const
    static override schema = { author: User }
    id = ''
    slug = ''
    kind = 'post'
    v = 0
    w = 0
    author: User | undefined = undefined
  }
  class Link extends Post {
    static override key = 'Link'
  }
  const Any = new Union({ post: Post, link: Link }, 'kind')
  const ByFunction = new Union({ post: Post, link: Link }, (value: { kind: 'post' | 'link' }) => value.kind)
  class Composite extends Post {
    static override key = 'Composite'
    static override indexes = ['slug'] as const
    override pk(): string {
      return `${this.kind}-${this.id}`
    }
  }
  const urlPrefix = 'https://api.test'
  const stored = { id: '1', slug: 'a', kind: 'post', v: 0, w: 0, author: { id: 'u', name: 'Ada' } }

  afterEach(() => vi.unstubAllGlobals())

  /** Requests that are answered by hand, in any order. */
  const responses = () => {
    const open: ((response: Response) => void)[] = []
    const bodies: unknown[] = []
    vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
      bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : init.body)
      return new Promise<Response>((resolve) => open.push(resolve))
    })
    return { open, bodies }
  }
  const empty = () => new Response(null, { status: 204 })

  const cases = {
    'a Union by its key': [resource({ urlPrefix, path: '/p/:id', schema: Any, optimistic: true }), { id: '1' }],
    'a Union by a function': [
      resource({ urlPrefix, path: '/p/:id', schema: ByFunction, optimistic: true }),
      { id: '1' },
    ],
    'a Union by a slug': [resource({ urlPrefix, path: '/p/:slug', schema: Any, optimistic: true }), { slug: 'a' }],
    'a row by a slug': [resource({ urlPrefix, path: '/p/:slug', schema: Post, optimistic: true }), { slug: 'a' }],
    'a row with a key of two fields': [
      resource({ urlPrefix, path: '/p/:slug', schema: Composite, optimistic: true }),
      { slug: 'a' },
    ],
  } as const

  test.each(Object.entries(cases))(
    '%s: two overlap, and the server state of the earlier one is visible',
    async (_, [given, params]) => {
      const { controller } = openBoard()
      const { open } = responses()
      // The cases name a row in different ways, which have different types.
      const R = given as never as ReturnType<typeof resource<{ path: '/p/:slug'; schema: typeof Post }>>
      const named = params as { slug: string }
      controller.setResponse(R.get, named, stored)
      const see = () => controller.get(R.get.schema, named as never) as unknown as Post
      const earlier = ending(controller.fetch(R.partialUpdate, named, { w: 9 } as never))
      const later = ending(controller.fetch(R.partialUpdate, named, { v: 2 } as never))
      await settle()
      expect(see()).toMatchObject({ w: 9, v: 2 })
      open[1]?.(empty())
      await settle()
      open[0]?.(Response.json({ ...stored, w: 9, v: 0, author: { id: 'u', name: 'Eve' } }))
      await settle()
      expect([earlier.error, later.error]).toEqual([undefined, undefined])
      expect(see()).toMatchObject({ w: 9, v: 2, author: { name: 'Eve' } })
    },
  )

  test('an update by a slug shows what it sends; for an unknown row it shows nothing, and is sent', async () => {
    const { controller } = openBoard()
    const { open, bodies } = responses()
    const R = resource({ urlPrefix, path: '/p/:slug', schema: Post, optimistic: true })
    const unknown = ending(controller.fetch(R.update, { slug: 'z' }, { v: 1 }))
    await settle()
    expect(bodies).toEqual([{ v: 1 }])
    open[0]?.(Response.json({ ...stored, id: '26', slug: 'z', v: 1 }))
    await settle()
    expect(unknown.value).toMatchObject({ id: '26', v: 1 })
    ending(controller.fetch(R.update, { slug: 'z' }, { v: 2 }))
    expect(controller.get(Post, { id: '26' })).toMatchObject({ v: 2, slug: 'z' })
    expect(new Collection([Post]).key).toBe('[Post]')
  })

  test('a deletion by a slug is shown at once, and sent', async () => {
    const { controller } = openBoard()
    const { open, bodies } = responses()
    const R = resource({ urlPrefix, path: '/p/:slug', schema: Post, optimistic: true })
    controller.setResponse(R.get, { slug: 'a' }, stored)
    const end = ending(controller.fetch(R.delete, { slug: 'a' }))
    await settle()
    expect(bodies).toHaveLength(1)
    expect(controller.get(Post, { id: '1' })).toBeUndefined()
    open[0]?.(Response.json(stored))
    await settle()
    expect(end.error).toBeUndefined()
    expect(controller.get(Post, { id: '1' })).toBeUndefined()
  })
})

import { Collection, Controller, Entity, Query, resource, validateRequired } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../engine/clock.js'
import { fakeTransport } from '../engine/fake-transport.js'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Author extends Entity {
  static override key = 'Author'
  id = ''
  name = ''
}

class Summary extends Entity {
  static override key = 'Article'
  id = ''
  title = ''
  get label() {
    return `short ${this.title}`
  }
}

class Full extends Summary {
  static override schema = { author: Author }
  static override validate(processed: Readonly<Record<string, unknown>>) {
    return validateRequired(processed, { id: '', title: '', text: '' })
  }
  text = ''
  author: Author | undefined = undefined
}

const short = { id: '1', title: 'a' }
const whole = { id: '1', title: 'a', text: 'long', author: { id: 'x', name: 'Ann' } }

describe('a summary and a full class of one kind', () => {
  test('share rows, and each endpoint shows instances of its own class, whichever was read first', async () => {
    for (const fullFirst of [true, false]) {
      const { load } = open()
      const one = fullFirst ? await load('one', Full, whole) : undefined
      const list = await load('list', [Summary], [short])
      const full = one ?? (await load('one', Full, whole))
      const [item] = list.now.data as Summary[]
      expect(item).toBeInstanceOf(Summary)
      expect(item).not.toBeInstanceOf(Full)
      expect(full.now.data).toBeInstanceOf(Full)
      expect(full.now.data?.author).toBeInstanceOf(Author)
    }
  })

  test('a row that only a summary filled is missing for a full class that refuses it, and is fetched', async () => {
    const { controller, load, reader, server } = open()
    const list = await load('list', [Summary], [short])
    const getFull = reader('one', Full)
    const full = watch(controller.watch(getFull, { id: '1' }))
    expect(full.now.status).toBe('pending')
    await settle()
    await server.one('one').answer(whole)
    expect(full.now.data?.text).toBe('long')
    expect(list.now.data?.[0]?.label).toBe('short a')
  })

  test('both change when the row changes, in any way', async () => {
    const { controller, load } = open()
    const list = await load('list', [Summary], [short])
    const full = await load('one', Full, whole)
    const notified = [list.notified, full.notified]
    controller.set(Summary, { id: '1' }, { title: 'b' })
    expect([list.now.data?.[0]?.title, full.now.data?.title]).toEqual(['b', 'b'])
    expect([list.notified, full.notified]).toEqual(notified.map((times) => times + 1))
    controller.set(Author, { id: 'x' }, { name: 'Bea' })
    expect(full.now.data?.author?.name).toBe('Bea')
    expect(list.notified).toBe((notified[0] ?? 0) + 1)
  })

  test('a full response in which nothing changed keeps both instances', async () => {
    const { fetchRead, load, server } = open()
    const list = await load('list', [Summary], [short])
    const full = await load('one', Full, whole)
    const [before, item] = [full.now.data, list.now.data?.[0]]
    const again = fetchRead('one', Full, {})
    await server.one('one', -1).answer(whole)
    expect(await again).toBe(before)
    expect(list.now.data?.[0]).toBe(item)
  })

  test('Collections of both share their lists, and each shows its own class', async () => {
    const { controller, load, run } = open()
    const summaries = new Collection([Summary])
    const fulls = new Collection([Full])
    const a = await load('summaries', summaries, [short])
    const b = await load('fulls', fulls, [whole])
    await run('push', summaries.push, { id: '2', title: 'b', text: 'more' })
    expect(a.now.data?.map((item) => item.constructor)).toEqual([Summary, Summary])
    expect(b.now.data?.map((item) => item.constructor)).toEqual([Full, Full])
    controller.set(Summary, { id: '2' }, { title: 'c' })
    expect([a.now.data?.[1]?.title, b.now.data?.[1]?.title]).toEqual(['c', 'c'])
  })

  test('also where the result depends on the arguments', async () => {
    const { controller, load } = open()
    await load('list', [Summary], [short])
    await load('one', Full, whole)
    const named = new Query(
      Full,
      (full, { prefix }: { prefix: string }) => `${prefix} ${full.text} ${full.author?.name}`,
    )
    const shown = watch(controller.view(named, { id: '1', prefix: '*' }))
    expect(shown.now).toBe('* long Ann')
    controller.set(Author, { id: 'x' }, { name: 'Bea' })
    expect(shown.now).toBe('* long Bea')
    controller.set(Full, { id: '1' }, { title: 'a', text: 'new' })
    expect(shown.now).toBe('* new Bea')
  })

  test('a full view is retained while it is mounted, with the rows it refers to, and is collected with the row', async () => {
    const { clock, controller, load } = open({ retention: { after: 1000 } })
    const list = await load('list', [Summary], [short])
    list.stop()
    const full = await load('one', Full, whole)
    await clock.advance(10_000)
    expect(controller.get(Author, { id: 'x' })?.name).toBe('Ann')
    controller.set(Author, { id: 'x' }, { name: 'Bea' })
    expect(full.now.data?.author?.name).toBe('Bea')
    full.stop()
    await clock.advance(10_000)
    expect(controller.get(Summary, { id: '1' })).toBeUndefined()
    expect(controller.get(Full, { id: '1' })).toBeUndefined()
    expect(controller.get(Author, { id: 'x' })).toBeUndefined()
  })

  test('optimistic changes show in both, and disappear from both', async () => {
    const { controller, load, server, writer } = open()
    const list = await load('list', [Summary], [short])
    const full = await load('one', Full, whole)
    const rename = writer('rename', Full).extend({ getOptimisticResponse: () => ({ ...whole, title: 'soon' }) })
    const sent = controller.fetch(rename, {}).catch(() => 'failed')
    expect([list.now.data?.[0]?.title, full.now.data?.title]).toEqual(['soon', 'soon'])
    await server.one('rename').fail()
    expect(await sent).toBe('failed')
    expect([list.now.data?.[0]?.title, full.now.data?.title]).toEqual(['a', 'a'])
  })

  test('optimistic responses may leave out what the full class needs: readers judge the row that results', async () => {
    const { controller, load, server, writer } = open()
    const articles = new Collection([Summary])
    const list = await load('list', articles, [short])
    const full = await load('one', Full, whole)
    const rename = writer('rename', Full).extend({ getOptimisticResponse: () => ({ id: '1', title: 'soon' }) })
    const create = writer('create', new Collection([Full]).push).extend({
      getOptimisticResponse: () => ({ title: 'new' }),
    })
    const sent = [controller.fetch(rename, {}), controller.fetch(create, {}, {})]
    expect([list.now.data?.map(({ title }) => title), full.now.data?.title]).toEqual([['soon', 'new'], 'soon'])
    await server.one('rename').answer({ ...whole, title: 'renamed' })
    await server.one('create').answer({ ...whole, id: '2', title: 'created' })
    await Promise.all(sent)
    expect([list.now.data?.map(({ title }) => title), full.now.data?.title]).toEqual([
      ['renamed', 'created'],
      'renamed',
    ])
  })

  test('an optimistic change of a resource shows in a list of summaries, whose rows the full class refuses', async () => {
    const { transport } = fakeTransport(() => Response.json({ ...whole, title: 'renamed' }))
    const controller = new Controller({ transport })
    const articles = resource({ urlPrefix: 'https://api.test', path: '/articles/:id', schema: Full, optimistic: true })
    const getList = articles.getList.extend({ schema: new Collection([Summary]) })
    controller.setResponse(getList, {}, [short])
    const title = () => controller.getResponse(getList, {}).data?.[0]?.title
    const saved = controller.fetch(articles.partialUpdate, { id: '1' }, { title: 'soon' })
    expect([title(), controller.get(Full, { id: '1' })]).toEqual(['soon', undefined])
    await saved
    expect(title()).toBe('renamed')
    const unknown = controller.fetch(articles.partialUpdate, { id: '2' }, { title: 'soon' })
    expect(controller.get(Summary, { id: '2' })).toBeUndefined()
    await unknown
    controller.dispose()
  })
})

describe('validate sees a record as it came, and as it is stored', () => {
  class Author extends Entity {
    static override key = 'CheckedAuthor'
    id = ''
    name = ''
  }
  class Post extends Entity {
    static override key = 'CheckedPost'
    static override schema = { author: Author, tags: [Author] }
    static override validate(post: Readonly<Record<string, unknown>>): string | undefined {
      return typeof post.author === 'object' ? undefined : 'author is no object'
    }
    id = ''
    author: Author | undefined = undefined
    tags: readonly Author[] = []
  }
  const post = (id: string) => ({ id, author: { id: 'a', name: 'Ann' }, tags: [] })

  test('a row that is accepted and then not shown is a warning, once, that names the field', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { load } = open()
    await load('posts', [Post], [post('1'), post('2')])
    await load('post', Post, post('3'))
    expect(warn.mock.calls).toEqual([
      [
        "CheckedPost 1 is valid in the response, but not in its stored form, with primary keys in 'author' instead of entities (author is no object), so it will not be shown. validate() is called with both forms: let it accept both.",
      ],
    ])
    warn.mockRestore()
  })

  test('one that accepts both, or that is incomplete, is none', async () => {
    class Both extends Post {
      static override key = 'CheckedBoth'
      static override validate(post: Readonly<Record<string, unknown>>): string | undefined {
        return post.author === undefined ? 'author is missing' : undefined
      }
    }
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { load, controller } = open()
    const shown = await load('both', [Both], [post('1')])
    expect(shown.now.data).toHaveLength(1)
    controller.set(Author, { id: 'b' }, { name: 'Bob' })
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})

import { Collection, Entity, Invalidate, resource, Union } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { ending } from '../engine/todo-board.js'
import { open } from './open.js'

class Article extends Entity {
  static override key = 'Article'
  static override indexes = ['slug'] as const
  id = ''
  slug = ''
  type = 'article'
}
const articles = new Collection([Article])
const Post = new Union({ article: Article }, 'type')
const rows = [
  { id: '1', slug: 'a', type: 'article' },
  { id: '2', slug: 'b', type: 'article' },
]

describe('a mutation that is addressed by an index and whose response has no body', () => {
  const posts = new Collection([Post])

  test.each([
    ['Invalidate', new Invalidate(Article), articles],
    ['Invalidate of a Union', new Invalidate(Post), articles],
    ['remove', articles.remove, articles],
    ['remove of a Union', posts.remove, posts],
  ])('%s', async (_, change, of) => {
    // The last names the row itself: the index is no argument of the list either.
    for (const response of [null, '', {}, { id: '1' }]) {
      const { load, run } = open()
      const list = await load('list', of as typeof articles, rows)
      await run('gone', change, response, { slug: 'a' })
      expect(list.now.data?.map(({ id }) => id)).toEqual(['2'])
    }
  })

  test('a row that is missing is already removed', async () => {
    const { load, mutate, server } = open()
    const list = await load('list', articles, rows)
    const end = ending(mutate('gone', new Invalidate(Article), { slug: 'c' }))
    await server.one('gone').answer(null)
    expect(end.isOver).toBe(true)
    expect(end.error).toBeUndefined()
    expect(list.now.data).toHaveLength(2)
  })

  test('arguments that name no index are a SchemaError still', async () => {
    const { mutate, server } = open()
    const end = ending(mutate('gone', new Invalidate(Article), { other: 'a' }))
    await server.one('gone').answer(null)
    expect(end.error).toMatchObject({ name: 'SchemaError' })
  })

  test.each([true, false])('resource.delete, optimistic: %s', async (optimistic) => {
    const { controller, server } = open()
    const { delete: remove, getList } = resource({ path: '/articles/:slug', schema: Article, optimistic })
    controller.setResponse(getList, rows)
    const gone = remove.extend({ fetch: server.on<[{ slug: string }]>('gone') as never })
    const end = ending(controller.fetch(gone, { slug: 'a' }))
    expect(controller.getResponse(getList).data).toHaveLength(optimistic ? 1 : 2)
    await server.one('gone').answer(null)
    expect(end.error).toBeUndefined()
    expect(controller.getResponse(getList).data).toEqual([Article.fromJS(rows[1])])
  })
})

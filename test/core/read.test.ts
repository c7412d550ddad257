import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readUrl } from '../../core/src/path/read.js'
import { template } from '../../core/src/path/template.js'

const read = (source: string, url: string) => readUrl(template(source), url)

describe('reading a URL gives the params that it was filled with', () => {
  test.each<[source: string, url: string, params: object | undefined]>([
    ['/todos', '/todos', {}],
    ['/todos', '/todos?userId=1&tag=a&tag=b', { userId: '1', tag: ['a', 'b'] }],
    ['/todos', '/todos/', undefined],
    ['/todos/:id', '/todos/5', { id: '5' }],
    ['/todos/:id', '/todos/5?id=6', { id: '5' }],
    ['/todos/:id', '/todos/5#end', { id: '5' }],
    ['/todos/:id', '/todos/a%2Fb', { id: 'a/b' }],
    ['/todos/:id', '/todos/ann@home:5', { id: 'ann@home:5' }],
    ['/todos/:id', '/todos/%', undefined],
    ['/todos/:id', '/todos', undefined],
    ['/todos/:id', '/users/5', undefined],
    ['/users/:id{/:tab}', '/users/5', { id: '5' }],
    ['/users/:id{/:tab}', '/users/5/posts', { id: '5', tab: 'posts' }],
    ['/files/*path', '/files/a%20b/c', { path: ['a b', 'c'] }],
    ['/same/:id/:id', '/same/5/5', { id: '5' }],
    ['/same/:id/:id', '/same/5/6', undefined],
    ['/tasks?limit=1000', '/tasks?cursor=x&limit=1000', { cursor: 'x', limit: '1000' }],
    ['/search?{q=:q}{&page=:page}', '/search?page=3', { page: '3' }],
    ['/search?{q=:q}{&page=:page}', '/search', {}],
    ['/search?q=:q&sort=:order', '/search?sort=up&q=a+b&x=1', { q: 'a b', order: 'up', x: '1' }],
    ['/search?q=:q', '/search', {}],
    ['/search?{query=:"q-1"}', '/search?query=x', { 'q-1': 'x' }],
    ['/search{?in=*path}', '/search?in=a%2Fb', { path: ['a', 'b'] }],
    ['/todos', '/todos?__proto__=x', { ['__proto__']: 'x' }],
  ])('%s of %s', (source, url, params) => {
    expect(read(source, url)).toEqual(params)
  })

  test('whatever the values are', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/^(?:\.|%2e)+$/i.test(text))
    const filled = template('/users/:id{/:tab}/files/*path?{q=:q}')
    const params = fc.record({
      id: value,
      tab: fc.option(value, { nil: undefined }),
      path: fc.array(value, { minLength: 1 }),
      q: fc.option(value, { nil: undefined }),
      sort: fc.option(value, { nil: undefined }),
    })
    fc.assert(
      fc.property(params, (given) => {
        const path = filled.fill(given, 'getFile')
        const search = filled.search(given, 'getFile')
        const url = path + (search && (path.includes('?') ? '&' : '?') + search)
        const known = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined))
        expect(readUrl(filled, url)).toEqual(known)
      }),
    )
  })
})

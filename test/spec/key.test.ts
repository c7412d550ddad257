import { KeyArgError, RestEndpoint, UrlParamError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'

describe('key(urlParams): string', () => {
  test('default: method, a space, then url(urlParams)', () => {
    const get = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/users/:id',
      searchParams: {} as { a?: number },
    })
    expect(get.key({ id: 5, a: 1 })).toBe('GET https://api.test/users/5?a=1')
    expect(get.key({ id: 5 })).toBe(`GET ${get.url({ id: 5 })}`)
    expect(new RestEndpoint({ path: '/users/:id', method: 'DELETE' }).key({ id: 5 })).toBe('DELETE /users/5')
  })

  test('it takes what a call takes: the body of a mutation is no part of it', () => {
    const update = new RestEndpoint({ path: '/users/:id', method: 'PUT' })
    expect(update.key({ id: 5 }, { name: 'Ann' })).toBe('PUT /users/5')
    expect(new RestEndpoint({ path: '/users', method: 'POST' }).key({ name: 'Ann' })).toBe('POST /users')
  })

  test('where the path has required parameters a single argument is the parameters, also of an endpoint with a body', () => {
    for (const method of ['PUT', 'PATCH', 'POST']) {
      const change = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/users/:id', method })
      expect(change.key({ id: 1 })).toBe(`${method} ${change.url({ id: 1 })}`)
      expect(change.key({ id: 1 }, { name: 'Ann' })).toBe(`${method} https://api.test/users/1`)
    }
    const read = new RestEndpoint({ path: '/in/:in', method: 'POST', sideEffect: false, body: {} as { text: string } })
    expect(read.key({ in: 1 })).toBe('POST /in/1')
    expect(read.key({ in: 1 }, { text: 'a' })).toBe('POST /in/1 {"text":"a"}')
    expect(read.extend({ path: '/*in' }).key({ in: ['a'] })).toBe('POST /a')
  })

  test('where all are optional a single argument is what a call takes: the body', () => {
    const create = new RestEndpoint({ path: '/users{/:id}', method: 'POST', body: {} as { name: string } })
    expect(create.key({ name: 'Ann' })).toBe('POST /users')
    expect(create.key({ id: 5 }, { name: 'Ann' })).toBe('POST /users/5')
  })

  test('undefined parameters and the order of parameters do not change it', () => {
    const get = new RestEndpoint({ path: '/users', searchParams: {} as Record<string, unknown> })
    expect(get.key({ userId: undefined })).toBe(get.key({}))
    expect(get.key({})).toBe(get.key())
    expect(get.key({ a: 1, b: 2 })).toBe(get.key({ b: 2, a: 1 }))
  })

  describe('of a read with a body', () => {
    const search = new RestEndpoint({ path: '/search{/:in}', method: 'POST', sideEffect: false, body: {} as unknown })

    test('two bodies are two keys', () => {
      expect(search.key({ text: 'a' })).not.toBe(search.key({ text: 'b' }))
      expect(search.key({ text: 'a' })).toMatch(/^POST \/search \{/)
      expect(search.key([1])).not.toBe(search.key(['1']))
    })

    test('the order of its members and undefined ones do not matter', () => {
      const one = search.key({ in: 5 }, { a: { x: 1, y: 2 }, b: 1 })
      expect(search.key({ in: 5 }, { b: 1, a: { y: 2, x: 1 }, c: undefined })).toBe(one)
    })

    test('without a body it is the URL', () => {
      expect(search.key({ in: 5 }, undefined)).toBe('POST /search/5')
    })

    test('testKey cuts there', () => {
      for (const body of [{ text: 'a b ? c' }, ['? /'], 'GET /other', { ' ': ' ' }, 5]) {
        expect(search.testKey(search.key({ in: 'a b' }, body))).toBe(true)
      }
      expect(new RestEndpoint({ path: '/other', method: 'POST', sideEffect: false }).testKey(search.key({}, {}))).toBe(
        false,
      )
    })

    test('a body without stable text is a KeyArgError', () => {
      expect(() => search.key(new FormData())).toThrow(KeyArgError)
      expect(() => search.key({ when: () => {} })).toThrow(KeyArgError)
    })
  })

  test('signal and other options are no part of it', () => {
    const get = new RestEndpoint({ path: '/users' })
    const { signal } = new AbortController()
    expect(get.extend({ signal, timeout: 5, dataExpiryLength: 5 }).key()).toBe(get.key())
  })

  test('a parameter that cannot stand in the URL throws', () => {
    const get = new RestEndpoint({ path: '/users/:id' }) as RestEndpoint
    expect(() => get.key()).toThrow(UrlParamError)
  })

  test('it may be overridden', () => {
    const get = new RestEndpoint({ path: '/users/:id', key: ({ id }: { id: string | number }) => `user ${id}` })
    expect(get.key({ id: 5 })).toBe('user 5')
  })
})

describe('testKey(key): boolean', () => {
  const get = new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/users/:id',
    searchParams: {} as Record<string, unknown>,
  })

  test('true when the given fetch key matches this endpoint', () => {
    expect(get.testKey(get.key({ id: 5 }))).toBe(true)
    expect(get.testKey(get.key({ id: 'a/b?c d', page: 2, q: '/x ?' }))).toBe(true)
  })

  test('method, urlPrefix and path are compared', () => {
    expect(get.testKey('POST https://api.test/users/5')).toBe(false)
    expect(get.testKey('GET https://other.test/users/5')).toBe(false)
    expect(get.testKey('GET https://api.test/users')).toBe(false)
    expect(get.testKey('GET https://api.test/users/5/posts')).toBe(false)
    expect(get.testKey('GET https://api.test/todos/5')).toBe(false)
  })

  test('case and a trailing slash make a difference', () => {
    expect(get.testKey('GET https://api.test/Users/5')).toBe(false)
    expect(get.testKey('GET https://api.test/users/5/')).toBe(false)
  })

  test('a query embedded in the path matches up to its ?', () => {
    const search = new RestEndpoint({
      path: '/search?{q=:q}{&page=:page}',
      searchParams: {} as Record<string, unknown>,
    })
    for (const params of [{}, { q: 'a' }, { page: 3 }, { q: 'a', page: 3, sort: 'x' }]) {
      expect(search.testKey(search.key(params))).toBe(true)
    }
    expect(search.testKey('GET /searches')).toBe(false)
  })

  // Linear work on 1 MB is a matter of milliseconds; quadratic work runs into the test's time limit.
  test('H10: a hostile key takes time in proportion to its length', () => {
    const wild = new RestEndpoint({ path: '/a{/*rest}/b-:c{/:d}' })
    expect(wild.testKey(`GET /a/${'/b-'.repeat(350_000)}!`)).toBe(false)
  })
})

import { RestEndpoint, UrlOriginError, UrlParamError } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'

describe('url(params): string', () => {
  const search = { searchParams: {} as Record<string, unknown> }

  test('result is urlPrefix + path template filled from the parameters + ? + searchToString(searchParams)', () => {
    const get = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/users/:id',
      ...search,
      searchToString: (params) => `own:${JSON.stringify(params)}`,
    })
    expect(get.url({ id: 5, page: 2 })).toBe('https://api.test/users/5?own:{"page":2}')
  })

  test('parameters that are not path tokens become search parameters', () => {
    const get = new RestEndpoint({ path: '/users/:id', ...search })
    expect(get.url({ id: 5, sort: 'name', page: 2 })).toBe('/users/5?page=2&sort=name')
  })

  test('when there are no search parameters, no ? is appended', () => {
    const searchToString = vi.fn(() => 'x')
    const get = new RestEndpoint({ path: '/users/:id', ...search, searchToString })
    expect(get.url({ id: 5 })).toBe('/users/5')
    expect(get.url({ id: 5, page: undefined })).toBe('/users/5')
    expect(searchToString).not.toHaveBeenCalled()
    expect(new RestEndpoint({ path: '/users' }).url()).toBe('/users')
    expect(new RestEndpoint({ path: '/users', ...search }).url({ tags: [] })).toBe('/users')
  })

  test('undefined is dropped from the URL', () => {
    const get = new RestEndpoint({ path: '/users', ...search })
    expect(get.url({ userId: undefined })).toBe(get.url({}))
    expect(get.url({ a: 1, b: undefined })).toBe('/users?a=1')
  })

  test('B2: extra parameters are appended with & when the path already holds a ?', () => {
    const get = new RestEndpoint({ path: '/search?{q=:q}{&page=:page}', ...search })
    expect(get.url({ q: 'a', sort: 'x' })).toBe('/search?q=a&sort=x')
    expect(get.url({ q: 'a', page: 2, sort: 'x' })).toBe('/search?q=a&page=2&sort=x')
    expect(get.url({ sort: 'x' })).toBe('/search?sort=x')
    expect(new RestEndpoint({ path: '/search?q=a', ...search }).url({ page: 2 })).toBe('/search?q=a&page=2')
  })

  test('a dangling ? goes, ?& becomes ?', () => {
    const get = new RestEndpoint({ path: '/search?{q=:q}{&page=:page}' })
    expect(get.url()).toBe('/search')
    expect(get.url({ page: 3 })).toBe('/search?page=3')
  })

  test('a search parameter may have the name of a member of every object', () => {
    const get = new RestEndpoint({ path: '/users', ...search })
    expect(get.url({ constructor: 'a', toString: 'b' } as never)).toBe('/users?constructor=a&toString=b')
    expect(get.url(JSON.parse('{"__proto__":"c"}'))).toBe('/users?__proto__=c')
    const own = get.extend({ searchToString: (params) => Object.keys(params).join() })
    expect(own.url(JSON.parse('{"__proto__":"c","a":1}'))).toBe('/users?__proto__,a')
  })

  test('url may be overridden, calling the parent', () => {
    const get = new RestEndpoint({
      path: '/users/:id',
      url(params) {
        return `${RestEndpoint.prototype.url.call(this, params)}.json`
      },
    })
    expect(get.url({ id: 5 })).toBe('/users/5.json')
    expect(get.key({ id: 5 })).toBe('GET /users/5.json')
  })

  test('urlPrefix may be a getter of the class', () => {
    let host = 'https://one.test'
    class Dynamic extends RestEndpoint {
      override get urlPrefix(): string {
        return host
      }
    }
    const get = new Dynamic({ path: '/users' })
    expect(get.url()).toBe('https://one.test/users')
    host = 'https://two.test'
    expect(get.url()).toBe('https://two.test/users')
  })

  describe('a path parameter that cannot stand in the URL is a UrlParamError naming endpoint, template and parameter', () => {
    function isRefused(path: string, params: Record<string, unknown>): void {
      const get = new RestEndpoint({ path, name: 'getUser' }) as RestEndpoint
      for (const ask of [() => get.url(params), () => get.key(params)]) {
        expect(ask).toThrow(UrlParamError)
        expect(ask).toThrow(/getUser.*'id'/)
        expect(ask).toThrow(path)
      }
    }

    test.each([
      [undefined],
      [null],
      [Number.NaN],
      [Number.POSITIVE_INFINITY],
      [{}],
      [[]],
      [['a']],
      [() => {}],
      [Symbol('id')],
    ])('B3: %o', (id: unknown) => {
      isRefused('/users/:id', { id })
      if (id !== undefined) isRefused('/users{/:id}', { id })
    })

    test('B3: one that is missing', () => isRefused('/users/:id', {}))

    test('B4: an empty string, which would address the list', () => {
      isRefused('/users/:id', { id: '' })
      isRefused('/users{/:id}', { id: '' })
      isRefused('/users/*id', { id: [''] })
    })

    test.each(['\ud800', 'a\udc00', '\udc00\ud800'])('B13: the lone surrogate in %j', (id) => {
      isRefused('/users/:id', { id })
      isRefused('/users{/:id}', { id })
      isRefused('/users/*id', { id: ['a', id] })
      isRefused('/users?{id=:id}', { id })
    })
  })

  test.each(['..', '.', '%2e%2e', '.%2E', '%2E'])('H1: a path segment %s is a UrlParamError', (id) => {
    const get = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/users/:id' })
    expect(() => get.url({ id })).toThrow(UrlParamError)
    expect(() => new RestEndpoint({ path: '/files/*path' }).url({ path: ['a', id] })).toThrow(UrlParamError)
  })

  describe('H2: a parameter cannot send the request to another origin', () => {
    const bare = new RestEndpoint({ urlPrefix: 'https://api.test', path: ':path', name: 'getFile' })

    test.each(['.evil.test', '@evil.test', ':8443'])('%s is a UrlOriginError or encoded', (path) => {
      let url: string
      try {
        url = bare.url({ path })
      } catch (error) {
        expect(error).toBeInstanceOf(UrlOriginError)
        expect((error as Error).message).toContain('getFile')
        return
      }
      expect(new URL(url).origin).toBe('https://api.test')
    })

    test('.evil.test after a host without a slash is one', () => {
      expect(() => bare.url({ path: '.evil.test' })).toThrow(UrlOriginError)
    })

    test('a harmless one passes', () => {
      const get = bare.extend({ urlPrefix: 'https://api.test/v1/' })
      expect(get.url({ path: 'a' })).toBe('https://api.test/v1/a')
    })

    test('a host in the template is the origin that is expected', () => {
      const get = new RestEndpoint({ path: 'https\\://api.test\\:8080/:slug' })
      expect(get.url({ slug: 'a' })).toBe('https://api.test:8080/a')
      const anyHost = new RestEndpoint({ path: 'https\\://:host/users' })
      expect(() => anyHost.url({ host: 'evil.test' })).toThrow(UrlOriginError)
    })

    test('a prefix and a path that would join to a host', () => {
      const get = new RestEndpoint({ urlPrefix: '/', path: '/:host/users' })
      expect(() => get.url({ host: 'evil.test' })).toThrow(UrlOriginError)
    })

    test('an empty wildcard element is a UrlParamError already', () => {
      const get = new RestEndpoint({ path: '/*path' })
      expect(() => get.url({ path: ['', 'evil.test', 'x'] })).toThrow(UrlParamError)
    })
  })
})

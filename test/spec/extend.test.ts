import { Endpoint, Entity, OptionError, RestEndpoint, type RestGenerics } from '@roundtable/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

class User extends Entity {
  static override key = 'User'
  id = ''
}

const warn = vi.fn()
beforeEach(() => {
  warn.mockReset()
  vi.spyOn(console, 'warn').mockImplementation(warn)
})
afterEach(() => vi.restoreAllMocks())

describe('extend(options): the service', () => {
  const base = new RestEndpoint({ path: '/users/:id', dataExpiryLength: 5, extra: 'kept' })

  test('returns a new endpoint with the options applied on top of this one', () => {
    const next = base.extend({ path: '/people/:who', errorExpiryLength: 6 })
    expect(next).not.toBe(base)
    expect(next.url({ who: 5 })).toBe('/people/5')
    expect(next.dataExpiryLength).toBe(5)
    expect(next.errorExpiryLength).toBe(6)
    expect(next).toHaveProperty('extra', 'kept')
    expect(base.url({ id: 5 })).toBe('/users/5')
    expect(base.errorExpiryLength).toBeUndefined()
  })

  test('any option or override (schema, headers function, method, and so on) is accepted', async () => {
    const next = base.extend({
      schema: User,
      method: 'POST',
      body: {} as object,
      urlPrefix: 'https://api.test',
      getHeaders: () => ({ a: 'b' }),
      anything: 5,
    })
    expect(next.schema).toBe(User)
    expect(next.sideEffect).toBe(true)
    expect(next.key({ id: 5 }, {})).toBe('POST https://api.test/users/5')
    expect(await next.getRequestInit({})).toMatchObject({ method: 'POST', headers: { a: 'b' } })
    expect(next).toHaveProperty('anything', 5)
  })

  test('it may be called again and again', () => {
    const next = base
      .extend({ urlPrefix: '/v1' })
      .extend({ path: '/a' })
      .extend({ name: 'a' })
      .extend({ pollFrequency: 5 })
    expect(next.url()).toBe('/v1/a')
    expect(next.name).toBe('a')
    expect(next.pollFrequency).toBe(5)
    expect(next.dataExpiryLength).toBe(5)
  })

  test('undefined takes an option away, and gives a default back', () => {
    const next = base.extend({ schema: User, urlPrefix: '/v1', key: () => 'own' }).extend({
      schema: undefined,
      urlPrefix: undefined,
      key: undefined as never,
      dataExpiryLength: undefined,
    })
    expect(next.schema).toBeUndefined()
    expect(next.key({ id: 5 })).toBe('GET /users/5')
    expect(next.dataExpiryLength).toBeUndefined()
  })

  describe('with classes', () => {
    class Secret<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      readonly #secret = 's3cr3t'
      accessToken = 'none'
      override readonly urlPrefix = 'https://class.test'
      override getHeaders(headers: Record<string, string>): HeadersInit {
        return { ...headers, secret: this.#secret, token: this.accessToken }
      }
    }

    test('it keeps the constructor, #private members and instanceof', async () => {
      const next = new Secret({ path: '/a' }).extend({ path: '/b' }).extend({ dataExpiryLength: 5 })
      expect(next).toBeInstanceOf(Secret)
      expect(next).toBeInstanceOf(RestEndpoint)
      expect(next.constructor).toBe(Secret)
      expect(await next.getRequestInit()).toMatchObject({ headers: { secret: 's3cr3t', token: 'none' } })
    })

    test('its options win over class fields, also after a second extend', async () => {
      const next = new Secret({ path: '/a' }).extend({ urlPrefix: 'https://option.test', accessToken: 'abc' })
      expect(next.url()).toBe('https://option.test/a')
      const again = next.extend({ path: '/b' })
      expect(again.url()).toBe('https://option.test/b')
      expect(await again.getRequestInit()).toMatchObject({ headers: { token: 'abc' } })
    })

    test('a constructor option that a class field hides is reported once, at the first use', async () => {
      const hidden = new Secret({ urlPrefix: server.url, path: '/a', getRequestInit: () => ({}) })
      const quiet = hidden.extend({ fetchResponse: async () => new Response() })
      expect(warn).not.toHaveBeenCalled()
      await quiet()
      await quiet()
      expect(warn).toHaveBeenCalledTimes(1)
      expect(warn.mock.calls[0]?.[0]).toMatch(/urlPrefix.*extend.*getter/)
    })

    test('options that nothing hides are not reported', async () => {
      const fetchResponse = async (): Promise<Response> => new Response()
      await new Secret({ path: '/a', fetchResponse })()
      await new Secret({ path: '/a' }).extend({ urlPrefix: 'https://option.test', fetchResponse })()
      expect(warn).not.toHaveBeenCalled()
    })

    test('a getter of the class does not hide an option of the constructor', () => {
      class Dynamic extends RestEndpoint {
        override get urlPrefix(): string {
          return 'https://getter.test'
        }
      }
      expect(new Dynamic({ path: '/a' }).url()).toBe('https://getter.test/a')
      expect(new Dynamic({ path: '/a', urlPrefix: 'https://option.test' }).url()).toBe('https://option.test/a')
    })

    test('members may be assigned in a constructor, as older compilers do with fields', () => {
      class Old extends RestEndpoint {
        constructor(options: { path: string }) {
          super(options)
          Object.assign(this, { name: 'old', urlPrefix: '/old', method: 'POST', sideEffect: false })
        }
      }
      const old = new Old({ path: '/a' })
      expect([old.name, old.url(), old.sideEffect]).toEqual(['old', '/old/a', false])
      expect(old.key({})).toBe('POST /old/a {}')
    })

    test('a constructor that takes more than the options cannot be extended', () => {
      class Two extends RestEndpoint {
        constructor(prefix: string, options: { path: string }) {
          super({ ...options, urlPrefix: prefix })
        }
      }
      const two = new Two('/v1', { path: '/a' })
      expect(two.url()).toBe('/v1/a')
      expect(() => two.extend({ path: '/b' })).toThrow(OptionError)
      expect(() => two.extend({ path: '/b' })).toThrow(/Two/)
    })
  })

  describe('calling the parent from a method of an options object', () => {
    const parent = new RestEndpoint({ path: '/a', getHeaders: (headers) => ({ ...headers, one: '1' }) })

    test('base.x.call(this, …) in extend', async () => {
      const next = parent.extend({
        async getHeaders(headers) {
          return { ...(await parent.getHeaders.call(this, headers)), two: '2' }
        },
      })
      expect(await next.getRequestInit()).toMatchObject({ headers: { one: '1', two: '2' } })
    })

    test('RestEndpoint.prototype.x.call(this, …) in constructor options', async () => {
      const get = new RestEndpoint({
        path: '/a',
        async getRequestInit(body) {
          return { ...(await RestEndpoint.prototype.getRequestInit.call(this, body)), credentials: 'include' }
        },
      })
      expect(await get.getRequestInit()).toMatchObject({ method: 'GET', credentials: 'include' })
    })

    test('super is an OptionError in development that says what to write', () => {
      const options = {
        path: '/a',
        getHeaders(headers: object) {
          // biome-ignore lint/suspicious/noTsIgnore: whether the compiler knows a parent depends on its lib.
          // @ts-ignore an object has no parent with getHeaders
          return { ...super.getHeaders(headers), a: 'b' }
        },
      }
      expect(() => new RestEndpoint(options as never)).toThrow(OptionError)
      expect(() => new RestEndpoint(options as never)).toThrow(/RestEndpoint\.prototype\.getHeaders\.call\(this/)
      expect(() => parent.extend(options as never)).toThrow(/base\.getHeaders\.call\(this/)
    })

    test('an arrow function may use the super of the class that it stands in', () => {
      class Factory {
        prefix(): string {
          return '/made'
        }
      }
      class Own extends Factory {
        make(): RestEndpoint {
          return new RestEndpoint({ path: '/a' as string, url: () => super.prefix() }) as RestEndpoint
        }
      }
      expect(new Own().make().url()).toBe('/made')
    })
  })

  test('Endpoint is extended in the same way', async () => {
    const get = new Endpoint(async (id: string) => `user ${id}`, { name: 'getUser', dataExpiryLength: 5 })
    const next = get.extend({ dataExpiryLength: 6 })
    expect(await next('5')).toBe('user 5')
    expect([next.key('5'), next.dataExpiryLength, get.dataExpiryLength]).toEqual(['getUser ["5"]', 6, 5])
    const other = get.extend({ fetch: async (nr: number) => nr * 2 })
    expect(await other(5)).toBe(10)
  })
})

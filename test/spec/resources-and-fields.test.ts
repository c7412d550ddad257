import { Collection, Entity, OptionError, RestEndpoint, resource, Values } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'

class User extends Entity {
  static override key = 'User'
  id = ''
}

describe('RestGenerics', () => {
  test('body: typing only; the value is never sent', async () => {
    const send = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response())
    const create = new RestEndpoint({
      path: 'http://h.test/users'.replace(':', '\\:'),
      method: 'POST',
      body: { secret: 1 },
    })
    await create({ secret: 2 })
    expect(send.mock.calls[0]?.[1]?.body).toBe('{"secret":2}')
    send.mockRestore()
  })

  test('body: undefined removes the body argument', async () => {
    const init = await new RestEndpoint({ path: '/users', method: 'POST', body: undefined }).getRequestInit()
    expect(init).not.toHaveProperty('body')
  })

  test('searchParams: typing only; the value is never used; gives extra URL query parameters', () => {
    const get = new RestEndpoint({ path: '/users', searchParams: { page: 9 } })
    expect(get.url({ page: 2 })).toBe('/users?page=2')
  })

  test('schema: binary content requires it to be undefined', () => {
    const define = (): unknown => new RestEndpoint({ path: '/file', content: 'blob', schema: User } as never)
    expect(define).toThrow(OptionError)
    expect(define).toThrow(/schema/)
  })
})

describe('Members of the service', () => {
  const get = new RestEndpoint({ path: '/users' })

  test('path: required in practice', () => {
    const nowhere = new RestEndpoint({} as never)
    expect(() => nowhere.url()).toThrow(OptionError)
    expect(() => nowhere.url()).toThrow(/path/)
  })

  test("urlPrefix: default '' (empty); prepended to the compiled path; may carry a scheme and host", () => {
    expect(get.urlPrefix).toBe('')
    expect(get.url()).toBe('/users')
    expect(get.extend({ urlPrefix: 'https://api.test/v1' }).url()).toBe('https://api.test/v1/users')
  })

  test('requestInit: standard fetch options object', async () => {
    const init = await get.extend({ requestInit: { mode: 'cors', cache: 'no-store' } }).getRequestInit()
    expect(init).toMatchObject({ mode: 'cors', cache: 'no-store' })
  })

  test("method: default 'GET'; GET is read-only; other methods imply side effects", () => {
    expect(get.method).toBe('GET')
    expect(get.sideEffect).toBeUndefined()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(new RestEndpoint({ path: '/users', method }).sideEffect).toBe(true)
    }
  })

  test('method: the letter case of standard methods does not matter', async () => {
    const get = new RestEndpoint({ path: '/users', method: 'get' })
    expect(get.method).toBe('GET')
    expect(get.sideEffect).toBeUndefined()
    const patch = new RestEndpoint({ path: '/users', method: 'patch' })
    expect(patch.key({})).toBe('PATCH /users')
    expect(await patch.getRequestInit({})).toMatchObject({ method: 'PATCH', body: '{}' })
    expect(new RestEndpoint({ path: '/users', method: 'Query' }).method).toBe('QUERY')
    expect(new RestEndpoint({ path: '/users', method: 'Purge' }).method).toBe('Purge')
  })

  test('paginationField: when set, adds getPage', () => {
    const list = new RestEndpoint({ path: '/users', schema: new Collection([User]), paginationField: 'page' })
    expect(list.getPage).toBeInstanceOf(RestEndpoint)
    expect(new RestEndpoint({ path: '/users', schema: new Collection([User]) }).getPage).toBeUndefined()
  })

  test('sideEffect: derived from method; setting it explicitly overrides the method-based behaviour', () => {
    expect(new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false }).sideEffect).toBe(false)
    expect(new RestEndpoint({ path: '/search', method: 'POST', sideEffect: undefined }).sideEffect).toBeUndefined()
    expect(new RestEndpoint({ path: '/visit', sideEffect: true }).sideEffect).toBe(true)
    expect(get.extend({ method: 'POST' }).sideEffect).toBe(true)
    expect(get.extend({ sideEffect: true }).extend({ path: '/visit' }).sideEffect).toBe(true)
  })

  test.each([
    'content',
    'signal',
    'schema',
    'dataExpiryLength',
    'errorExpiryLength',
    'errorPolicy',
    'invalidIfStale',
    'pollFrequency',
    'getOptimisticResponse',
    'update',
    'timeout',
    'abortOnUnused',
    'paginationField',
    'requestInit',
  ] as const)('%s: unset by default', (member) => {
    expect(get[member]).toBeUndefined()
  })

  test.each([
    'url',
    'searchToString',
    'getRequestInit',
    'getHeaders',
    'fetchResponse',
    'parseResponse',
    'process',
    'key',
    'testKey',
    'extend',
    'fetch',
    'paginated',
  ] as const)('%s is a method', (method) => {
    expect(get[method]).toBeTypeOf('function')
  })

  test.each(['push', 'unshift', 'assign', 'remove', 'move'] as const)('%s is an accessor', (accessor) => {
    const list = new RestEndpoint({ path: '/users', schema: new Collection(new Values(User)) })
    expect(list[accessor]).toBeInstanceOf(RestEndpoint)
  })

  test('name is the urlPrefix and the path, unless it is given: it survives minifiers', () => {
    expect(get.name).toBe('/users')
    expect(get.extend({ urlPrefix: 'https://api.test' }).name).toBe('https://api.test/users')
    expect(get.extend({ name: 'getUsers' }).extend({ path: '/people' }).name).toBe('getUsers')
    class UserEndpoint extends RestEndpoint {}
    expect(new UserEndpoint({ path: '/users' }).name).toBe('/users')
  })
})

describe('Related records', () => {
  const UserResource = resource({ path: '/users/:id', schema: User, urlPrefix: 'https://api.test' })

  test('Collection wraps an array of an entity ([Entity]) or a Values schema of an entity', () => {
    expect(new Collection([User]).isMap).toBe(false)
    expect(new Collection(new Values(User)).isMap).toBe(true)
  })

  test('resource() creates endpoints, at least get, getList, create, delete, that have extend', () => {
    for (const name of ['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'] as const) {
      expect(UserResource[name]).toBeInstanceOf(RestEndpoint)
      expect(UserResource[name].extend).toBeTypeOf('function')
    }
  })

  test('resource(...).extend(name, options) adds a named endpoint', () => {
    const more = UserResource.extend('current', { path: '/user' })
    expect(more.current.url()).toBe('https://api.test/user')
    expect(more.current.schema).toBe(User)
    expect(UserResource).not.toHaveProperty('current')
  })
})

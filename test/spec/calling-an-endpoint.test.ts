import { OptionError, RestEndpoint, UrlParamError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

describe('Calling an endpoint', () => {
  const base = new RestEndpoint({ path: '/' })
  const at = <P extends string>(path: P): { urlPrefix: string; path: P } => ({ urlPrefix: server.url, path })

  test('path without patterns: the first argument is skipped; the body is the only one, when the method uses a body', async () => {
    await new RestEndpoint(at('/users'))()
    expect(server.last()).toMatchObject({ method: 'GET', url: '/users', body: '' })
    await new RestEndpoint({ ...at('/users'), method: 'POST' })({ name: 'Ann' })
    expect(server.last()).toMatchObject({ method: 'POST', url: '/users', body: '{"name":"Ann"}' })
  })

  test('path with patterns: the first argument is an object of URL parameters plus any search parameters', async () => {
    const get = new RestEndpoint({ ...at('/users/:id/files/*path'), searchParams: {} as { full?: boolean } })
    await get({ id: 5, path: ['a', 'b c'], full: true })
    expect(server.last().url).toBe('/users/5/files/a/b%20c?full=true')
  })

  test('path with patterns: the second argument is the body, when the method uses a body', async () => {
    await new RestEndpoint({ ...at('/users/:id'), method: 'PUT' })({ id: 5 }, { name: 'Ann' })
    expect(server.last()).toMatchObject({ method: 'PUT', url: '/users/5', body: '{"name":"Ann"}' })
  })

  test.each(['POST', 'PUT', 'PATCH'])(
    '1. when the method is %s a second argument (the body) is accepted',
    async (method) => {
      await new RestEndpoint({ ...at('/users/:id'), method })({ id: 5 }, [1])
      expect(server.last()).toMatchObject({ method, body: '[1]' })
    },
  )

  test('2. GET and DELETE default to no body', async () => {
    const call = (method: string): Promise<unknown> =>
      // An argument too many, which the types forbid.
      (new RestEndpoint({ ...at('/users/:id'), method }) as RestEndpoint)({ id: 5 }, { name: 'Ann' })
    await call('GET')
    expect(server.last().body).toBe('')
    await call('DELETE')
    expect(server.last().body).toBe('')
  })

  test('2. DELETE takes the body that it is given explicitly', async () => {
    const removeMany = new RestEndpoint({ ...at('/users'), method: 'DELETE', body: [] as string[] })
    await removeMany(['5', '13'])
    expect(server.last()).toMatchObject({ method: 'DELETE', url: '/users', body: '["5","13"]' })
  })

  test.each(['GET', 'HEAD', 'get'])('2. a body on %s is an OptionError that says what to do', (method) => {
    const define = (): unknown => new RestEndpoint({ path: '/users', method, body: {} } as never)
    expect(define).toThrow(OptionError)
    expect(define).toThrow(/add body: undefined/)
    const change = (): unknown => new RestEndpoint({ path: '/users', method: 'POST' }).extend({ method } as never)
    expect(change).toThrow(/add body: undefined/)
    expect(() => new RestEndpoint({ path: '/users', method: 'POST' }).extend({ method, body: undefined })).not.toThrow()
  })

  test('3. method only influences the arguments in the constructor, not in extend()', async () => {
    const save = new RestEndpoint({ ...at('/users/:id') }).extend({ method: 'POST' })
    await save({ id: 5 })
    expect(server.last()).toMatchObject({ method: 'POST', url: '/users/5', body: '' })
    await (save as RestEndpoint)({ id: 5 }, { name: 'Ann' })
    expect(server.last()).toMatchObject({ method: 'POST', url: '/users/5', body: '{"name":"Ann"}' })
    const replace = new RestEndpoint({ ...at('/users'), method: 'POST' }).extend({ method: 'DELETE' })
    await replace({ name: 'Ann' })
    expect(server.last()).toMatchObject({ method: 'DELETE', url: '/users', body: '{"name":"Ann"}' })
  })

  test('3. a method of the class influences them as one of the constructor does', async () => {
    class Post extends RestEndpoint {
      override readonly method = 'POST'
    }
    await new Post(at('/users'))({ name: 'Ann' })
    expect(server.last()).toMatchObject({ method: 'POST', body: '{"name":"Ann"}' })
    await new Post(at('/users/:id')).extend({ dataExpiryLength: 5 })({ id: 5 }, { name: 'Ann' })
    expect(server.last()).toMatchObject({ url: '/users/5', body: '{"name":"Ann"}' })
  })

  test.each(['POST', 'PUT', 'PATCH'])(
    '4. setting body to undefined removes the body argument, even for %s',
    async (method) => {
      await new RestEndpoint({ ...at('/users/:id'), method, body: undefined })({ id: 5 })
      expect(server.last()).toMatchObject({ method, url: '/users/5', body: '' })
      await base.extend({ ...at('/users'), method, body: undefined })()
      expect(server.last()).toMatchObject({ method, url: '/users', body: '' })
    },
  )

  test('5. with a body and fewer than two arguments, the URL parameters are an empty object; the body is the last argument', async () => {
    const save = new RestEndpoint({ ...at('/users{/:id}'), method: 'POST' })
    await save({ id: 5 })
    expect(server.last()).toMatchObject({ url: '/users', body: '{"id":5}' })
    await save({ id: 5 }, { name: 'Ann' })
    expect(server.last()).toMatchObject({ url: '/users/5', body: '{"name":"Ann"}' })
    const saveOne = new RestEndpoint({ ...at('/users/:id'), method: 'POST' }) as RestEndpoint
    await expect(saveOne({ id: 5 })).rejects.toThrow(UrlParamError)
  })

  test('5. without a body they are the first argument, or an empty object if it is absent', async () => {
    await new RestEndpoint(at('/users{/:id}'))()
    expect(server.last().url).toBe('/users')
    await (new RestEndpoint(at('/users{/:id}')) as RestEndpoint)(null)
    expect(server.last().url).toBe('/users')
  })

  test('call and apply call it, whatever their this; bind gives the first arguments', async () => {
    const get = new RestEndpoint(at('/users/:id'))
    expect(await get.call(null, { id: 1 })).toMatchObject({ url: '/users/1' })
    expect(await get.apply({}, [{ id: 2 }])).toMatchObject({ url: '/users/2' })
    const three = get.bind(undefined, { id: 3 })
    expect(await three()).toMatchObject({ url: '/users/3' })
    expect(three.key()).toBe(get.key({ id: 3 }))
  })
})

import { RestEndpoint, type RestGenerics } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

describe('getRequestInit(body): RequestInit (may be async)', () => {
  test('prepares the fetch options that are sent to fetchResponse', async () => {
    let sent: RequestInit | undefined
    const create = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users',
      method: 'POST',
      requestInit: { cache: 'no-store', headers: { a: 'b' } },
      fetchResponse(input, init) {
        sent = init
        return RestEndpoint.prototype.fetchResponse.call(this, input, init)
      },
    })
    await create({ name: 'Ann' })
    expect(sent).toEqual({
      method: 'POST',
      cache: 'no-store',
      headers: { a: 'b', 'content-type': 'application/json' },
      body: '{"name":"Ann"}',
    })
  })

  test('it may be overridden to add fields (for instance credentials, or a different method)', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users',
      async getRequestInit(body) {
        const init = await RestEndpoint.prototype.getRequestInit.call(this, body)
        return { ...init, method: 'DELETE', credentials: 'include' }
      },
    })
    expect(await get.getRequestInit()).toMatchObject({ credentials: 'include' })
    await get()
    expect(server.last().method).toBe('DELETE')
  })

  test('it may be overridden to transform the body before it is sent; the override calls the parent with the changed body', async () => {
    class Snake<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      override async getRequestInit(body?: Record<string, unknown>): Promise<RequestInit> {
        const renamed = Object.entries(body ?? {}).map(([name, value]) => [
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          value,
        ])
        return super.getRequestInit(Object.fromEntries(renamed))
      }
    }
    await new Snake({ urlPrefix: server.url, path: '/users', method: 'POST' })({ firstName: 'Ann' })
    expect(server.last().body).toBe('{"first_name":"Ann"}')
  })

  test('an override need not be async', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users',
      getRequestInit: () => ({ method: 'PATCH', body: 'own' }),
    })
    await get()
    expect(server.last()).toMatchObject({ method: 'PATCH', body: 'own' })
  })

  test('the signal of the endpoint goes along; without one that of requestInit', async () => {
    const { signal } = new AbortController()
    const other = new AbortController().signal
    const get = new RestEndpoint({ path: '/users', requestInit: { signal: other } })
    expect((await get.getRequestInit()).signal).toBe(other)
    expect((await get.extend({ signal }).getRequestInit()).signal).toBe(signal)
    expect(await new RestEndpoint({ path: '/users' }).getRequestInit()).not.toHaveProperty('signal')
  })
})

describe('getHeaders(headers): HeadersInit (may be async)', () => {
  test('called by getRequestInit to get the HTTP headers; it returns the given headers plus additions', async () => {
    const given: unknown[] = []
    const create = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users',
      method: 'POST',
      requestInit: { headers: { 'X-Shared': 'yes' } },
      getHeaders(headers) {
        given.push(headers)
        return { ...headers, 'Access-Token': 'abc' }
      },
    })
    await create({})
    expect(given).toEqual([{ 'X-Shared': 'yes', 'content-type': 'application/json' }])
    expect(server.last().headers).toMatchObject({
      'x-shared': 'yes',
      'access-token': 'abc',
      'content-type': 'application/json',
    })
  })

  test('it may be async', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users',
      async getHeaders(headers) {
        await new Promise((later) => setTimeout(later, 5))
        return { ...headers, late: 'yes' }
      },
    })
    await get()
    expect(server.last().headers.late).toBe('yes')
  })

  test('it may return Headers or pairs', async () => {
    const get = new RestEndpoint({ urlPrefix: server.url, path: '/users' })
    for (const own of [new Headers({ mine: 'yes' }), [['mine', 'yes']] as [string, string][]]) {
      await get.extend({ getHeaders: () => own })()
      expect(server.last().headers.mine).toBe('yes')
    }
  })

  test('one that returns nothing, as without a token, leaves the given headers', async () => {
    const create = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users',
      method: 'POST',
      getHeaders(headers) {
        headers.mine = 'yes'
        return undefined as never
      },
    })
    await create({})
    expect(server.last().headers).toMatchObject({ mine: 'yes', 'content-type': 'application/json' })
  })

  test('the headers of requestInit given as Headers or pairs can be spread', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users',
      requestInit: { headers: new Headers({ 'X-Shared': 'yes' }) },
      getHeaders: (headers) => ({ ...headers, more: 'yes' }),
    })
    await get()
    expect(server.last().headers).toMatchObject({ 'x-shared': 'yes', more: 'yes' })
  })
})

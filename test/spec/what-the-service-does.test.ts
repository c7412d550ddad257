import { Endpoint, Entity, RestEndpoint, type RestGenerics } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

class User extends Entity {
  static override key = 'User'
  id = ''
}

describe('What the service does', () => {
  test('a RestEndpoint describes one HTTP operation: path template, method, search parameters, body, schema, lifecycle options', () => {
    const update = new RestEndpoint({
      path: '/user/:id',
      method: 'PUT',
      searchParams: {} as { notify?: boolean },
      body: {} as { name: string },
      schema: User,
      dataExpiryLength: 5_000,
    })
    expect([update.path, update.method, update.schema, update.dataExpiryLength]).toEqual([
      '/user/:id',
      'PUT',
      User,
      5_000,
    ])
    expect(update.url({ id: 5, notify: true })).toBe('/user/5?notify=true')
  })

  test('calling an endpoint as a function builds the URL, prepares the request, sends it, parses the response and post-processes the value', async () => {
    const update = new RestEndpoint({
      urlPrefix: server.url,
      path: '/user/:id',
      method: 'PUT',
      body: {} as { name: string },
      process: (value: { url: string; body: string }) => `${value.url} ${value.body}`,
    })
    expect(await update({ id: 5 }, { name: 'Ann' })).toBe('/user/5 {"name":"Ann"}')
  })

  test('RestEndpoint extends a more general Endpoint type', () => {
    const get = new RestEndpoint({ path: '/user/:id' })
    expect(get).toBeInstanceOf(Endpoint)
    expect(get).toBeInstanceOf(Function)
    expect(typeof get).toBe('function')
  })

  class Prefixed<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
    override readonly urlPrefix = 'https://class.test'
    override readonly dataExpiryLength = 7
  }
  const ways = {
    'constructor arguments': new RestEndpoint({ path: '/a', urlPrefix: 'https://class.test', dataExpiryLength: 7 }),
    'arguments to extend': new RestEndpoint({ path: '/a' }).extend({
      urlPrefix: 'https://class.test',
      dataExpiryLength: 7,
    }),
    'overrides when using inheritance': new Prefixed({ path: '/a' }),
  }
  test.each(Object.entries(ways))('all options are accepted as %s', (_way, endpoint) => {
    expect(endpoint.url()).toBe('https://class.test/a')
    expect(endpoint.dataExpiryLength).toBe(7)
  })

  test('configuration is shared with RestEndpoint.extend(); object spread of an endpoint is not the way to copy it', async () => {
    const base = new RestEndpoint({ urlPrefix: server.url, path: '/echo', extra: 'kept' })
    const next = base.extend({ path: '/other' })
    expect(await next()).toMatchObject({ url: '/other' })
    expect(next).toHaveProperty('extra', 'kept')
    expect(typeof { ...base }).toBe('object')
  })

  test('without a schema, process determines the resolution value', async () => {
    const get = new RestEndpoint({ urlPrefix: server.url, path: '/echo', process: () => 'processed' })
    expect(await get()).toBe('processed')
  })

  test('authentication and response transformation are added by overriding members of the endpoint', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/private',
      getHeaders: (headers) => ({ ...headers, 'Access-Token': 't0k3n' }),
      process: ({ name }: { name: string }) => name.toUpperCase(),
    })
    expect(await get()).toBe('ANN')
  })
})

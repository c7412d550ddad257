import { Entity, RestEndpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}

describe('HTTP request shape', () => {
  /** Sends a body and returns what the server saw. */
  async function send(body: unknown, options: object = {}): Promise<{ type: string | undefined; body: string }> {
    await new RestEndpoint({ urlPrefix: server.url, path: '/echo', method: 'POST', ...options })(body)
    const { headers, body: text } = server.last()
    return { type: headers['content-type'], body: text }
  }

  test('Method: value of method (default GET)', async () => {
    await new RestEndpoint({ urlPrefix: server.url, path: '/echo' })()
    expect(server.last().method).toBe('GET')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      await new RestEndpoint({ urlPrefix: server.url, path: '/echo', method, body: undefined })()
      expect(server.last().method).toBe(method)
    }
  })

  test('URL: {urlPrefix} + filled path + optional ? + query string', async () => {
    const get = new RestEndpoint({ urlPrefix: `${server.url}/v1`, path: '/a/:b', searchParams: {} as { c?: number } })
    await get({ b: 1 })
    expect(server.last().url).toBe('/v1/a/1')
    await get({ b: 1, c: 2 })
    expect(server.last().url).toBe('/v1/a/1?c=2')
  })

  test('Header content-type: application/json, when a JSON body is sent, and only then', async () => {
    expect(await send({ a: 1 })).toEqual({ type: 'application/json', body: '{"a":1}' })
    await new RestEndpoint({ urlPrefix: server.url, path: '/echo' })()
    expect(server.last().headers).not.toHaveProperty('content-type')
    await new RestEndpoint({ urlPrefix: server.url, path: '/echo', method: 'DELETE' })()
    expect(server.last().headers).not.toHaveProperty('content-type')
    expect(await send(undefined)).toEqual({ type: undefined, body: '' })
  })

  class Point {
    readonly x = 1
    readonly y = 2
  }

  test.each<[what: string, body: unknown, text: string]>([
    ['a plain object', { a: 1, b: [2] }, '{"a":1,"b":[2]}'],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['an array', [1, 'two'], '[1,"two"]'],
    ['an entity', Object.assign(new User(), { id: '5', name: 'Ann' }), '{"id":"5","name":"Ann"}'],
    ['a class instance', new Point(), '{"x":1,"y":2}'],
    ['an object with toJSON', { toJSON: () => ({ as: 'said' }) }, '{"as":"said"}'],
    ['a Date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a number', 5, '5'],
    ['zero', 0, '0'],
    ['true', true, 'true'],
    ['false', false, 'false'],
    ['null', null, 'null'],
  ])('Body: %s is sent as JSON', async (_what, body, text) => {
    expect(await send(body)).toEqual({ type: 'application/json', body: text })
  })

  test('Body: text goes through untouched', async () => {
    expect(await send('a=1')).toEqual({ type: 'text/plain;charset=UTF-8', body: 'a=1' })
    expect(await send('')).toMatchObject({ body: '' })
  })

  test('Body: URLSearchParams go through untouched', async () => {
    const type = 'application/x-www-form-urlencoded;charset=UTF-8'
    expect(await send(new URLSearchParams({ a: '1' }))).toEqual({ type, body: 'a=1' })
  })

  test('Body: FormData goes through untouched', async () => {
    const form = new FormData()
    form.append('name', 'Ann')
    const { type, body } = await send(form)
    expect(type).toMatch(/^multipart\/form-data; boundary=/)
    expect(body).toContain('name="name"')
  })

  test('Body: a Blob goes through untouched', async () => {
    expect(await send(new Blob(['hi'], { type: 'text/css' }))).toEqual({ type: 'text/css', body: 'hi' })
  })

  test('Body: an ArrayBuffer and views of one go through untouched', async () => {
    const bytes = new TextEncoder().encode('hi')
    expect(await send(bytes)).toEqual({ type: undefined, body: 'hi' })
    expect(await send(bytes.buffer)).toEqual({ type: undefined, body: 'hi' })
    expect(await send(new DataView(bytes.buffer))).toEqual({ type: undefined, body: 'hi' })
  })

  test('Body: a ReadableStream goes through untouched', async () => {
    const stream = new Blob(['a stream']).stream()
    expect(await send(stream)).toEqual({ type: undefined, body: 'a stream' })
  })

  test("a user's content-type wins, in any letter case", async () => {
    for (const name of ['content-type', 'Content-Type', 'CONTENT-TYPE']) {
      const type = 'application/vnd.api+json'
      expect(await send({ a: 1 }, { requestInit: { headers: { [name]: type } } })).toMatchObject({ type })
      expect(await send({ a: 1 }, { requestInit: { headers: [[name, type]] } })).toMatchObject({ type })
      expect(await send({ a: 1 }, { requestInit: { headers: new Headers({ [name]: type }) } })).toMatchObject({ type })
      const before = { getHeaders: (headers: object) => ({ [name]: type, ...headers }) }
      const after = { getHeaders: (headers: object) => ({ ...headers, [name]: type }) }
      expect(await send({ a: 1 }, after)).toMatchObject({ type })
      if (name !== 'content-type') expect(await send({ a: 1 }, before)).toMatchObject({ type })
    }
  })

  test('the headers of requestInit are sent, as a record, as pairs and as Headers', async () => {
    const all = [{ 'X-One': '1' }, [['X-One', '1']], new Headers({ 'X-One': '1' })]
    for (const headers of all) {
      await send({ a: 1 }, { requestInit: { headers } })
      expect(server.last().headers).toMatchObject({ 'x-one': '1', 'content-type': 'application/json' })
    }
    await send(
      {},
      {
        requestInit: {
          headers: [
            ['X-One', '1'],
            ['X-One', '2'],
          ],
        },
      },
    )
    expect(server.last().headers).toMatchObject({ 'x-one': '1, 2' })
  })

  test('requestInit does not replace method, body and signal', async () => {
    const requestInit = { method: 'DELETE', body: 'other', headers: {} }
    expect(await send({ a: 1 }, { requestInit })).toMatchObject({ body: '{"a":1}' })
    expect(server.last().method).toBe('POST')
  })
})

import { Entity, NetworkError, OptionError, ResponseParseError, RestEndpoint, TransportError } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

class User extends Entity {
  static override key = 'User'
  id = ''
}

describe('parseResponse(response): Promise', () => {
  /** Parses a response of the server: its content-type (null: none), its body, and the endpoint's options. */
  async function parse(type: string | null, body: string, options: object = {}, status = 200): Promise<unknown> {
    const query = new URLSearchParams({ status: String(status), body, ...(type !== null && { type }) })
    const get: RestEndpoint = new RestEndpoint({ urlPrefix: server.url, path: `/answer?${query}` as string })
    return get.extend(options)()
  }

  test("content 'json': json parsing, whatever the content-type", async () => {
    expect(await parse('text/plain', '{"a":1}', { content: 'json' })).toEqual({ a: 1 })
    expect(await parse(null, '[1]', { content: 'json' })).toEqual([1])
  })

  test("content 'blob': Blob", async () => {
    const blob = await parse('application/json', '{"a":1}', { content: 'blob' })
    expect(blob).toBeInstanceOf(Blob)
    expect(await (blob as Blob).text()).toBe('{"a":1}')
  })

  test("content 'text': string", async () => {
    expect(await parse('application/json', '{"a":1}', { content: 'text' })).toBe('{"a":1}')
  })

  test("content 'arrayBuffer': ArrayBuffer, for in-memory binary processing", async () => {
    const bytes = await new RestEndpoint({ urlPrefix: server.url, path: '/bytes', content: 'arrayBuffer' })()
    expect(new Uint8Array(bytes)).toEqual(new Uint8Array([0, 255, 128, 1]))
  })

  test("content 'stream': the response body stream, ReadableStream of Uint8Array", async () => {
    const stream = await new RestEndpoint({ urlPrefix: server.url, path: '/bytes', content: 'stream' })()
    expect(stream).toBeInstanceOf(ReadableStream)
    const chunks: Uint8Array[] = []
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk)
    expect(chunks[0]).toBeInstanceOf(Uint8Array)
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([0, 255, 128, 1]))
  })

  describe('F13: content unset: auto-detect from the Content-Type response header', () => {
    test.each([
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/problem+json',
      'application/vnd.api+json;v=2',
      'application/hal+json',
    ])('%s is JSON', async (type) => {
      expect(await parse(type, '{"a":1}')).toEqual({ a: 1 })
    })

    test.each([
      'text/plain',
      'TEXT/HTML',
      'text/html; x=json',
      'text/csv',
      'application/xml',
      'application/atom+xml',
      'application/javascript',
      'application/x-www-form-urlencoded',
      'application/x-ndjson',
      'application/yaml',
      'application/csv',
      'text/event-stream',
    ])('%s is text', async (type) => {
      expect(await parse(type, '{"a":1}')).toBe('{"a":1}')
    })

    test.each([
      'image/png',
      'image/svg+xml',
      'application/octet-stream',
      'application/pdf',
      'application/zip',
      'audio/mpeg',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ])('%s is a Blob', async (type) => {
      const blob = await new RestEndpoint({
        urlPrefix: server.url,
        path: '/bytes',
        searchParams: {} as { type: string },
      })({
        type,
      })
      expect(blob).toBeInstanceOf(Blob)
      expect(new Uint8Array(await blob.arrayBuffer())).toEqual(new Uint8Array([0, 255, 128, 1]))
    })

    test('without a header it is text; with a schema JSON is tried', async () => {
      expect(await parse(null, '{"id":"5"}')).toBe('{"id":"5"}')
      expect(await parse(null, '{"id":"5"}', { schema: User })).toEqual({ id: '5' })
      expect(await parse(null, 'plain', { schema: User })).toBe('plain')
    })
  })

  test.each([204, 205])('F11: 1. status %i resolves to null, whatever content says', async (status) => {
    expect(await parse('application/json', '', {}, status)).toBeNull()
    for (const content of ['json', 'blob', 'text', 'arrayBuffer', 'stream']) {
      expect(await parse(null, '', { content }, status)).toBeNull()
    }
  })

  test('F11: HEAD resolves to null', async () => {
    expect(await new RestEndpoint({ urlPrefix: server.url, path: '/echo', method: 'HEAD' })()).toBeNull()
    expect(server.last().method).toBe('HEAD')
    const byInit = new RestEndpoint({ urlPrefix: server.url, path: '/echo' }).extend({
      getRequestInit: () => ({ method: 'HEAD' }),
    })
    expect(await byInit()).toBeNull()
  })

  test('F11: an empty or white body is null only where it would be parsed as JSON', async () => {
    for (const body of ['', ' \n\t']) {
      expect(await parse('application/json', body)).toBeNull()
      expect(await parse('text/plain', body, { content: 'json' })).toBeNull()
      expect(await parse(null, body, { schema: User })).toBeNull()
      expect(await parse('text/plain', body)).toBe(body)
      expect(await parse(null, body)).toBe(body)
    }
    const blob = await parse('application/pdf', '')
    expect(blob).toBeInstanceOf(Blob)
    expect((blob as Blob).size).toBe(0)
  })

  test('F12: a body that cannot be parsed is a ResponseParseError with url, status, content type and the first 200 characters', async () => {
    const page = `<!doctype html>${'x'.repeat(500)}`
    const error = (await parse('application/json', page, {}, 201).catch((reason) => reason)) as ResponseParseError
    expect(error).toBeInstanceOf(ResponseParseError)
    expect(error).toMatchObject({ status: 201, contentType: 'application/json', excerpt: page.slice(0, 200) })
    expect(error.url).toContain(`${server.url}/answer`)
    expect(error.cause).toBeInstanceOf(SyntaxError)
    await expect(parse('application/json', '{"cut":')).rejects.toThrow(ResponseParseError)
    await expect(parse('application/json', '{"a":1}\n{"a":2}')).rejects.toThrow(ResponseParseError)
  })

  describe('HTML from a dev server, where data is wanted', () => {
    const html = '<!DOCTYPE html>\n<html><body>app</body></html>'
    const message = /Got HTML from http.*\/answer.*Is urlPrefix missing/s

    test.each(['text/html', 'text/html; charset=utf-8', 'text/plain', null])('%s with a schema', async (type) => {
      const error = await parse(type, html, { schema: User }).catch((reason) => reason)
      expect(error).toBeInstanceOf(ResponseParseError)
      expect(error).toMatchObject({ message: expect.stringMatching(message), contentType: type, status: 200 })
    })

    test('without a schema, where content or the header says JSON', async () => {
      await expect(parse('text/html', html, { content: 'json' })).rejects.toThrow(message)
      await expect(parse('application/json', `\n <html lang="en">`)).rejects.toThrow(message)
    })

    test('with neither it is text, with a warning; no warning where text is requested', async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
      expect(await parse('text/html', html)).toBe(html)
      expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/Got HTML from .*urlPrefix.*content: 'text'/))
      expect(await parse('text/html', html, { content: 'text' })).toBe(html)
      expect(await parse('text/html', '<p>a part</p>')).toBe('<p>a part</p>')
      expect(warn).toHaveBeenCalledOnce()
      warn.mockRestore()
    })
  })

  describe('a response whose headers may not be read, as with the fetch of SvelteKit in a universal load', () => {
    function closed(body: string, status = 200): Response {
      const response = new Response(body, { status })
      response.headers.get = (name) => {
        throw new Error(`Failed to get response header "${name}"`)
      }
      return response
    }
    const ask = (body: string, options: object = {}): Promise<unknown> =>
      new RestEndpoint({ path: '/users/5' as string }).extend({ fetchResponse: async () => closed(body), ...options })()

    test('is JSON where there is a schema', async () => {
      expect(await ask('{"id":"5"}', { schema: User })).toEqual({ id: '5' })
      expect(await ask('', { schema: User })).toBeNull()
      await expect(ask('oops', { schema: User })).rejects.toThrow(ResponseParseError)
    })

    test('is what it looks like where there is none', async () => {
      expect(await ask('{"a":1}')).toEqual({ a: 1 })
      expect(await ask('plain')).toBe('plain')
      expect(await ask('{"a":1}', { content: 'text' })).toBe('{"a":1}')
      expect(await ask('{"a":1}', { content: 'json' })).toEqual({ a: 1 })
    })

    test('the body of an error can be read too', async () => {
      expect(await new NetworkError(closed('{"a":1}', 422)).body()).toEqual({ a: 1 })
      expect(await new NetworkError(closed('gone', 410)).body()).toBe('gone')
    })
  })

  test('a response that breaks off is a TransportError', async () => {
    const error = await new RestEndpoint({ urlPrefix: server.url, path: '/half' })().catch((reason) => reason)
    expect(error).toBeInstanceOf(TransportError)
    expect(error.url).toBe(`${server.url}/half`)
  })

  test.each(['blob', 'text', 'arrayBuffer', 'stream'])(
    '2. when content is set to %s, schema must be undefined (binary data cannot be normalized)',
    (content) => {
      const define = (): unknown => new RestEndpoint({ path: '/file', content, schema: User } as never)
      expect(define).toThrow(OptionError)
      const extend = (): unknown => new RestEndpoint({ path: '/file', schema: User }).extend({ content } as never)
      expect(extend).toThrow(/schema/)
      const base: RestEndpoint = new RestEndpoint({ path: '/file', schema: User })
      expect(() => base.extend({ content: content as 'blob', schema: undefined })).not.toThrow()
      class File extends RestEndpoint {
        override readonly content = content as 'blob'
      }
      expect(() => new File({ path: '/file', schema: User }).key()).toThrow(OptionError)
    },
  )

  test("3. for downloads, content: 'blob' and dataExpiryLength: 0", async () => {
    const download = new RestEndpoint({ urlPrefix: server.url, path: '/file', content: 'blob', dataExpiryLength: 0 })
    expect(download.dataExpiryLength).toBe(0)
    expect(await (await download()).text()).toBe('%PDF-1.7')
  })

  test('4. it may be overridden to return the filename from Content-Disposition with the blob; process types it', async () => {
    const download = new RestEndpoint({
      urlPrefix: server.url,
      path: '/file',
      content: 'blob',
      dataExpiryLength: 0,
      async parseResponse(response) {
        const blob = await RestEndpoint.prototype.parseResponse.call(this, response)
        const name = /filename="(.+?)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
        return { blob, name }
      },
      process: (value): { blob: Blob; name: string } => value,
    })
    const { blob, name } = await download()
    expect(name).toBe('report.pdf')
    expect(await blob.text()).toBe('%PDF-1.7')
  })

  test('4. or the Link response header with the results (used for cursor pagination)', async () => {
    const pages = new RestEndpoint({
      urlPrefix: server.url,
      path: '/pages',
      searchParams: {} as { cursor?: number },
      async parseResponse(response) {
        const results = await RestEndpoint.prototype.parseResponse.call(this, response)
        return { results, next: /cursor=(\d+)/.exec(response.headers.get('link') ?? '')?.[1] }
      },
      process: (value): { results: { id: string }[]; next: string } => value,
    })
    const { results, next } = await pages({ cursor: 3 })
    expect(results).toEqual([{ id: '3a' }, { id: '3b' }])
    expect(next).toBe('4')
  })
})

describe('process(value, ...args)', () => {
  test('default: identity', async () => {
    expect(await new RestEndpoint({ urlPrefix: server.url, path: '/echo' })()).toMatchObject({ url: '/echo' })
  })

  test('it receives the parsed value and the call arguments', async () => {
    let given: unknown[] = []
    const update = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users/:id',
      method: 'PUT',
      process(...all) {
        given = all
      },
    })
    await update({ id: 5 }, { name: 'Ann' })
    expect(given).toEqual([expect.objectContaining({ url: '/users/5' }), { id: 5 }, { name: 'Ann' }])
  })

  test('it may add a missing primary key to the value from the URL parameters', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users/:id',
      process: (value: object, { id }: { id: string | number }) => ({ ...value, id }),
    })
    expect(await get({ id: 5 })).toMatchObject({ id: 5, url: '/users/5' })
  })

  test('it shapes the result of calling the endpoint directly; it may be async', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path: '/echo',
      process: async ({ url }: { url: string }) => url,
    })
    expect(await get()).toBe('/echo')
  })
})

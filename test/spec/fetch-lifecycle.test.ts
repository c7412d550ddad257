import { RestEndpoint, type RestGenerics } from '@roundtable/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()
const steps: string[] = []

beforeEach(() => {
  steps.length = 0
})

/** Notes every step and goes on with the parent's. */
class Noted<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
  override url(params?: never): string {
    steps.push('url')
    return super.url(params)
  }
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    steps.push('getRequestInit')
    return super.getRequestInit(body)
  }
  override async getHeaders(headers: Record<string, string>): Promise<HeadersInit> {
    steps.push('getHeaders')
    return super.getHeaders(headers)
  }
  override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
    steps.push('fetchResponse')
    return super.fetchResponse(input, init)
  }
  override async parseResponse(response: Response): Promise<unknown> {
    steps.push('parseResponse')
    return super.parseResponse(response)
  }
  // biome-ignore lint/suspicious/noExplicitAny: what is parsed, and the arguments of any endpoint.
  override process(value: any, ...args: any): any {
    steps.push('process')
    return super.process(value, ...args)
  }
}

const order = ['url', 'getRequestInit', 'getHeaders', 'fetchResponse', 'parseResponse', 'process']

/** The same steps as options; `next` runs the parent's step. */
function noting(next: RestEndpoint): object {
  const note = (step: keyof RestEndpoint) =>
    function (this: RestEndpoint, ...args: unknown[]): unknown {
      steps.push(step)
      return (next[step] as (...args: unknown[]) => unknown).apply(this, args)
    }
  return Object.fromEntries(order.map((step) => [step, note(step as keyof RestEndpoint)]))
}

describe('Fetch lifecycle (fixed order)', () => {
  const path = '/users/:id'

  test('url, getRequestInit (which calls getHeaders), fetchResponse, parseResponse, process', async () => {
    await new Noted({ urlPrefix: server.url, path })({ id: 5 })
    expect(steps).toEqual(order)
  })

  test('every step can be overridden by a constructor option, calling RestEndpoint.prototype.x', async () => {
    await new RestEndpoint({ urlPrefix: server.url, path, ...noting(RestEndpoint.prototype) })({ id: 5 })
    expect(steps).toEqual(order)
  })

  test('every step can be overridden by extend, calling base.x', async () => {
    const base: RestEndpoint = new RestEndpoint({ urlPrefix: server.url, path })
    await base.extend(noting(base))({ id: 5 })
    expect(steps).toEqual(order)
    steps.length = 0
    const noted: RestEndpoint = new Noted({ urlPrefix: server.url, path })
    await noted.extend(noting(noted))({ id: 5 })
    expect(steps).toEqual(order.flatMap((step) => [step, step]))
  })

  test('1. url(urlParams) is computed; 3. fetchResponse(url, init) performs the HTTP call', async () => {
    let sent: unknown[] = []
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path,
      fetchResponse(input, init) {
        sent = [input, init.method]
        return RestEndpoint.prototype.fetchResponse.call(this, input, init)
      },
    })
    await get({ id: 5 })
    expect(sent).toEqual([`${server.url}/users/5`, 'GET'])
  })

  test('2. getRequestInit(body) is awaited', async () => {
    const get = new RestEndpoint({
      urlPrefix: server.url,
      path,
      async getRequestInit(body) {
        await new Promise((later) => setTimeout(later, 5))
        return { ...(await RestEndpoint.prototype.getRequestInit.call(this, body)), headers: { late: 'yes' } }
      },
    })
    await get({ id: 5 })
    expect(server.last().headers.late).toBe('yes')
  })

  test('4. parseResponse(response) parses the body; 5. process(parsed, ...args) runs on the parsed value', async () => {
    const seen: unknown[] = []
    const update = new RestEndpoint({
      urlPrefix: server.url,
      path,
      method: 'PUT',
      parseResponse: async (response) => `parsed ${response.status}`,
      process(...args) {
        seen.push(...args)
        return 'done'
      },
    })
    expect(await update({ id: 5 }, { name: 'Ann' })).toBe('done')
    expect(seen).toEqual(['parsed 200', { id: 5 }, { name: 'Ann' }])
  })

  test('5. the default process returns it unchanged', async () => {
    const value = { a: 1 }
    expect(new RestEndpoint({ path }).process(value, { id: 5 })).toBe(value)
  })

  test('6. all network requests pass through getRequestInit', async () => {
    const sent: unknown[] = []
    const base = new RestEndpoint({
      urlPrefix: server.url,
      path: '/users{/:id}',
      getRequestInit(body) {
        sent.push(body)
        return RestEndpoint.prototype.getRequestInit.call(this, body)
      },
    })
    await base()
    await base.extend({ method: 'POST', body: {} as object })({ a: 1 })
    await base.extend({ method: 'DELETE' })({ id: 5 })
    expect(sent).toEqual([undefined, { a: 1 }, undefined])
  })

  test('6. fetch() may be overridden with a call to the parent implementation to transform data', async () => {
    class Camel<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      // biome-ignore lint/suspicious/noExplicitAny: the arguments of any endpoint of this class.
      override async fetch(...args: any): Promise<any> {
        return { wrapped: await super.fetch(...args) }
      }
    }
    const get = new Camel({ urlPrefix: server.url, path })
    expect(await get({ id: 5 })).toMatchObject({ wrapped: { url: '/users/5' } })
    expect(await get.extend({ path: '/other' })()).toMatchObject({ wrapped: { url: '/other' } })
    const base: RestEndpoint = new RestEndpoint({ urlPrefix: server.url, path })
    const byOption = base.extend({
      async fetch(...args) {
        return { wrapped: await base.fetch.call(this, ...args) }
      },
    })
    expect(await byOption({ id: 5 })).toMatchObject({ wrapped: { url: '/users/5' } })
  })

  test.each(['url', 'getHeaders', 'getRequestInit', 'fetchResponse', 'parseResponse', 'process'])(
    'what %s throws is what the call rejects with',
    async (step) => {
      const error = new RangeError('mine')
      const get: RestEndpoint = new RestEndpoint({ urlPrefix: server.url, path: '/echo' })
      const broken = get.extend({
        [step]: () => {
          throw error
        },
      })
      await expect(broken()).rejects.toBe(error)
    },
  )
})

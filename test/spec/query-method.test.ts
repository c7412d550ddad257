import { Controller, RestEndpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { fakeTransport } from '../core/engine/fake-transport.js'

describe.each(['QUERY', 'query'] as const)("method: '%s'", (method) => {
  const search = new RestEndpoint({ path: '/contacts', method, body: {} as { name: string; page?: number } })

  test('is a read with a body', async () => {
    expect(search.sideEffect).toBeUndefined()
    const { transport, seen } = fakeTransport(() => Response.json([]))
    await search.extend({ transport })({ name: 'Ann' })
    expect(seen).toMatchObject([{ method: 'QUERY', url: '/contacts', body: '{"name":"Ann"}' }])
    expect(seen[0]?.headers.get('content-type')).toBe('application/json')
  })

  test('its body belongs to the key, in any order of its fields', () => {
    expect(search.key({ page: 2, name: 'Ann' })).toBe('QUERY /contacts {"name":"Ann","page":2}')
    expect(search.key({ name: 'Ann', page: 2 })).toBe(search.key({ page: 2, name: 'Ann' }))
    expect(search.testKey(search.key({ name: 'Ann' }))).toBe(true)
  })

  test('two readers of one body are one request, those of two bodies are two', async () => {
    const { transport, seen } = fakeTransport(({ body }) => Response.json({ asked: body }))
    const controller = new Controller({ transport })
    const ask = (name: string) => controller.fetch(search, { name })
    const found = await Promise.all([ask('Ann'), ask('Ann'), ask('Bob')])
    expect(seen).toHaveLength(2)
    expect(found.map(({ asked }) => asked)).toEqual(['{"name":"Ann"}', '{"name":"Ann"}', '{"name":"Bob"}'])
  })

  test('is one for hooks: watch fetches it', async () => {
    const controller = new Controller({ transport: async () => Response.json(['Ann']) })
    const query = controller.watch(search, { name: 'A' })
    await query.load()
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: ['Ann'] })
  })
})

import { NetworkError, OptionError, RestEndpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

describe('Errors', () => {
  const status = new RestEndpoint({ urlPrefix: '', path: '/status/:code' })
  const get = (code: number): Promise<unknown> => status.extend({ urlPrefix: server.url })({ code })

  test('HTTP response with ok false (for example 404): fetchResponse throws NetworkError', async () => {
    const response = status.fetchResponse(`${server.url}/status/404`, {})
    await expect(response).rejects.toThrow(NetworkError)
    await expect(get(404)).rejects.toThrow(NetworkError)
  })

  test('Status 204: not an error; parsed as null', async () => {
    await expect(get(204)).resolves.toBeNull()
  })

  test('Status 401: conventional signal of expired authorization', async () => {
    await expect(get(401)).rejects.toMatchObject({ name: 'NetworkError', status: 401 })
  })

  test('1. the error object carries a numeric status', async () => {
    const error = (await get(503).catch((reason) => reason)) as NetworkError
    expect(error.status).toBe(503)
    const policy = status.extend({ errorPolicy: (failed) => (failed.status >= 500 ? 'soft' : undefined) })
    expect(policy.errorPolicy?.(error)).toBe('soft')
  })

  test('written as JSON an error has its message and facts, and no credentials', async () => {
    const url = `${server.url.replace('//', '//ann:pw@')}/status/422?token=abc`
    const response = new Response('{"secret":1}', { status: 422, headers: { 'set-cookie': 'session=abc' } })
    const error = new NetworkError(response, { method: 'POST', url, cause: { token: 'abc' } })
    const json = JSON.parse(JSON.stringify(error))
    expect(json).toEqual({
      name: 'NetworkError',
      code: 'NETWORK',
      message: error.message,
      status: 422,
      statusText: '',
      url: `${server.url}/status/422?token=***`,
      method: 'POST',
    })
    expect(JSON.parse(JSON.stringify(new OptionError('path', 'is missing.')))).toMatchObject({
      name: 'OptionError',
      message: expect.stringMatching(/^Option 'path' is missing\. See /),
      option: 'path',
    })
  })

  test('failed requests hold no connection', async () => {
    for (let call = 0; call < 200; call++) await get(500).catch(() => {})
    expect(server.unfinished()).toBe(0)
  })
})

import { Endpoint, OptionError, RestEndpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'

describe('Limits: constants and defaults', () => {
  const get = new RestEndpoint({ path: '/users', searchParams: {} as Record<string, unknown> })

  test('urlPrefix default: empty string', () => expect(get.urlPrefix).toBe(''))
  test("method default: 'GET'", () => expect(get.method).toBe('GET'))
  test('search parameter order: sorted by key', () => expect(get.url({ b: 1, a: 2 })).toBe('/users?a=2&b=1'))
})

describe('option values', () => {
  const define = [
    ['RestEndpoint', (options: object) => new RestEndpoint({ path: '/users', ...options })],
    ['extend', (options: object) => new RestEndpoint({ path: '/users' }).extend(options)],
    ['Endpoint', (options: object) => new Endpoint(async () => 5, { name: 'get', ...options })],
  ] as const

  describe.each(define)('in %s', (_name, make) => {
    test.each(['dataExpiryLength', 'errorExpiryLength'])(
      '%s: NaN or negative is an OptionError at definition',
      (option) => {
        for (const value of [Number.NaN, -1, Number.NEGATIVE_INFINITY, '5', null]) {
          expect(() => make({ [option]: value })).toThrow(OptionError)
          expect(() => make({ [option]: value })).toThrow(option)
        }
      },
    )

    test.each(['dataExpiryLength', 'errorExpiryLength'])('%s: 0 and Infinity are all right', (option) => {
      for (const value of [0, 5, Number.POSITIVE_INFINITY, undefined]) {
        expect(make({ [option]: value })).toHaveProperty(option, value)
      }
    })

    test.each(['pollFrequency', 'timeout'])('%s: NaN, 0 or negative is an OptionError at definition', (option) => {
      for (const value of [Number.NaN, 0, -1, '5']) expect(() => make({ [option]: value })).toThrow(OptionError)
      for (const value of [1, 2 ** 31, Number.POSITIVE_INFINITY]) expect(() => make({ [option]: value })).not.toThrow()
    })
  })
})

import { KeyArgError, RestEndpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'

describe('searchToString(searchParams): string', () => {
  const get = new RestEndpoint({ path: '/users', searchParams: {} as Record<string, unknown> })

  test('1. standard URL search-parameter serialization', () => {
    const values = { text: 'a b&c=d', more: "é~!'()*-._", number: 1.5, yes: true, none: null, empty: '' }
    const standard = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]))
    standard.sort()
    expect(get.searchToString(values)).toBe(standard.toString())
  })

  test('1. the keys are sorted, so the output is deterministic', () => {
    expect(get.searchToString({ b: 1, a: 2, C: 3 })).toBe('C=3&a=2&b=1')
    expect(get.url({ b: 1, a: 2 })).toBe(get.url({ a: 2, b: 1 }))
  })

  test('arrays are repeated keys, in order', () => {
    expect(get.searchToString({ tag: ['b', 'a', 1], x: 5 })).toBe('tag=b&tag=a&tag=1&x=5')
  })

  test('2. it may be overridden to encode nested objects: a holding b is serialized as a%5Bb%5D=<value>', () => {
    const nested = get.extend({
      searchToString(params) {
        const flat = Object.entries(params).flatMap(([name, value]) =>
          typeof value === 'object'
            ? Object.entries(value).map(([inner, innerValue]) => [`${name}[${inner}]`, innerValue])
            : [[name, value]],
        )
        return RestEndpoint.prototype.searchToString.call(this, Object.fromEntries(flat))
      },
    })
    expect(nested.url({ a: { b: 5 }, c: 6 })).toBe('/users?a%5Bb%5D=5&c=6')
    class Nested extends RestEndpoint {
      override searchToString(params: Readonly<Record<string, unknown>>): string {
        return `flat&${super.searchToString({ n: Object.keys(params).length })}`
      }
    }
    expect(new Nested({ path: '/users' }).url({ a: {}, b: [] })).toBe('/users?flat&n=2')
  })

  test('nested objects without an override are a KeyArgError, never [object Object]', () => {
    for (const value of [{ b: 1 }, [{}], [[1]], new Map(), () => {}, Symbol('a')]) {
      expect(() => get.url({ a: value })).toThrow(KeyArgError)
    }
  })

  test('the error names the endpoint and the param, and says what to override', () => {
    const named = get.extend({ name: 'getUsers', searchParams: {} as Record<string, unknown> })
    for (const ask of [() => named.url({ filter: { a: 1 } }), () => named.searchToString({ filter: { a: 1 } })]) {
      expect(ask).toThrow(/getUsers.*\$\.filter is an object.*searchToString/)
      expect(ask).toThrow(expect.objectContaining({ endpoint: 'getUsers', path: '$.filter' }))
    }
    expect(() => named.key({ filter: [[1]] })).toThrow(/searchToString/)
    expect(() => named.key({ filter: () => 1 })).not.toThrow(/searchToString/)
  })
})

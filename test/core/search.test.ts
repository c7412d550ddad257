import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchWriter } from '../../core/src/path/search.js'
import { KeyArgError } from '../../core/src/util/errors.js'
import { cases } from '../cases.js'

const searchToString = searchWriter()

describe('a search writer writes', () => {
  const table: readonly (readonly [params: Record<string, unknown>, text: string])[] = [
    [{}, ''],
    [{ page: 2 }, 'page=2'],
    [{ sort: 'title', page: 2 }, 'page=2&sort=title'],
    [{ userId: undefined }, ''],
    [{ a: undefined, b: 1, c: undefined }, 'b=1'],
    [{ a: '' }, 'a='],
    [{ a: null }, 'a=null'],
    [{ a: true, b: false }, 'a=true&b=false'],
    [{ a: Number.NaN, b: -0, c: 1e21 }, 'a=NaN&b=0&c=1e%2B21'],
    [{ a: 12345678901234567890n }, 'a=12345678901234567890'],
    [{ a: [1, 2] }, 'a=1&a=2'],
    [{ a: [] }, ''],
    [{ a: ['y', undefined, 'x'] }, 'a=y&a=x'],
    [{ a: new Date(5) }, 'a=1970-01-01T00%3A00%3A00.005Z'],
    [{ q: 'a b+c&d=e' }, 'q=a+b%2Bc%26d%3De'],
    [{ q: "~!'()*-._é😀" }, 'q=%7E%21%27%28%29*-._%C3%A9%F0%9F%98%80'],
    [{ 'a b': 1, '[x]': 2 }, '%5Bx%5D=2&a+b=1'],
    [{ b: 1, B: 2, a: 3, ä: 4 }, 'B=2&a=3&b=1&%C3%A4=4'],
  ]
  test.each(table)('%o as %j', (params, text) => {
    expect(searchToString(params, 'get')).toBe(text)
  })
})

describe('a search writer throws a KeyArgError for', () => {
  const table: readonly (readonly [name: string, params: Record<string, unknown>, path: string])[] = [
    ['a nested object', { filter: { a: 1 } }, '$.filter'],
    ['a nested array', { a: [[1]] }, '$.a'],
    ['an object in an array', { a: [{}] }, '$.a'],
    ['a function', { a: () => 1 }, '$.a'],
    ['a symbol', { a: Symbol('x') }, '$.a'],
    ['an invalid Date', { a: new Date(Number.NaN) }, '$.a'],
    ['a lone surrogate', { a: '\ud800' }, '$.a'],
    ['a lone surrogate in a name', { 'x\udc00': 1 }, '$.x\udc00'],
  ]
  test.each(table)('%s', (_name, params, path) => {
    expect(() => searchToString(params, 'get')).toThrow(KeyArgError)
    expect(() => searchToString(params, 'get')).toThrow(expect.objectContaining({ path }))
  })
})

test('a search writer agrees with URLSearchParams', () => {
  const scalar = fc.oneof(fc.string({ unit: 'grapheme' }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
  const params = fc.dictionary(
    fc.string({ unit: 'grapheme' }),
    fc.oneof(scalar, fc.constant(undefined), fc.array(scalar)),
  )
  fc.assert(
    fc.property(params, (given) => {
      const expected = new URLSearchParams()
      for (const [name, value] of Object.entries(given)) {
        for (const item of [value].flat()) if (item !== undefined) expected.append(name, String(item))
      }
      expected.sort()
      expect(searchToString(given, 'get')).toBe(expected.toString())
    }),
    { numRuns: cases(5_000) },
  )
})

test('what a search writer wrote before makes no difference', () => {
  const name = fc.oneof(
    fc.constantFrom('page', 'sort', 'id', 'a b', 'ä', '__proto__', 'constructor', 'x\udc00', '1', ''),
    fc.string({ maxLength: 2 }),
  )
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'a',
      '',
      'a.b',
      '*',
      '\ud800',
      Symbol('s'),
      { deep: 1 },
      [['deep']],
      new Date(5),
      new Date(Number.NaN),
    ),
    fc.constantFrom(undefined, null, true, 7n, -0, 1e21, 1.5, Number.NaN, [1, 'b c', undefined], []),
  )
  // From entries, so that `__proto__` is a member like any other, and in any order.
  const params = fc.array(fc.tuple(name, value), { maxLength: 4 }).map(Object.fromEntries)
  const repeated = fc.array(fc.oneof(params, fc.constantFrom({ page: 1, sort: 'b' }, { sort: 'a', page: 2, id: 3 })))
  const inPath = new Set(['id', 'constructor'])
  fc.assert(
    fc.property(repeated, (calls) => {
      const used = searchWriter(inPath)
      for (const given of calls) {
        expect(outcome(() => used(given, 'get'))).toEqual(outcome(() => searchWriter(inPath)(given, 'get')))
        expect(outcome(() => used(given, 'get'))).toEqual(outcome(() => searchToString(without(inPath, given), 'get')))
      }
    }),
    { numRuns: cases(2_000) },
  )
})

function outcome(run: () => string): unknown {
  try {
    return run()
  } catch (error) {
    return error instanceof KeyArgError ? error.message : error
  }
}

function without(names: ReadonlySet<string>, params: object): object {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.has(name)))
}

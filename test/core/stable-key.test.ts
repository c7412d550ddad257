import { isDeepStrictEqual } from 'node:util'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KeyArgError } from '../../core/src/util/errors.js'
import { stableKey } from '../../core/src/util/stable-key.js'
import { cases } from '../cases.js'

class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
  toJSON(): unknown {
    return { cents: this.cents }
  }
}

class Plain {
  readonly x = 1
}

describe('stableKey writes', () => {
  const nullPrototype = Object.assign(Object.create(null) as Record<string, unknown>, { b: 1, a: 2 })
  const table: readonly (readonly [value: unknown, key: string])[] = [
    ['a', '"a"'],
    ['say "hi"\n\ud800', '"say \\"hi\\"\\n\\ud800"'],
    [1, '1'],
    ['1', '"1"'],
    [-0, '-0'],
    [0, '0'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
    [12345678901234567890n, '12345678901234567890n'],
    [5n, '5n'],
    [true, 'true'],
    ['true', '"true"'],
    [null, 'null'],
    [undefined, 'undefined'],
    [[], '[]'],
    [{}, '{}'],
    [[1, '1', [null, undefined]], '[1,"1",[null,undefined]]'],
    [{ b: 1, a: 'x', c: undefined }, '{"a":"x","b":1}'],
    [{ userId: undefined }, '{}'],
    [{ filter: { z: 1, a: [{ y: 1, b: 2 }] } }, '{"filter":{"a":[{"b":2,"y":1}],"z":1}}'],
    [nullPrototype, '{"a":2,"b":1}'],
    [{ 'a":1,"b': 1 }, '{"a\\":1,\\"b":1}'],
    [new Date(0), '@"1970-01-01T00:00:00.000Z"'],
    [new Date(0).toISOString(), '"1970-01-01T00:00:00.000Z"'],
    [new Money(5), '~{"cents":5}'],
    [{ toJSON: () => 'x' }, '~"x"'],
    [new URL('https://api.test/'), '~"https://api.test/"'],
    [{ [Symbol('s')]: 1, a: 1 }, '{"a":1}'],
    [JSON.parse('{"__proto__":1,"constructor":2}'), '{"__proto__":1,"constructor":2}'],
    [runInNewContext('({ b: [1], a: new Date(0) })'), '{"a":@"1970-01-01T00:00:00.000Z","b":[1]}'],
  ]
  test.each(table)('%o as %s', (value, key) => {
    expect(stableKey(value)).toBe(key)
  })
})

describe('stableKey throws a KeyArgError for', () => {
  const ring: Record<string, unknown> = {}
  ring.self = { ring }
  const deep = (levels: number): unknown => {
    let value: unknown = 1
    for (let level = 0; level < levels; level++) value = [value]
    return value
  }
  const table: readonly (readonly [name: string, value: unknown, path: string, reason: RegExp])[] = [
    ['a function', () => 1, '$', /is a function/],
    ['a nested function', { a: [1, { 'b-c': () => 1 }] }, '$.a[1].b-c', /is a function/],
    ['a symbol', { a: Symbol('x') }, '$.a', /is a symbol/],
    ['a circle', ring, '$.self.ring', /contains itself/],
    ['a Map', { a: new Map() }, '$.a', /is a Map/],
    ['a Set', { a: new Set() }, '$.a', /is a Set/],
    ['a class instance', { a: new Plain() }, '$.a', /is a Plain/],
    ['a boxed number', { a: Object(1) }, '$.a', /is a Number/],
    ['a RegExp', /x/, '$', /is a RegExp/],
    ['a Promise', Promise.resolve(), '$', /is a Promise/],
    ['a typed array', new Uint8Array(2), '$', /is a Uint8Array/],
    ['an invalid Date', { a: new Date(Number.NaN) }, '$.a', /invalid Date/],
    ['what toJSON must not return', { a: { toJSON: () => () => 1 } }, '$.a', /is a function/],
    ['too deep nesting', deep(501), `$${'[0]'.repeat(500)}`, /deeper than 500/],
    ['20,000 levels', deep(20_000), `$${'[0]'.repeat(500)}`, /deeper than 500/],
  ]
  test.each(table)('%s', (_name, value, path, reason) => {
    expect(() => stableKey(value)).toThrow(KeyArgError)
    expect(() => stableKey(value)).toThrow(reason)
    expect(() => stableKey(value)).toThrow(expect.objectContaining({ path }))
  })

  test('but not for the same object twice, nor for 500 levels', () => {
    const shared = { a: 1 }
    expect(stableKey([shared, shared])).toBe('[{"a":1},{"a":1}]')
    expect(stableKey(deep(500))).toContain('1')
  })
})

/** Data that is easily confused: few values, also as text of each other. */
const small = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(0, -0, 1, 5, -1, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 5n, 1n, true, false, null, undefined),
    fc.constantFrom(
      '',
      '0',
      '-0',
      '1',
      '5n',
      'null',
      'true',
      'undefined',
      'NaN',
      ',',
      '"',
      '\\',
      '\\"',
      '{}',
      '[]',
      ':',
      '@',
      '~',
    ),
    fc.constantFrom(new Date(0), new Date(1), '1970-01-01T00:00:00.000Z', '@1970-01-01T00:00:00.000Z'),
    fc.constantFrom('a', 'é', 'e\u0301', '\ud800', '\\ud800', '😀', '\n', '\\n'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '', '"', '1', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
})).value

const any = fc.anything({
  withBigInt: true,
  withDate: true,
  withNullPrototype: true,
  values: [fc.double(), fc.integer(), fc.string({ unit: 'binary' }), fc.boolean(), fc.constantFrom(null, undefined)],
})

/** The same data without members that are undefined, and without null prototypes. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, canonical(member)]))
}

function hasInvalidDate(value: unknown): boolean {
  if (value instanceof Date) return Number.isNaN(value.getTime())
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInvalidDate)
}

describe('stableKey', () => {
  test.each([
    ['easily confused', small],
    ['random', any],
  ] as const)('gives two %s values the same text exactly if they are the same data', (_name, values) => {
    const given = values.filter((value) => !hasInvalidDate(value))
    fc.assert(
      fc.property(given, given, (left, right) => {
        expect(stableKey(left) === stableKey(right)).toBe(isDeepStrictEqual(canonical(left), canonical(right)))
      }),
      { numRuns: cases(20_000) },
    )
  })

  test('gives the same text whatever the order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), small), (record) => {
        const reversed = Object.fromEntries(Object.entries(record).reverse())
        expect(stableKey(reversed)).toBe(stableKey(record))
      }),
    )
  })
})

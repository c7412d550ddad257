import { RestEndpoint } from '@roundtable/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { template } from '../../core/src/path/template.js'
import { OptionError, UrlOriginError, UrlParamError } from '../../core/src/util/errors.js'
import { cases } from '../cases.js'

type Params = Readonly<Record<string, unknown>>

/** A random template together with params for it, and what must come of them. */
interface Sample {
  readonly source: string
  readonly params: Params
  /** Slashes in the path part, counted before anything is encoded. */
  readonly slashes: number
  /** The expected form of the path part. */
  readonly pattern: string
}

/** Values written as they may come from users: with slashes, dots, signs, other scripts, and hosts of somebody else. */
const hostileText = fc.constantFrom(
  ...[
    'a/b',
    '//evil.test',
    '@evil.test',
    ':8443',
    '.evil.test',
    '\\evil',
    '?x=1',
    '#x',
    'a b',
    '%2F',
    '%252e',
    '\t',
    '\r\n',
  ],
  ...['...', '.a', 'a.', '~', '😀', 'größe', "it's", '(x)', '*', ':id', '{x}', '-', '--', 'x-y', '0', 'constructor'],
)
const spelledDots = fc.constantFrom('.', '..', '%2e', '%2E%2e', '.%2e', '%2e.')
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const text = fc
  .oneof(hostileText, anyText, fc.integer({ min: 0, max: 99 }).map(String))
  .filter((value) => !isDots(value))
const value = fc.oneof(text, fc.integer(), fc.boolean())

function isDots(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment)
}

/** False for a template that would run into its prefix, which is refused at definition. */
function isJoint(path: string, urlPrefix: string): boolean {
  try {
    new RestEndpoint({ path, urlPrefix })
    return true
  } catch (error) {
    if (error instanceof OptionError && error.reason.includes('runs into')) return false
    throw error
  }
}

/** What `encodeURIComponent` writes of one value or more characters. */
const written = "(?:[\\w.!~*'()-]|%[0-9A-F]{2})+"

interface Part {
  readonly source: string
  readonly params: Params
  readonly slashes: number
  readonly pattern: string
}

const word = fc.constantFrom('/a', '/users', '/b.c', '/x+y', '/[1]', '/c!', '/\\:d', '/é', '-', '~', '@', ',e', '/f-')
const wordPart = word.map((source): Part => {
  const literal = source.replace('\\', '')
  return { source, params: {}, slashes: literal.startsWith('/') ? 1 : 0, pattern: literal.replace(/[+.[\]]/g, '\\$&') }
})

function joined(parts: readonly Part[]): Part {
  return {
    source: parts.map((part) => part.source).join(''),
    params: Object.assign({}, ...parts.map((part) => part.params)),
    slashes: parts.reduce((sum, part) => sum + part.slashes, 0),
    pattern: parts.map((part) => part.pattern).join(''),
  }
}

function param(name: string): fc.Arbitrary<Part> {
  return value.map((given) => ({ source: `:${name}`, params: { [name]: given }, slashes: 0, pattern: written }))
}

function wildcard(name: string): fc.Arbitrary<Part> {
  return fc.array(text, { minLength: 1, maxLength: 4 }).map((given) => ({
    source: `*${name}`,
    params: { [name]: given },
    slashes: given.length - 1,
    pattern: `${written}(?:/${written})*`,
  }))
}

/** Text and what follows it: a param always has text before it, or it would touch another. */
function step(name: string): fc.Arbitrary<Part> {
  const filled = fc.tuple(wordPart, fc.oneof(param(name), param(`"${name}-q"`).map(quoted), wildcard(name))).map(joined)
  const pair = fc.tuple(wordPart, param(name), wordPart, param(`${name}2`)).map(joined)
  const nested = fc.tuple(wordPart, param(name), group(fc.tuple(wordPart, param(`${name}3`)).map(joined))).map(joined)
  return fc.oneof(wordPart, filled, group(fc.oneof(filled, pair, nested)))
}

function quoted(part: Part): Part {
  const params = Object.fromEntries(
    Object.entries(part.params).map(([name, given]) => [name.replaceAll('"', ''), given]),
  )
  return { ...part, params }
}

function group(inner: fc.Arbitrary<Part>): fc.Arbitrary<Part> {
  return fc.tuple(inner, fc.boolean()).map(([part, present]) => {
    const source = `{${part.source}}`
    const pattern = `(?:${part.pattern})?`
    return present ? { ...part, source, pattern } : { source, params: {}, slashes: 0, pattern }
  })
}

const query = fc.constantFrom<readonly (readonly [string, Params])[]>(
  [],
  [['?q=:q', { q: '' }]],
  [['?{q=:q}{&page=:page}', {}]],
  [['?{q=:q}{&page=:page}', { page: 2 }]],
  [['?{q=:q}{&page=:page}', { q: '../?', page: 2 }]],
)

const sample: fc.Arbitrary<Sample> = fc
  .tuple(fc.constantFrom('/w', '/v/w', ''), step('a'), step('b'), step('c'), query)
  .map(([head, a, b, c, tail]) => {
    const start: Part = { source: head, params: {}, slashes: head.split('/').length - 1, pattern: head }
    const path = joined([start, a, b, c])
    const source = path.source + tail.map(([text]) => text).join('')
    return { ...path, source, params: Object.assign({}, path.params, ...tail.map(([, given]) => given)) }
  })

const api = 'https://api.test'
const runs = { numRuns: cases(3_000) }
const manyRuns = { numRuns: cases(10_000) }

/** The URL, or undefined if the params cannot stand in it (text and values together may spell a dot segment). */
function filled({ source, params }: Sample): string | undefined {
  try {
    return template(source).fill(params, 'sample')
  } catch (error) {
    expect(error).toBeInstanceOf(UrlParamError)
    return undefined
  }
}

/** The key, or undefined if the params would send the request elsewhere. */
function keyOf(endpoint: RestEndpoint, params: Params): string | undefined {
  try {
    return endpoint.key(params)
  } catch (error) {
    expect(error).toBeInstanceOf(UrlOriginError)
    return undefined
  }
}

describe('for random templates and params', () => {
  test('the path has as many segments as the template with its groups and wildcards filled', () => {
    let count = 0
    fc.assert(
      fc.property(sample, (given) => {
        const url = filled(given)
        fc.pre(url !== undefined && (url === '' || /^[/?]/.test(url)))
        count++
        const slashes = new URL(api + url).pathname.split('/').length - 1
        expect(slashes).toBe(Math.max(given.slashes, 1))
      }),
      runs,
    )
    expect(count).toBeGreaterThan(cases(1_500))
  })

  test('fill refuses only dot segments', () => {
    fc.assert(
      fc.property(sample, (given) => {
        if (filled(given) !== undefined) return
        expect(
          Object.values(given.params)
            .flat()
            .some((each) => /[.%]/.test(String(each))) || /[.]/.test(given.source),
        ).toBe(true)
      }),
      runs,
    )
  })

  test('a dot segment in any spelling is refused, at any position', () => {
    fc.assert(
      fc.property(
        sample,
        spelledDots,
        fc.constantFrom('/:z', '/*z', '{/:z}'),
        fc.boolean(),
        (given, dots, part, behind) => {
          fc.pre(!given.source.includes('?'))
          const source = behind ? `${given.source}${part}/end` : `/start${part}${given.source.replace(/^(?!\/)/, '/')}`
          const params = { ...given.params, z: part === '/*z' ? ['x', dots] : dots }
          expect(() => template(source).fill(params, 'sample')).toThrow(UrlParamError)
        },
      ),
      runs,
    )
  })

  test('the origin changes only where originAtRisk reports it', () => {
    fc.assert(
      fc.property(sample, (given) => {
        const url = filled(given)
        fc.pre(url !== undefined)
        const { originAtRisk, names } = template(given.source)
        if (originAtRisk || names.size === 0) return
        expect(new URL(api + url).origin).toBe(api)
        expect(new URL(url as string, api).origin).toBe(api)
      }),
      runs,
    )
  })

  test('a template matches what it fills', () => {
    fc.assert(
      fc.property(sample, (given) => {
        const url = filled(given)
        fc.pre(url !== undefined)
        expect(template(given.source).matches(url as string)).toBe(true)
        expect(template(given.source).matches(`${(url as string).split('?', 1)[0]}?other=1`)).toBe(true)
      }),
      manyRuns,
    )
  })

  test('B12: an endpoint knows its own keys, and those of a sibling only if they could be its own', () => {
    const methods = fc.constantFrom('GET', 'POST', 'DELETE')
    const prefixes = fc.constantFrom('', 'https://api.test', '/v1')
    fc.assert(
      fc.property(sample, sample, methods, prefixes, (given, sibling, method, urlPrefix) => {
        fc.pre(filled(given) !== undefined)
        const of = (path: string, prefix: string = urlPrefix) => {
          fc.pre(isJoint(path, prefix))
          return new RestEndpoint({ path, method, urlPrefix: prefix, body: undefined })
        }
        const own = of(given.source)
        const key = keyOf(own, given.params)
        fc.pre(key !== undefined)
        expect(own.testKey(key as string)).toBe(true)
        expect(own.extend({ method: 'PUT' }).testKey(key as string)).toBe(false)
        expect(of(given.source, 'https://other.test').testKey(key as string)).toBe(false)
        const path = (key as string).slice(`${method} ${urlPrefix}`.length).split('?', 1)[0] as string
        const could = new RegExp(`^(?:${sibling.pattern})$`, 'u').test(path)
        expect(of(sibling.source).testKey(key as string)).toBe(could)
      }),
      manyRuns,
    )
  })

  test('a template matches what another one fills exactly if it could have filled it too', () => {
    fc.assert(
      fc.property(sample, sample, (given, sibling) => {
        const url = filled(given)
        fc.pre(url !== undefined)
        const path = (url as string).split('?', 1)[0] as string
        const could = new RegExp(`^(?:${sibling.pattern})$`, 'u').test(path)
        expect(template(sibling.source).matches(url as string)).toBe(could)
      }),
      manyRuns,
    )
  })

  test('a template does not match what siblings fill: other word, other case, one segment more, a trailing slash', () => {
    fc.assert(
      fc.property(sample, (given) => {
        fc.pre(given.source.startsWith('/w') && !given.source.includes('*'))
        const url = filled(given)
        fc.pre(url !== undefined)
        const path = (url as string).split('?', 1)[0] as string
        const { matches } = template(given.source)
        expect(matches(path.replace('/w', '/q'))).toBe(false)
        expect(matches(path.replace('/w', '/W'))).toBe(false)
        expect(matches(`${path}/`)).toBe(false)
        if (!given.source.includes('{')) expect(matches(`${path}/more`)).toBe(false)
      }),
      manyRuns,
    )
  })

  test('params of a template are taken as they are by encodeURIComponent', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(template('/w/:id').fill({ id: given }, 'sample')).toBe(`/w/${encodeURIComponent(given)}`)
      }),
    )
  })
})

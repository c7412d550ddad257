import { lifetimeOf } from '@roundtable/core/http'
import CachePolicy from 'http-cache-semantics'
import { describe, expect, test } from 'vitest'
import { Random } from '../../simulation/random.js'

type Headers = Readonly<Record<string, string>>

const NOW = Date.UTC(2026, 0, 1, 12)

const of = (headers: Headers) => lifetimeOf((name) => headers[name], NOW)

/** So many sets of headers are compared. */
const SETS = Number(process.env.HEADER_SETS ?? 10_000)

describe('lifetimeOf', () => {
  const forever = { shownFor: undefined, errorFor: undefined, mustRevalidate: false }

  test.each<[string, Headers, object]>([
    ['nothing', {}, { freshFor: undefined, ...forever }],
    ['max-age', { 'cache-control': 'max-age=60' }, { freshFor: 60_000, ...forever }],
    ['max-age less Age', { 'cache-control': 'max-age=60', age: '45' }, { freshFor: 15_000, ...forever }],
    ['an Age beyond max-age', { 'cache-control': 'max-age=60', age: '90' }, { freshFor: 0, ...forever }],
    [
      's-maxage, which is for others',
      { 'cache-control': 's-maxage=600, max-age=60' },
      { freshFor: 60_000, ...forever },
    ],
    ['s-maxage alone', { 'cache-control': 's-maxage=600' }, { freshFor: undefined, ...forever }],
    [
      'Last-Modified, from which nothing is guessed',
      { 'last-modified': new Date(0).toUTCString() },
      { freshFor: undefined },
    ],
    [
      'max-age beyond all numbers',
      { 'cache-control': `max-age=${'9'.repeat(309)}`, age: '9'.repeat(309) },
      { freshFor: 0, ...forever },
    ],
    [
      'max-age beyond all numbers, and a little Age',
      { 'cache-control': `max-age=${'9'.repeat(309)}, stale-while-revalidate=${'9'.repeat(309)}`, age: '1' },
      { freshFor: (2 ** 31 - 1) * 1_000, shownFor: (2 ** 32 - 1) * 1_000 },
    ],
    ['private', { 'cache-control': 'private, max-age=60' }, { freshFor: 60_000, ...forever }],
    ['no-cache', { 'cache-control': 'no-cache, max-age=60' }, { freshFor: 0, mustRevalidate: true }],
    ['no-store', { 'cache-control': 'no-store' }, { freshFor: 0, mustRevalidate: true }],
    ['must-revalidate', { 'cache-control': 'max-age=60, must-revalidate' }, { freshFor: 60_000, mustRevalidate: true }],
    ['Vary: *', { 'cache-control': 'max-age=60', vary: '*' }, { freshFor: 0 }],
    ['Vary: *, and nothing else', { vary: ' * ' }, { freshFor: 0 }],
    ['Expires', { expires: new Date(NOW + 5_000).toUTCString() }, { freshFor: 5_000, ...forever }],
    [
      'Expires by a clock that is an hour off',
      { date: new Date(NOW + 3_600_000).toUTCString(), expires: new Date(NOW + 3_605_000).toUTCString() },
      { freshFor: 5_000 },
    ],
    ['Expires that is no date', { expires: '0' }, { freshFor: 0 }],
    ['Expires beside max-age', { 'cache-control': 'max-age=60', expires: '0' }, { freshFor: 60_000 }],
    [
      'stale-while-revalidate',
      { 'cache-control': 'max-age=60, stale-while-revalidate=30', age: '10' },
      { freshFor: 50_000, shownFor: 80_000 },
    ],
    [
      'stale-while-revalidate alone',
      { 'cache-control': 'stale-while-revalidate=30' },
      { freshFor: 0, shownFor: 30_000 },
    ],
    [
      'stale-while-revalidate that must-revalidate forbids',
      { 'cache-control': 'max-age=60, must-revalidate, stale-while-revalidate=30' },
      { shownFor: undefined, mustRevalidate: true },
    ],
    ['stale-if-error', { 'cache-control': 'max-age=60, stale-if-error=30' }, { freshFor: 60_000, errorFor: 90_000 }],
    ['capital letters', { 'cache-control': 'MAX-AGE=60' }, { freshFor: 60_000 }],
    ['quotes', { 'cache-control': 'max-age="60"' }, { freshFor: 60_000 }],
    ['a comma in quotes', { 'cache-control': 'private="a, max-age=5", max-age=60' }, { freshFor: 60_000 }],
    ['the first of two', { 'cache-control': 'max-age=60, max-age=5' }, { freshFor: 60_000 }],
    ['max-age that is no number', { 'cache-control': 'max-age=soon' }, { freshFor: 0 }],
    ['max-age without a number', { 'cache-control': 'max-age' }, { freshFor: 0 }],
    ['a negative max-age', { 'cache-control': 'max-age=-5' }, { freshFor: 0 }],
    ['a fraction', { 'cache-control': 'max-age=1.5' }, { freshFor: 0 }],
    ['rubbish', { 'cache-control': ',,=,;;"' }, { freshFor: undefined }],
  ])('%s', (_, headers, expected) => {
    expect(of(headers)).toMatchObject(expected)
  })

  // HEADER_SETS=100000 npx vitest run -c test/projects/unit.ts test/core/http/lifetime.test.ts
  test(`agrees with http-cache-semantics on ${SETS} sets of headers`, () => {
    const random = new Random(1)
    const differences: string[] = []
    let fresh = 0
    for (let i = 0; i < SETS; i++) {
      const headers = someHeaders(random)
      const policy = policyOf(headers)
      const { freshFor = 0, shownFor = 0, errorFor = 0, mustRevalidate } = of(headers)
      if (freshFor > 0) fresh++
      const isAlike =
        freshFor === Math.max(0, (policy.maxAge() - policy.age()) * 1_000) &&
        freshFor > 0 === !policy.stale() &&
        // The oracle answers how long it may be shown without looking at must-revalidate.
        (mustRevalidate || shownFor > freshFor === policy.useStaleWhileRevalidate()) &&
        (mustRevalidate || Math.max(freshFor, shownFor, errorFor) === policy.timeToLive())
      if (!isAlike) differences.push(JSON.stringify(headers))
    }
    expect(differences).toEqual([])
    expect(fresh).toBeGreaterThan(SETS / 5)
  }, 60_000)
})

/** A policy of a private cache without guesses, for a response that arrives at `NOW`. */
function policyOf(headers: Headers) {
  class Policy extends CachePolicy {
    // The package's types leave out these two.
    declare readonly useStaleWhileRevalidate: () => boolean
    now(): number {
      return NOW
    }
  }
  const given = { shared: false, cacheHeuristic: 0, immutableMinTimeToLive: 0 }
  return new Policy({ method: 'GET', url: '/', headers: {} }, { status: 200, headers }, given)
}

/**
 * Headers that mean something, often more than one at a time; where the oracle takes liberties (fractions, numbers
 * below zero, twice the same), nothing.
 */
function someHeaders(random: Random): Headers {
  const seconds = (): string => random.pick(['0', '1', '5', '60', '3600', '86400', 'x', '"60"'])
  const grace = (): string => random.pick(['0', '1', '30', '600', 'x'])
  const directives = [
    `max-age=${seconds()}`,
    'max-age',
    `s-maxage=${seconds()}`,
    'private',
    'public',
    'no-cache',
    'no-cache="set-cookie"',
    'no-store',
    'no-transform',
    'must-revalidate',
    'proxy-revalidate',
    'immutable',
    `stale-while-revalidate=${grace()}`,
    `stale-if-error=${grace()}`,
    'unknown=5',
  ]
  const chosen = directives.filter((one) => random.chance(one.startsWith('max-age=') ? 0.6 : 0.1))
  // Of two with one name the oracle takes the last.
  const single = chosen.filter((one, i) => chosen.findIndex((other) => nameOf(other) === nameOf(one)) === i)
  const date = (): string => random.pick([NOW - 3_600_000, NOW, NOW + 5_000, NOW + 86_400_000]).toString()
  const written = (ms: string): string => new Date(Number(ms)).toUTCString()
  return {
    ...(random.chance(0.8) && { 'cache-control': single.join(random.pick([',', ', ', ' , '])) }),
    ...(random.chance(0.3) && { age: random.pick(['0', '1', '59', '61', '4000', 'x']) }),
    ...(random.chance(0.4) && { expires: random.pick([written(date()), '0', '-1', 'soon']) }),
    ...(random.chance(0.4) && { date: written(date()) }),
    ...(random.chance(0.1) && { vary: random.pick(['*', 'accept', 'accept, cookie']) }),
    ...(random.chance(0.2) && { 'last-modified': written(date()) }),
    ...(random.chance(0.2) && { etag: '"1"' }),
  }
}

function nameOf(directive: string): string {
  return directive.split('=')[0] ?? ''
}

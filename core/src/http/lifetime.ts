import { httpDate } from '../util/http-date.js'

/** How long a response may be used, by HTTP's rules for a private cache (RFC 9111, RFC 5861), in ms since its arrival. */
export interface Lifetime {
  /** How long it is fresh; undefined without a header. */
  readonly freshFor: number | undefined
  /** How long it may be shown although it is stale; undefined without a header. */
  readonly shownFor: number | undefined
  /** How long it may be shown although refreshing it fails; undefined without a header. */
  readonly errorFor: number | undefined
  /** True if it may not be shown once it is stale. */
  readonly mustRevalidate: boolean
}

/** Reads one header; undefined if there is none. */
export type HeaderOf = (name: string) => string | undefined

/**
 * Returns how long a response may be used.
 *
 * @remarks
 * `s-maxage` is for shared caches, and no lifetime is guessed from `Last-Modified`. An unreadable lifetime counts as
 * missing.
 *
 * @param now - Wall clock in ms, for `Expires` without `Date`.
 * @example
 * ```ts
 * lifetimeOf((name) => ({ 'cache-control': 'max-age=60, stale-while-revalidate=30', age: '10' })[name], Date.now())
 * // { freshFor: 50_000, shownFor: 80_000, errorFor: undefined, mustRevalidate: false }
 * ```
 */
export function lifetimeOf(header: HeaderOf, now: number): Lifetime {
  const directives = directivesOf(header('cache-control') ?? '')
  const seconds = (name: string): number | undefined => {
    const value = directives.get(name)
    return value === undefined ? undefined : secondsOf(value)
  }
  const isForbidden = directives.has('no-cache') || directives.has('no-store')
  const grace = seconds('stale-while-revalidate')
  const errorGrace = seconds('stale-if-error')
  const said = seconds('max-age') ?? expiresIn(header, now)
  // A server that allows stale data for a while but sends no lifetime allows no fresh data.
  const isVague = said === undefined && grace === undefined && errorGrace === undefined
  const isFresh = !isForbidden && header('vary')?.trim() !== '*'
  const life = isFresh ? (said ?? 0) : 0
  const age = secondsOf(header('age'))
  const left = (more: number): number => Math.max(0, life + more - age) * 1_000
  const mustRevalidate = isForbidden || directives.has('must-revalidate')
  return {
    freshFor: isVague && isFresh ? undefined : left(0),
    shownFor: mustRevalidate || grace === undefined ? undefined : left(grace),
    errorFor: mustRevalidate || errorGrace === undefined ? undefined : left(errorGrace),
    mustRevalidate,
  }
}

/** Returns the directives of a Cache-Control header in lower case. The first of a name counts. Quotes may contain commas. */
function directivesOf(text: string): ReadonlyMap<string, string> {
  const found = [...text.matchAll(/([^\s,;=]+)\s*(?:=\s*(?:"([^"]*)"|([^\s,;]*)))?/g)]
  return new Map(found.reverse().map(([, name = '', quoted, token = '']) => [name.toLowerCase(), quoted ?? token]))
}

/** Parses a number of seconds; 0 for other texts. By RFC 9111, a number too large for a cache counts as 2^31. */
function secondsOf(text = ''): number {
  return /^\d+$/.test(text.trim()) ? Math.min(Number(text), 2 ** 31) : 0
}

/** Returns the seconds between `Date` and `Expires`; 0 for an `Expires` that is no date, undefined without one. */
function expiresIn(header: HeaderOf, now: number): number | undefined {
  const expires = header('expires')
  if (expires === undefined) return undefined
  const sent = httpDate(header('date') ?? '')
  return Math.max(0, (httpDate(expires) - (Number.isNaN(sent) ? now : sent)) / 1_000 || 0)
}

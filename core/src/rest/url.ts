import { searchToString } from '../path/search.js'
import { type Template, template } from '../path/template.js'
import { kindOf } from '../util/describe.js'
import { OptionError, UrlParamError } from '../util/errors.js'
import { defineMember } from '../util/plain.js'
import { safeUrl } from '../util/safe-url.js'
import { checkOrigin } from './origin.js'
import type { Plan } from './plan.js'

/** What of an endpoint makes its URLs. */
export interface UrlMaker {
  readonly path: string
  readonly urlPrefix: string
  searchToString(searchParams: Readonly<Record<string, unknown>>): string
}

/**
 * The URL for params: the prefix, the filled path, and what is no path param as a query string.
 *
 * @example
 * ```ts
 * urlOf(endpoint, plan, { id: 5, page: 2 }) // 'https://api.test/users/5?page=2'
 * ```
 * @throws UrlParamError, UrlOriginError, KeyArgError
 */
export function urlOf(endpoint: UrlMaker, plan: Plan, urlParams: unknown): string {
  const { urlPrefix } = endpoint
  const { fill, names, originAtRisk, source } = plan.template ?? templateOf(endpoint, plan)
  if (urlParams !== undefined && (typeof urlParams !== 'object' || Array.isArray(urlParams))) {
    throw noParams(urlParams, plan.name, source, names)
  }
  // The types of params are for callers; here each is a record of anything.
  const params = (urlParams ?? {}) as Readonly<Record<string, unknown>>
  let url = urlPrefix + fill(params, plan.name)
  const query = plan.isOwnSearch ? searchToString(params, plan.name, names) : askedQuery(endpoint, params, names)
  if (query) url += (source.includes('?') && url.includes('?', urlPrefix.length) ? '&' : '?') + query
  if (originAtRisk || mayJoinHost(urlPrefix)) checkOrigin(url, urlPrefix, source, plan.name)
  return url
}

/** The error for something else than an object of params. Of a text only that it is one: it may be a secret. */
function noParams(given: unknown, endpoint: string, source: string, names: ReadonlySet<string>): UrlParamError {
  const [name] = names
  const found = typeof given === 'boolean' ? `${given}` : kindOf(given)
  const object = name === undefined ? 'an object' : `{ ${name}: ${typeof given === 'number' ? given : '…'} }`
  const hint = process.env.NODE_ENV === 'production' ? '' : `; pass ${object}`
  return new UrlParamError(endpoint, source, name ?? 'params', `is missing: got ${found}${hint}`)
}

/**
 * The compiled template of an endpoint.
 *
 * @example
 * ```ts
 * templateOf(endpoint, plan).names
 * ```
 * @throws OptionError if there is none, or if it cannot be read.
 */
export function templateOf({ path }: UrlMaker, plan: Plan): Template {
  if (typeof path !== 'string') {
    const hint = process.env.NODE_ENV === 'production' ? '' : " Add one, such as '/user/:id'."
    throw new OptionError('path', `is missing.${hint}`)
  }
  plan.template ??= template(path)
  return plan.template
}

/**
 * Makes sure that the path does not run into the prefix: `https://api.test` and `users` would be `https://apitestusers`.
 *
 * @remarks
 * A param right behind a host needs no look here: whatever it is, the URL leads to another origin and is refused.
 *
 * @example
 * ```ts
 * checkJoint({ urlPrefix: 'https://api.test', path: 'users/:id' }) // throws
 * ```
 * @throws OptionError if it does.
 */
export function checkJoint({ path, urlPrefix }: Pick<UrlMaker, 'path' | 'urlPrefix'>): void {
  if (typeof path !== 'string' || endsApart.test(urlPrefix)) return
  const isHost = bareHost.test(urlPrefix)
  const runsOn = (start: string | object): boolean =>
    typeof start === 'string' ? !(isHost ? startsApart : startsAsSign).test(start) : !isHost
  if (!template(path).starts.some(runsOn)) return
  const url = safeUrl(urlPrefix)
  const hint = process.env.NODE_ENV === 'production' ? '' : ` Begin it with a slash: '/${path}'.`
  const reason = `'${path}' runs into urlPrefix '${url}': the URL would begin with '${url}${path}'.${hint}`
  throw new OptionError('path', reason, { template: path })
}

/** A prefix that is empty, or that anything can follow. */
const endsApart = /^$|[/\\?#=&:]$/
const bareHost = /^[^/?#]*\/\/[^/?#]*$/
const startsApart = /^(?:$|[/\\?#:])/
const startsAsSign = /^(?:$|[^\p{L}\p{N}_%])/u

/** The query string as an override of `searchToString` writes it; it is not asked if there is nothing to write. */
function askedQuery(endpoint: UrlMaker, params: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): string {
  const search: Record<string, unknown> = {}
  for (const name of Object.keys(params)) {
    if (params[name] !== undefined && !names.has(name)) defineMember(search, name, params[name])
  }
  return Object.keys(search).length > 0 ? endpoint.searchToString(search) : ''
}

/** True for a prefix that could make a host together with the beginning of the path. */
function mayJoinHost(urlPrefix: string): boolean {
  const end = urlPrefix.at(-1)
  return end === '/' || end === '\\' || end === ':'
}

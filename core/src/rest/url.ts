import { searchToString } from '../path/search.js'
import { type Template, template } from '../path/template.js'
import { defineMember } from '../tools/define-member.js'
import { OptionError } from '../tools/errors.js'
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
  // The types of params are for callers; here each is a record of anything.
  const params = (urlParams ?? {}) as Readonly<Record<string, unknown>>
  const { urlPrefix } = endpoint
  const { fill, names, originAtRisk, source } = plan.template ?? templateOf(endpoint, plan)
  let url = urlPrefix + fill(params, plan.name)
  const query = plan.isOwnSearch ? searchToString(params, names) : askedQuery(endpoint, params, names)
  if (query) url += (source.includes('?') && url.includes('?', urlPrefix.length) ? '&' : '?') + query
  if (originAtRisk || mayJoinHost(urlPrefix)) checkOrigin(url, urlPrefix, source, plan.name)
  return url
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

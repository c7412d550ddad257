import { startsOf, type Template, template } from '../path/template.js'
import { describeType } from '../util/describe.js'
import { OptionError, UrlOriginError, UrlParamError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'
import type { EndpointInfo } from './endpoint-info.js'

/** The members of an endpoint that determine its URLs. */
export interface UrlMembers {
  readonly path: string
  readonly urlPrefix: string
  searchToString(searchParams: UrlValues): string
}

/** Params by name; any value is accepted until it becomes part of a URL. */
type UrlValues = Readonly<Record<string, unknown>>

/**
 * Returns the URL for params: the prefix, the filled path, and all other params as a query string.
 *
 * @example
 * ```ts
 * urlOf(endpoint, info, { id: 5, page: 2 }) // 'https://api.test/users/5?page=2'
 * ```
 * @throws UrlParamError, UrlOriginError, KeyArgError; OptionError if there is no path.
 */
export function urlOf(endpoint: UrlMembers, info: EndpointInfo, urlParams: unknown): string {
  const { urlPrefix } = endpoint
  const { name, template = missingPath() } = info
  const { source } = template
  if (urlParams !== undefined && (typeof urlParams !== 'object' || Array.isArray(urlParams))) {
    throw notParams(urlParams, name, template)
  }
  // Only callers know the types of params.
  const params = (urlParams ?? {}) as UrlValues
  let url = urlPrefix + template.fill(params, name)
  const query = info.isOwnSearch ? template.search(params, name) : customQuery(endpoint, params, template.names)
  // A `?` after the prefix belongs to the template, since values are encoded. Searching the URL would flatten its string in
  // memory.
  if (query !== '') url += (source.includes('?') && url.includes('?', urlPrefix.length) ? '&' : '?') + query
  // Such an end of a prefix could form a host with the beginning of the path.
  if (template.originAtRisk || (urlPrefix !== '' && /[/\\:]$/.test(urlPrefix)))
    checkOrigin(url, urlPrefix, source, name)
  return url
}

function missingPath(): never {
  throw new OptionError(
    'path',
    `is missing.${process.env.NODE_ENV === 'production' ? '' : " Add one, such as '/user/:id'."}`,
  )
}

/** Returns the error for params other than an object. It omits the value of a text, which may be a secret. */
function notParams(value: unknown, endpoint: string, { names, source }: Template): UrlParamError {
  const [name = 'params'] = names
  const found = typeof value === 'boolean' ? `${value}` : describeType(value)
  return new UrlParamError(
    endpoint,
    source,
    name,
    `is missing: got ${found}${process.env.NODE_ENV === 'production' ? '' : `; pass ${names.size === 0 ? 'an object' : `{ ${name}: ${typeof value === 'number' ? value : '…'} }`}`}`,
  )
}

/** Returns the query string of an overridden `searchToString`, which is called only if there are search params. */
function customQuery(endpoint: UrlMembers, params: UrlValues, names: ReadonlySet<string>): string {
  const search = Object.entries(params).filter(([name, value]) => value !== undefined && !names.has(name))
  return search.length > 0 ? endpoint.searchToString(Object.fromEntries(search)) : ''
}

// --- origin

/** Throws if a filled URL has another origin than its template, so that no param can send credentials elsewhere. */
function checkOrigin(url: string, urlPrefix: string, source: string, endpoint: string): void {
  const literalStart = source.replace(/\\([\s\S])|[:*{][\s\S]*/g, '$1')
  const expected = urlOrigin(urlPrefix + literalStart)
  const found = urlOrigin(url)
  if (expected !== found) throw new UrlOriginError(endpoint, expected, found)
}

/** The base of relative URLs, which gives all of them the same origin. */
const anyPage = 'http://page.invalid'

function urlOrigin(url: string): string {
  try {
    const { protocol, host } = new URL(url, anyPage) // `origin` is 'null' for schemes that browsers do not know
    return protocol === 'http:' && host === 'page.invalid' ? 'the page' : `${protocol}//${host}`
  } catch {
    return 'none'
  }
}

/** Matches a path that does not continue the previous word. A text, since engines parse literals with the code. */
const APART = '^(?:$|[^\\p{L}\\p{N}_%])'

/**
 * Throws if the path continues the host or the last word of the prefix: `https://api.test` and `users` would be
 * `https://api.testusers`.
 *
 * @remarks
 * A param right after a host needs no check here, since any value changes the origin and is rejected. In production, only
 * paths that start with literal text are checked, since the prefix may differ from that in development, but the path may
 * not.
 *
 * @example
 * ```ts
 * checkJoint({ urlPrefix: 'https://api.test', path: 'users/:id' }) // throws
 * ```
 * @throws OptionError in this case
 */
export function checkJoint({ path, urlPrefix }: Pick<UrlMembers, 'path' | 'urlPrefix'>): void {
  if (typeof path !== 'string' || path.startsWith('/') || /^$|[/\\?#=&:]$/.test(urlPrefix)) return
  const isHost = /^[^/?#]*\/\/[^/?#]*$/.test(urlPrefix)
  const startsApart = isHost ? /^(?:$|[/\\?#:{*])/ : new RegExp(APART, 'u')
  const runsOn =
    process.env.NODE_ENV === 'production'
      ? !startsApart.test(path)
      : startsOf(template(path).tokens).some((start) =>
          typeof start === 'string' ? !startsApart.test(start) : !isHost,
        )
  if (!runsOn) return
  const prefix = safeUrl(urlPrefix)
  throw new OptionError(
    'path',
    `'${path}' runs into urlPrefix '${prefix}'${process.env.NODE_ENV === 'production' ? '' : `: the URL would begin with '${prefix}${path}'. Begin it with a slash: '/${path}'`}.`,
    { template: path },
  )
}

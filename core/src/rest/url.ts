import { startsOf, type Template, template } from '../path/template.js'
import { describeType } from '../util/describe.js'
import { OptionError, UrlOriginError, UrlParamError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'
import type { EndpointInfo } from './endpoint-info.js'

/** The members of an endpoint that make its URLs. */
export interface UrlMembers {
  readonly path: string
  readonly urlPrefix: string
  searchToString(searchParams: UrlValues): string
}

/** Values by name, of any type until they are written. */
type UrlValues = Readonly<Record<string, unknown>>

/**
 * The URL for params: the prefix, the filled path, and the params that are not in the path as a query string.
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
  // The types of params are for callers; here each is a record of anything.
  const params = (urlParams ?? {}) as UrlValues
  let url = urlPrefix + template.fill(params, name)
  const query = info.isOwnSearch ? template.search(params, name) : customQuery(endpoint, params, template.names)
  // A `?` behind the prefix is the template's: values are encoded. To look for it in the URL joins the parts of that text in memory.
  if (query !== '') url += (source.includes('?') && url.includes('?', urlPrefix.length) ? '&' : '?') + query
  // A prefix with such an end could make a host together with the beginning of the path.
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

/** The error for params that are no object. The value of a text is left out: it may be a secret. */
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

/** The query string as an override of `searchToString` writes it, which is called only if there are search params. */
function customQuery(endpoint: UrlMembers, params: UrlValues, names: ReadonlySet<string>): string {
  const search = Object.entries(params).filter(([name, value]) => value !== undefined && !names.has(name))
  return search.length > 0 ? endpoint.searchToString(Object.fromEntries(search)) : ''
}

// --- origin

/** Makes sure that a filled URL leads where its prefix and template say, so that no param sends credentials elsewhere. */
function checkOrigin(url: string, urlPrefix: string, source: string, endpoint: string): void {
  const literalStart = source.replace(/\\([\s\S])|[:*{][\s\S]*/g, '$1')
  const expected = urlOrigin(urlPrefix + literalStart)
  const found = urlOrigin(url)
  if (expected !== found) throw new UrlOriginError(endpoint, expected, found)
}

/** The base of relative URLs: they lead to one place, whichever page it is. */
const anyPage = 'http://page.invalid'

function urlOrigin(url: string): string {
  try {
    const { protocol, host } = new URL(url, anyPage) // `origin` is 'null' for schemes that browsers do not know
    return protocol === 'http:' && host === 'page.invalid' ? 'the page' : `${protocol}//${host}`
  } catch {
    return 'none'
  }
}

/** The start of a path that does not go on with the word before. No literal: engines check those where they read the code around them. */
const APART = '^(?:$|[^\\p{L}\\p{N}_%])'

/**
 * Makes sure that the path does not run into the prefix: `https://api.test` and `users` would be `https://apitestusers`.
 *
 * @remarks
 * A param right behind a host needs no check here: whatever it is, the URL leads to another origin and is refused. In production
 * only a path that begins with plain text is looked at, since the prefix may differ from that in development, but not the path.
 *
 * @example
 * ```ts
 * checkJoint({ urlPrefix: 'https://api.test', path: 'users/:id' }) // throws
 * ```
 * @throws OptionError if it does.
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

import { UrlOriginError } from '../util/errors.js'

/**
 * Makes sure that a filled URL leads where its prefix and template say, so that no param sends credentials elsewhere.
 *
 * @example
 * ```ts
 * checkOrigin('https://api.test.evil.test', 'https://api.test', ':path', 'getFile') // throws
 * ```
 * @throws UrlOriginError if it does not, naming the endpoint.
 */
export function checkOrigin(url: string, urlPrefix: string, source: string, endpoint: string): void {
  const expected = originOf(urlPrefix + literalStart(source))
  const found = originOf(url)
  if (expected !== found) throw new UrlOriginError(endpoint, expected, found)
}

/** What stands in a template before its first param or group. */
function literalStart(source: string): string {
  return source.replace(/\\([\s\S])|[:*{][\s\S]*/g, '$1')
}

/** Where relative URLs lead: all to one place, whichever page it is. */
const page = 'http://page.invalid'

function originOf(url: string): string {
  try {
    const { protocol, host } = new URL(url, page) // `origin` is 'null' for schemes that browsers do not know
    return protocol === 'http:' && host === 'page.invalid' ? 'the page' : `${protocol}//${host}`
  } catch {
    return 'none'
  }
}

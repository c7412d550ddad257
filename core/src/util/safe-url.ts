/**
 * Takes what may be a credential out of a URL or fetch key, so that it can stand in a message or a log.
 *
 * @remarks
 * User and password before the host go; the value of a search param whose name speaks of a token, key, secret,
 * password, signature or session becomes `***`. Everything else stays, so the text still says which request it was.
 *
 * @example
 * ```ts
 * safeUrl('https://ann:pw@api.test/todos?page=2&access_token=abc') // 'https://api.test/todos?page=2&access_token=***'
 * ```
 */
export function safeUrl(url: string): string {
  return url
    .replace(/(^|[\s:])\/\/[^/?#\\\s]*@/, '$1//')
    .replace(/([?&][^?=&#]*)=[^&#]*/g, (pair, name: string) => (speaksOfSecret.test(name) ? `${name}=***` : pair))
}

const speaksOfSecret = /token|key|secret|passw|auth(?!or)|sig|session|credential|jwt/i

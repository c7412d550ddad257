/**
 * Removes possible credentials from a URL or fetch key, so that it can be part of a message or a log.
 *
 * @remarks
 * Removes user and password before the host, and replaces the value of a search param whose name contains a word such
 * as token, key, secret, password, signature or session by `***`. The rest stays, to identify the request.
 *
 * @example
 * ```ts
 * safeUrl('https://ann:pw@api.test/todos?page=2&access_token=abc') // 'https://api.test/todos?page=2&access_token=***'
 * ```
 */
export function safeUrl(url: string): string {
  return withoutPasswords(url).replace(/([?&][^?=&#]*)=[^&#]*/g, (pair, name: string) =>
    speaksOfSecret.test(name) ? `${name}=***` : pair,
  )
}

/**
 * Removes user and password from all URLs in a text.
 *
 * @example
 * ```ts
 * withoutPasswords("'https://ann:pw@api.test' is no path") // "'https://api.test' is no path"
 * ```
 */
export function withoutPasswords(text: string): string {
  // A path template has a backslash before the colon of a password.
  return text.replace(/(^|[\s:'"(])\/\/(?:[^/?#\\\s]|\\:)*@/g, '$1//')
}

const speaksOfSecret = /token|key|secret|passw|auth(?!or)|sig|session|credential|jwt/i

/**
 * Removes possible credentials from a URL or fetch key, so that it can be part of a message or a log.
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
  return withoutPasswords(url).replace(/([?&][^?=&#]*)=[^&#]*/g, (pair, name: string) =>
    speaksOfSecret.test(name) ? `${name}=***` : pair,
  )
}

/**
 * Takes user and password out of the URLs in a text, which may be a sentence with several.
 *
 * @example
 * ```ts
 * withoutPasswords("'https://ann:pw@api.test' is no path") // "'https://api.test' is no path"
 * ```
 */
export function withoutPasswords(text: string): string {
  // In a path template the colon of a password has a backslash.
  return text.replace(/(^|[\s:'"(])\/\/(?:[^/?#\\\s]|\\:)*@/g, '$1//')
}

const speaksOfSecret = /token|key|secret|passw|auth(?!or)|sig|session|credential|jwt/i

/**
 * Parses an HTTP date: returns the ms since 1970, or NaN for other texts, including the obsolete formats. `Date.parse` alone
 * would accept many invalid texts.
 *
 * @example
 * ```ts
 * httpDate('Sun, 06 Nov 1994 08:49:37 GMT') // 784111777000
 * ```
 */
export function httpDate(text: string): number {
  return /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN
}

/**
 * The moment that an HTTP date names, in ms since 1970; NaN for anything else. The obsolete formats, which nothing sends any more, count
 * as anything else: `Date.parse` also takes rubbish for a date.
 *
 * @example
 * ```ts
 * httpDate('Sun, 06 Nov 1994 08:49:37 GMT') // 784111777000
 * ```
 */
export function httpDate(text: string): number {
  return /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN
}

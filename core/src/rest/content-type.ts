/**
 * Tells whether a content-type header says JSON: `application/json`, or anything that ends in `+json`.
 *
 * @example
 * ```ts
 * isJson('Application/Problem+JSON; charset=utf-8') // true
 * ```
 */
export function isJson(header: string | null | undefined): boolean {
  return /^application\/json$|\+json$/.test(mediaType(header))
}

/**
 * Tells whether a content-type header says text: `text/*`, XML, scripts, forms, NDJSON, event streams, YAML, CSV. Images
 * never are, not even SVG.
 *
 * @example
 * ```ts
 * isText('application/x-ndjson') // true
 * ```
 */
export function isText(header: string | null): boolean {
  const type = mediaType(header)
  return (
    type.startsWith('text/') ||
    (!type.startsWith('image/') && /[/+.-](?:xml|javascript|urlencoded|ndjson|event-stream|yaml|csv)$/.test(type))
  )
}

function mediaType(header: string | null | undefined): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase()
}

/**
 * The content-type of an answer: null if it has none, undefined if its headers may not be read, as with SvelteKit's `fetch` in a
 * universal `load`.
 *
 * @example
 * ```ts
 * contentTypeOf(Response.json({})) // 'application/json'
 * ```
 */
export function contentTypeOf({ headers }: { readonly headers: Headers }): string | null | undefined {
  try {
    return headers.get('content-type')
  } catch {
    return undefined
  }
}

/**
 * Tells whether a content-type header says JSON: `application/json`, or anything that ends in `+json`.
 *
 * @example
 * ```ts
 * isJson('Application/Problem+JSON; charset=utf-8') // true
 * ```
 */
export function isJson(header: string | null): boolean {
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

function mediaType(header: string | null): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase()
}

/** The addresses of the neighbouring pages, by relation. */
export type Pages = Partial<Record<'first' | 'prev' | 'next' | 'last', Record<string, string | number>>>

/**
 * Writes a `Link` header: the same path and query, with the parameters of each page in place of the current ones.
 * The addresses are relative to the host, so that they also hold behind a proxy.
 */
export function linkHeader(path: string, query: URLSearchParams, pages: Pages): string {
  return Object.entries(pages)
    .map(([relation, parameters]) => `<${address(path, query, parameters)}>; rel="${relation}"`)
    .join(', ')
}

function address(path: string, query: URLSearchParams, parameters: Record<string, string | number>): string {
  const target = new URLSearchParams(query)
  for (const [name, value] of Object.entries(parameters)) target.set(name, String(value))
  target.sort()
  return `${path}?${target}`
}

/** Makes a `fetch` that stores cookies as a browser does: those of an origin go along unless `credentials` is `'omit'`. */
export function fetchWithCookies(pageOrigin: string): typeof fetch {
  const cookies = new Map<string, string>()
  const platformFetch = globalThis.fetch
  return async (input, init = {}) => {
    const { origin } = new URL(String(input))
    const { credentials = 'omit' } = init
    const sends = credentials === 'include' || (credentials === 'same-origin' && origin === pageOrigin)
    const headers = new Headers(init.headers)
    const cookie = cookies.get(origin)
    if (sends && cookie !== undefined) headers.set('cookie', cookie)
    const response = await platformFetch(input, { ...init, headers })
    const given = response.headers.getSetCookie()[0]?.split(';', 1)[0]
    if (sends && given !== undefined) cookies.set(origin, given)
    return response
  }
}

import { headerOf } from '../rest/response.js'
import type { HeaderOf } from './lifetime.js'

/** Returns a function that reads the headers of a response. */
export function readerOf(response: { readonly headers: Headers }): HeaderOf {
  return (name) => headerOf(response, name) ?? undefined
}

/** Adds a header to a request, unless the application has set it. */
export function withHeader(init: RequestInit, name: string, value: string | undefined): RequestInit {
  if (value === undefined) return init
  const headers = new Headers(init.headers)
  if (!headers.has(name)) headers.set(name, value)
  return { ...init, headers }
}

/** Returns the validator of a response; undefined for an `ETag` that cannot be one. */
export function etagOf(header: HeaderOf): string | undefined {
  const tag = header('etag')
  return tag && /^(?:W\/)?"[!#-~\x80-\xff]*"$/.test(tag) ? tag : undefined
}

/** Returns a strong validator; undefined for a weak one, which does not distinguish similar versions. */
export function strongTag(tag: string | undefined): string | undefined {
  return tag?.startsWith('W/') ? undefined : tag
}

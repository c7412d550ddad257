import { createRequestController, withState } from '@roundtable/svelte/kit'
import type { Handle, HandleFetch } from '@sveltejs/kit'
import { env } from '$env/dynamic/private'

export const handle: Handle = ({ event, resolve }) => {
  const controller = createRequestController(event)
  return resolve(event, { transformPageChunk: ({ html }) => withState(html, controller) })
}

/** The API is another server's: requests for it go on, with the user's cookies. */
export const handleFetch: HandleFetch = async ({ event, request, fetch }) => {
  const { pathname, search } = new URL(request.url)
  if (!pathname.startsWith('/api/')) return fetch(request)
  const { method } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  // Not compressed: `fetch` would unpack it, and the browser expect it packed.
  const headers = new Headers({ 'accept-encoding': 'identity', cookie: event.request.headers.get('cookie') ?? '' })
  for (const name of ['accept', 'authorization', 'content-type']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return fetch(new URL(`${pathname}${search}`, env.API_URL), { method, headers, body })
}

import { createRequestController, withState } from '@roundtable/svelte/kit'
import type { Handle, HandleFetch } from '@sveltejs/kit'

export const handle: Handle = ({ event, resolve }) => {
  const controller = createRequestController(event)
  return resolve(event, { transformPageChunk: ({ html }) => withState(html, controller) })
}

/** The API is another server's: requests for it go on, with the user's cookies. */
export const handleFetch: HandleFetch = ({ event, request, fetch }) => {
  const { pathname, search } = new URL(request.url)
  if (!pathname.startsWith('/api/')) return fetch(request)
  const onward = new Request(`${process.env.API_URL ?? 'http://127.0.0.1:4000'}${pathname}${search}`, request)
  onward.headers.set('cookie', event.request.headers.get('cookie') ?? '')
  return fetch(onward)
}

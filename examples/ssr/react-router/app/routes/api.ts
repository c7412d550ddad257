// How browsers reach the API: through this server, so with its origin and its cookies.
import type { ActionFunctionArgs } from 'react-router'
import { transportFor } from '../server'

async function forward({ request }: ActionFunctionArgs): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { method } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  // Not compressed: `fetch` would unpack it, and the browser expect it packed.
  const headers = new Headers({ 'accept-encoding': 'identity' })
  for (const name of ['accept', 'authorization', 'content-type']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return transportFor(request)(`${pathname}${search}`, { method, headers, body })
}

export { forward as action, forward as loader }

// How browsers reach the API: through this server, so with its origin and its cookies.
import { toApi } from '../../to-api'

async function forward(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { method } = request
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer()
  // Not compressed: `fetch` would unpack it, and the browser expect it packed.
  const headers = new Headers({ 'accept-encoding': 'identity' })
  for (const name of ['accept', 'authorization', 'content-type', 'cookie']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return toApi(`${pathname}${search}`, { method, headers, body })
}

export { forward as DELETE, forward as GET, forward as PATCH, forward as POST, forward as PUT }

import { isError } from '../util/thrown.js'
import { Refusal } from './refusal.js'
import type { Route } from './routes.js'

/** A request from what `fetch` takes. A relative address is one of the page, or of localhost where there is none. */
export function requestOf(input: Request | string | URL, init: RequestInit | undefined): Request {
  if (typeof input !== 'string' && !(input instanceof URL)) return init ? new Request(input, init) : input
  const { href } = (globalThis as { readonly location?: { readonly href?: string } }).location ?? {}
  return new Request(new URL(input, href?.startsWith('http') ? href : 'http://localhost'), init)
}

/** The body of a request: JSON or a form as data, all else as text; undefined without one. JSON that is none is a refusal. */
export async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (/form/.test(type)) return Object.fromEntries(await request.formData())
  const text = await request.text()
  if (text === '' || (type !== '' && !/json/.test(type))) return text || undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    return new Refusal(400, `The body is no JSON: ${String(error)}.`)
  }
}

/** The response to a refused request: its reason as JSON, and in the status text, which errors of clients show. */
export function refused(reason: unknown): Response {
  if (reason instanceof Response) return reason
  const { status, message, headers } = reason instanceof Refusal ? reason : new Refusal(500, messageOf(reason))
  const statusText = message.replace(/[^\x20-\x7e]/g, ' ').slice(0, 300)
  return Response.json({ error: message }, { status, statusText, headers })
}

function messageOf(thrown: unknown): string {
  return `The backend threw ${isError(thrown) ? thrown.message : String(thrown)}`
}

/** The response with what `answers` gave. */
export function answered(value: unknown): Response {
  if (value instanceof Response) return value
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value)
}

/** The response where a path has no such method: 405, and to OPTIONS the methods that it has. */
export function otherMethods({ method }: Request, { pathname }: URL, methods: readonly string[]): Response {
  const allow = methods.join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } })
  return refused(new Refusal(405, `${pathname} does not take ${method}: it has ${allow}.`, { allow }))
}

/** The response where no endpoint is. */
export function nothingAt({ method, url }: Request, routes: readonly Route[]): Response {
  const known = new Set(
    routes.map((route) => `${route.method} ${route.origin ?? ''}${route.prefix}${route.endpoint.path}`),
  )
  return refused(new Refusal(501, `The backend has no endpoint for ${method} ${url}. It has ${[...known].join(', ')}.`))
}

import { put } from '../util/plain.js'
import { isError } from '../util/thrown.js'
import { Refusal } from './refusal.js'
import type { Route } from './routes.js'

/** A request from what `fetch` takes. A relative address is one of the page, or of localhost where there is none. */
export function requestOf(input: Request | string | URL, init: RequestInit | undefined): Request {
  if (typeof input !== 'string' && !(input instanceof URL)) return init ? new Request(input, init) : input
  const { href } = (globalThis as { readonly location?: { readonly href?: string } }).location ?? {}
  return new Request(new URL(input, href?.startsWith('http') ? href : 'http://localhost'), init)
}

/** The body of a request: JSON or a form as data, all else as text; undefined without one. Invalid JSON is a refusal. */
export async function bodyOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (/form/.test(type)) return fieldsOfForm(await request.formData())
  const text = await request.text()
  if (text === '' || (type !== '' && !/json/.test(type))) return text || undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    return new Refusal(400, `The body is no JSON: ${String(error)}.`)
  }
}

/** The fields of a form; `metadata[colour]` is a field of `metadata`. */
function fieldsOfForm(form: FormData): object {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    const [, outer = name, inner] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? []
    const held = fields[outer]
    if (inner === undefined) put(fields, outer, value)
    else if (inner === '') put(fields, outer, [...(Array.isArray(held) ? held : []), value])
    else put(fields, outer, { ...(held as object | undefined), [inner]: value })
  }
  return fields
}

/** The response to a refused request: its reason as JSON, and in the status text, which errors of clients show. */
export function refused(reason: unknown, request?: Request): Response {
  if (reason instanceof Response) return reason
  const { status, message, headers } = reason instanceof Refusal ? reason : new Refusal(500, messageOf(reason, request))
  // The message of a NetworkError adds a full stop.
  const statusText = message
    .replace(/[^\x20-\x7e]/g, ' ')
    .slice(0, 300)
    .replace(/\.$/, '')
  return Response.json({ error: message }, { status, statusText, headers })
}

function messageOf(thrown: unknown, request: Request | undefined): string {
  return `${request?.method} ${request?.url} threw: ${isError(thrown) ? thrown.message : String(thrown)}`
}

/** The response with a value that `answers` returned. */
export function answered(value: unknown): Response {
  if (value instanceof Response) return value
  return value === undefined ? new Response(null, { status: 204 }) : Response.json(value)
}

/** The response to a method that a path does not have: 405, or to OPTIONS the methods that it has. */
export function otherMethods({ method }: Request, { pathname }: URL, methods: readonly string[]): Response {
  const allow = methods.join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } })
  return refused(new Refusal(405, `${pathname} does not take ${method}: it has ${allow}.`, { allow }))
}

/** The response to a URL without an endpoint. */
export function nothingAt({ method, url }: Request, routes: readonly Route[]): Response {
  const known = new Set(
    routes.map((route) => `${route.method} ${route.origin ?? ''}${route.prefix}${route.endpoint.path}`),
  )
  const hint = process.env.NODE_ENV === 'production' ? '' : ` It has ${[...known].join(', ')}.`
  return refused(new Refusal(501, `The backend has no endpoint for ${method} ${url}.${hint}`))
}

import type { ServerResponse } from 'node:http'
import type { Seen } from './server.js'

type Route = (request: Seen, response: ServerResponse, query: URLSearchParams) => void

/** The responses of the server, by the first segment of the path; every other path is an echo. */
export const routes: Readonly<Record<string, Route>> = {
  /** The request itself, as JSON. */
  echo: (request, response) => json(response, 200, request),

  /** The facts in the query: `status`, `type` (content-type, none if left out) and `body`. */
  answer(_request, response, query) {
    const type = query.get('type')
    response.writeHead(Number(query.get('status') ?? 200), type === null ? {} : { 'content-type': type })
    response.end(query.get('body') ?? '')
  },

  /** `status/404`: that status, with a JSON body that explains it. */
  status(request, response) {
    const status = Number(request.url.split(/[/?]/)[2])
    json(response, status, { problem: `this is ${status}` })
  },

  /** Bytes that are no text. */
  bytes(_request, response, query) {
    response.writeHead(200, { 'content-type': query.get('type') ?? 'application/octet-stream' })
    response.end(Buffer.from([0, 255, 128, 1]))
  },

  /** A file to download. */
  file(_request, response) {
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="report.pdf"',
    })
    response.end(Buffer.from('%PDF-1.7'))
  },

  /** One page of a list; the `Link` header leads to the next one. */
  pages(_request, response, query) {
    const page = Number(query.get('cursor') ?? 1)
    response.setHeader('link', `</pages?cursor=${page + 1}>; rel="next"`)
    json(response, 200, [{ id: `${page}a` }, { id: `${page}b` }])
  },

  /** JSON after `ms` milliseconds. */
  slow(request, response, query) {
    setTimeout(() => json(response, 200, request), Number(query.get('ms') ?? 1_000))
  },

  /** No response at all: the connection breaks. */
  drop(_request, response) {
    response.destroy()
  },

  /** A response that breaks off after `ms` milliseconds. */
  half(_request, response, query) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"half":')
    setTimeout(() => response.destroy(), Number(query.get('ms') ?? 20))
  },

  /** An error whose body never ends. */
  endless(_request, response, query) {
    response.writeHead(500, { 'content-type': 'text/plain' })
    const chunk = 'x'.repeat(Number(query.get('size') ?? 16_384))
    const timer = setInterval(() => response.write(chunk), 1)
    response.on('close', () => clearInterval(timer))
  },

  /** Gives a session cookie to whoever knows the password. */
  login(request, response) {
    if (request.body !== '{"password":"secret"}') return json(response, 401, { problem: 'wrong password' })
    response.setHeader('set-cookie', 'session=s3ss10n; HttpOnly; SameSite=Lax; Path=/')
    json(response, 200, { name: 'Ann', token: 't0k3n' })
  },

  /** For those with a session. */
  session(request, response) {
    const isKnown = request.headers.cookie?.split('; ').includes('session=s3ss10n')
    json(response, isKnown ? 200 : 401, isKnown ? { name: 'Ann' } : { problem: 'no session' })
  },

  /** For those with an access token. */
  private(request, response) {
    const isKnown = request.headers['access-token'] === 't0k3n'
    json(response, isKnown ? 200 : 401, isKnown ? { name: 'Ann' } : { problem: 'no token' })
  },
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

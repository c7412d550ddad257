// The API of the examples, with users and delays. It also forwards all else to a page's server, so that API and page
// share one origin and its cookies, as behind a proxy. By hand, beside the example's server: npx tsx
// examples/ssr/api.ts http://localhost:3000
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A title that tries to leave the script that holds it, and the element that shows it. */
export const HOSTILE = '</script><script>window.pwned = 1</script><!-- \u2028 <img src=x onerror="window.pwned = 1">'

/** For how many ms each path waits. */
const DELAYS: Readonly<Record<string, number>> = { '/api/me': 50, '/api/issues': 400, '/api/stats': 1_500 }

interface Issue {
  readonly id: number
  readonly title: string
  readonly author: { readonly id: string; readonly name: string }
}

export class Api {
  /** All requests so far: the method, the path, and the user that the cookie `token` names. */
  readonly log: { readonly method: string; readonly path: string; readonly user: string }[] = []
  /** The paths whose responses are held back, each with the waiting requests. */
  readonly #held = new Map<string, (() => void)[]>()
  /** Delays are multiplied by it. */
  pace = 1
  /** The server to which requests outside the API are forwarded. */
  site = ''
  /** Changes a page on its way. */
  rewrite: ((html: string) => string) | undefined
  /** The issues that users have changed, by user. */
  readonly #issues = new Map<string, readonly Issue[]>()
  readonly #server: Server = createServer((incoming, response) => void this.#handle(incoming, response))

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  open(port = 0): Promise<this> {
    return new Promise((resolve) => this.#server.listen(port, '127.0.0.1', () => resolve(this)))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Answers no request of a path any more, until the returned function is called. */
  hold(path: string): () => void {
    const waiting: (() => void)[] = []
    this.#held.set(path, waiting)
    return () => {
      this.#held.delete(path)
      for (const go of waiting) go()
    }
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(incoming.url ?? '/', 'http://localhost')
    if (!pathname.startsWith('/api/')) return this.#forward(incoming, response)
    const user = /\btoken=(\w+)/.exec(incoming.headers.cookie ?? '')?.[1] ?? 'nobody'
    const { method = 'GET' } = incoming
    this.log.push({ method, path: pathname, user })
    const sent: Partial<Issue> = JSON.parse((await textOf(incoming)) || '{}')
    const held = this.#held.get(pathname)
    if (held) await new Promise<void>((resolve) => held.push(resolve))
    else await new Promise((resolve) => setTimeout(resolve, this.pace * (DELAYS[pathname] ?? 100)))
    const body = this.#bodyOf(method, pathname, user, sent)
    response.statusCode = body === undefined ? 404 : 200
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body ?? {}))
  }

  #bodyOf(method: string, path: string, user: string, sent: Partial<Issue>): unknown {
    const author = { id: user, name: `Name of ${user}` }
    const issues = this.#issues.get(user) ?? [
      { id: 1, title: 'First issue', author },
      { id: 2, title: HOSTILE, author },
    ]
    if (path === '/api/me') return author
    if (path === '/api/stats') return { open: issues.length }
    if (path === '/api/issues') {
      if (method !== 'POST') return issues
      const created = { id: issues.length + 1, title: '', ...sent, author }
      this.#issues.set(user, [...issues, created])
      return created
    }
    const id = Number(/^\/api\/issues\/(\d+)$/.exec(path)?.[1])
    const issue = issues.find((known) => known.id === id)
    if (issue === undefined) return undefined
    const changed = { ...issue, ...sent }
    if (method === 'PATCH')
      this.#issues.set(
        user,
        issues.map((known) => (known === issue ? changed : known)),
      )
    return { ...changed, text: `All about ${id}` }
  }

  #forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url = '/' } = incoming
    const plain = this.rewrite === undefined ? headers : { ...headers, 'accept-encoding': 'identity' }
    const outgoing = request(new URL(url, this.site), { method, headers: plain }, (answer) => {
      const isPage = answer.headers['content-type']?.startsWith('text/html')
      const { rewrite } = this
      if (rewrite === undefined || !isPage) {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
        return
      }
      const { 'content-length': _, ...others } = answer.headers
      response.writeHead(answer.statusCode ?? 500, others)
      let html = ''
      answer.setEncoding('utf8').on('data', (part) => {
        html += part
      })
      answer.on('end', () => response.end(rewrite(html)))
    })
    outgoing.on('error', () => response.writeHead(502).end())
    response.on('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of incoming.setEncoding('utf8')) text += part
  return text
}

if (process.argv[1] === import.meta.filename) {
  const api = await new Api().open(4000)
  api.site = process.argv[2] ?? 'http://localhost:3000'
  console.log(`${api.url} shows the page of ${api.site}. Its server needs API_URL=${api.url}`)
}

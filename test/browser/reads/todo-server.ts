import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A todo as the server has it. */
interface StoredTodo {
  readonly id: number
  readonly title: string
  readonly note: string
  readonly version: number
}

/** So many todos are on a page. */
const PAGE = 3

/** An HTTP server for one test, on a separate origin. */
export class TodoServer {
  readonly url: string
  /** Every request except preflights: method, URL and response status. */
  readonly log: string[] = []
  readonly todos = new Map<number, StoredTodo>()
  /** The responses for the next requests of a path, before the usual ones. */
  readonly failures = new Map<string, { readonly status: number; readonly retryAfter?: string }[]>()
  readonly close: () => Promise<void>
  #lastId = 0

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url
    this.close = close
  }

  static async start(todos: number): Promise<TodoServer> {
    let started: TodoServer | undefined
    const http = createServer((request, response) => started?.answer(request, response))
    await new Promise<void>((resolve) => http.listen(0, resolve))
    const { port } = http.address() as AddressInfo
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
      })
    started = new TodoServer(`http://localhost:${port}`, close)
    for (let i = 0; i < todos; i++) started.#add({ title: `Todo ${i + 1}` })
    return started
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Allow-Methods', '*')
    response.setHeader('Access-Control-Allow-Headers', '*')
    response.setHeader('Access-Control-Expose-Headers', '*')
    response.setHeader('Access-Control-Max-Age', '600')
    const body = method === 'GET' ? {} : JSON.parse((await text(request)) || '{}')
    const { pathname, searchParams } = new URL(url, this.url)
    const send = (status: number, data?: unknown, etag?: string): void => {
      const json = data === undefined ? undefined : JSON.stringify(data)
      const tag = etag ?? (json === undefined ? undefined : `"${Buffer.from(json).toString('base64url')}"`)
      const isSame = method === 'GET' && tag !== undefined && headers['if-none-match'] === tag
      if (tag !== undefined) response.setHeader('ETag', tag)
      response.setHeader('Content-Type', 'application/json')
      if (method !== 'OPTIONS') this.log.push(`${method} ${url} ${isSame ? 304 : status}`)
      response.writeHead(isSame ? 304 : status).end(isSame ? undefined : json)
    }
    if (method === 'OPTIONS') return send(204)
    const failure = this.failures.get(pathname)?.shift()
    if (failure !== undefined) {
      if (failure.retryAfter !== undefined) response.setHeader('Retry-After', failure.retryAfter)
      return send(failure.status)
    }
    if (pathname === '/search') {
      const q = searchParams.get('q') ?? ''
      return send(200, [`${q}1`, `${q}2`])
    }
    const [, part, id] = pathname.split('/')
    if (part !== 'todos') return send(200, { value: part })
    if (id === undefined) return this.#list(method, Number(searchParams.get('page') ?? 1), body, send)
    this.#one(Number(id), method, { body, ifMatch: headers['if-match'] }, send)
  }

  #list(method: string, page: number, body: object, send: Send): void {
    if (method === 'POST') {
      const todo = this.#add(body)
      send(201, todo, tagOf(todo))
      return
    }
    send(200, [...this.todos.values()].slice((page - 1) * PAGE, page * PAGE))
  }

  #one(
    id: number,
    method: string,
    { body, ifMatch }: { readonly body: object; readonly ifMatch: string | undefined },
    send: Send,
  ): void {
    const todo = this.todos.get(id)
    if (todo === undefined) send(404)
    else if (ifMatch !== undefined && ifMatch !== tagOf(todo)) send(412)
    else if (method === 'DELETE') {
      this.todos.delete(id)
      send(204)
    } else {
      const next = method === 'PATCH' ? { ...todo, ...body, version: todo.version + 1 } : todo
      this.todos.set(id, next)
      send(200, next, tagOf(next))
    }
  }

  #add(fields: object): StoredTodo {
    const todo = { title: '', note: '', ...fields, id: ++this.#lastId, version: 1 }
    this.todos.set(todo.id, todo)
    return todo
  }
}

type Send = (status: number, data?: unknown, etag?: string) => void

function tagOf({ id, version }: StoredTodo): string {
  return `"${id}.${version}"`
}

import { Controller, type ControllerOptions, Entity, RestEndpoint, resource } from '@roundtable/core'
import { type HttpOptions, withHttp } from '@roundtable/core/http'
import { HandClock } from '../engine/clock.js'
import { type Answer, fakeTransport } from '../engine/fake-transport.js'

export class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  note = ''
  done = false
}

export interface StoredTodo {
  id: number
  title: string
  note: string
  done: boolean
}

/**
 * A server of todos with strong validators that refuses updates of what has changed meanwhile; several clients can use
 * it.
 */
export class EtagServer {
  readonly rows = new Map<number, StoredTodo & { version: number }>()
  /** Headers of every response to a GET. */
  headers: Record<string, string> = {}
  /** False if responses to mutations have no validator. */
  tagsUpdates = true
  /** Writes validators as weak ones. */
  isWeak = false

  constructor(...rows: readonly StoredTodo[]) {
    for (const row of rows) this.rows.set(row.id, { ...row, version: 1 })
  }

  readonly answer: Answer = ({ method, url, headers, body }) => {
    const id = Number(/\/(\d+)/.exec(url)?.[1])
    const etag = this.#tag(id)
    if (method === 'GET') {
      const sent = { ...this.headers, ETag: etag }
      if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: sent })
      return Response.json(id ? this.#shown(id) : [...this.rows.keys()].map((key) => this.#shown(key)), {
        headers: sent,
      })
    }
    const expected = headers.get('if-match')
    if (expected !== null && expected !== etag) return new Response('changed', { status: 412 })
    const row = this.rows.get(id)
    if (row === undefined) return new Response('gone', { status: 404 })
    if (method === 'DELETE') {
      this.rows.delete(id)
      return new Response(null, { status: 204 })
    }
    this.change(id, JSON.parse(String(body)))
    return Response.json(this.#shown(id), { headers: this.tagsUpdates ? { ETag: this.#tag(id) } : {} })
  }

  /** Somebody changes a row. */
  change(id: number, fields: Partial<StoredTodo>): void {
    const row = this.rows.get(id)
    if (row !== undefined) Object.assign(row, fields, { version: row.version + 1 })
  }

  #shown(id: number): StoredTodo | undefined {
    const { version: _, ...row } = this.rows.get(id) ?? { version: 0 }
    return row as StoredTodo
  }

  #tag(id: number): string {
    const versions = id ? [this.rows.get(id)?.version] : [...this.rows].map(([key, { version }]) => `${key}.${version}`)
    return `${this.isWeak ? 'W/' : ''}"v${versions.join('-')}"`
  }
}

export const milk: StoredTodo = { id: 1, title: 'Milk', note: '', done: false }

/** A client of a server, with endpoints of a class with HTTP's rules. */
export function openClient(server: { readonly answer: Answer }, http: HttpOptions, options: ControllerOptions = {}) {
  const clock = new HandClock()
  const fake = fakeTransport(server.answer, clock)
  const reported: Error[] = []
  const onError = (error: Error): void => {
    reported.push(error)
  }
  const controller = new Controller({ env: clock, transport: fake.transport, onError, ...options })
  const Api = withHttp(RestEndpoint, http)
  const Todos = resource({ path: '/todos/:id', schema: Todo, Endpoint: Api, optimistic: true })
  return {
    ...fake,
    clock,
    controller,
    reported,
    Api,
    Todos,
    /** What was asked for: method, URL and validator. */
    requests: () =>
      fake.seen.map(({ method, url, headers }) => {
        const [match, none] = [headers.get('if-match'), headers.get('if-none-match')]
        return `${method} ${url}${match ? ` if ${match}` : ''}${none ? ` unless ${none}` : ''}`
      }),
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Item {
  readonly id: string
  readonly title: string
}

/**
 * A server of items, and of the page of an application. It does once what has one Idempotency-Key, and notes what it
 * was asked to do.
 */
export class Server {
  readonly #items = new Map<string, Item>()
  readonly #answers = new Map<string, Item | undefined>()
  readonly #server = createServer((request, response) => void this.#respond(request, response))
  readonly #script: string
  /** What has changed items, in its order, and with which status it was answered. */
  readonly asked: string[] = []
  /** `'hold'`: changes are neither done nor answered. `'mute'`: they are done and not answered. */
  changes: 'answer' | 'hold' | 'mute' = 'answer'
  /** How many changes have arrived that were not answered. */
  unanswered = 0

  constructor(script: string, count = 3) {
    this.#script = script
    for (let id = 1; id <= count; id++) this.#items.set(`${id}`, { id: `${id}`, title: `Item ${id}` })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  titles(): readonly string[] {
    return [...this.#items.values()].map(({ title }) => title)
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const end = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body))
    }
    if (!url.startsWith('/items')) {
      const page = url === '/app.js' ? this.#script : '<!doctype html><script type="module" src="/app.js"></script>'
      response.writeHead(200, { 'content-type': url === '/app.js' ? 'text/javascript' : 'text/html' }).end(page)
      return
    }
    if (method === 'GET') {
      end(200, [...this.#items.values()])
      return
    }
    let body = ''
    for await (const chunk of request) body += String(chunk)
    if (this.changes === 'hold') {
      this.unanswered += 1
      return
    }
    const item = this.#change(method, url, JSON.parse(body) as Partial<Item>, request.headers['idempotency-key'])
    if (this.changes === 'mute') this.unanswered += 1
    else end(item === undefined ? 404 : 200, item ?? {})
  }

  #change(method: string, url: string, fields: Partial<Item>, key: string | string[] | undefined): Item | undefined {
    const isRepeated = typeof key === 'string' && this.#answers.has(key)
    const id = method === 'POST' ? (fields.id ?? `${this.#items.size + 1}`) : (url.split('/')[2] ?? '')
    const before = this.#items.get(id)
    let item = isRepeated ? this.#answers.get(key) : before
    if (!isRepeated && (method === 'POST' || before !== undefined)) {
      item = { title: '', ...before, ...fields, id }
      this.#items.set(id, item)
    }
    if (typeof key === 'string') this.#answers.set(key, item)
    const path = method === 'POST' ? '/items' : url
    this.asked.push(`${method} ${path}: ${isRepeated ? 'known' : item === undefined ? '404' : 'done'}`)
    return item
  }
}

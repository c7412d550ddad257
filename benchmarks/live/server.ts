import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Item {
  readonly id: number
  readonly title: string
  readonly done: boolean
}

/** A server of items, as the checks use it. */
export interface TestServer {
  readonly items: ReadonlyMap<number, Item>
  /** How long the list takes from when it was read to its answer, and a change until it is made, in ms. */
  listTakes: number
  changeTakes: number
  /** How many requests of the list there were. */
  readonly lists: number
  readonly isStreaming: boolean
  listen(): Promise<string>
  close(): void
  /** Changes items, and tells of all of them at once. */
  change(...changed: readonly (Partial<Item> & { readonly id: number })[]): void
  /** The streams break off, and no other is accepted for so long. */
  cut(ms: number): Promise<void>
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * A server of items that tells of changes by server-sent events, and remembers none of them; it also serves the page of
 * an application.
 */
export class Server implements TestServer {
  readonly items = new Map<number, Item>()
  listTakes = 0
  changeTakes = 0
  lists = 0
  readonly #open = new Set<ServerResponse>()
  readonly #script: string
  #isCut = false
  readonly #server = createServer((request, response) => void this.#respond(request, response))

  constructor(script: string) {
    this.#script = script
    for (let id = 1; id <= 100; id++) this.items.set(id, { id, title: `item ${id}`, done: false })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  change(...changed: readonly (Partial<Item> & { readonly id: number })[]): void {
    let text = ''
    for (const fields of changed) {
      const item = { title: '', done: false, ...this.items.get(fields.id), ...fields }
      this.items.set(fields.id, item)
      text += `event: changed\ndata: ${JSON.stringify(item)}\n\n`
    }
    for (const stream of this.#open) stream.write(text)
  }

  async cut(ms: number): Promise<void> {
    this.#isCut = true
    for (const stream of this.#open) stream.destroy()
    await pause(ms)
    this.#isCut = false
  }

  get isStreaming(): boolean {
    return this.#open.size > 0
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method } = request
    if (url === '/events') this.#stream(response)
    else if (url === '/items') {
      this.lists += 1
      const body = JSON.stringify([...this.items.values()])
      await pause(this.listTakes)
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    } else if (method === 'PATCH') {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      await pause(this.changeTakes)
      const id = Number(url.split('/')[2])
      this.change({ ...(JSON.parse(body) as Partial<Item>), id })
      // The echo is first: it leaves by a connection of its own.
      await pause(100)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.items.get(id)))
    } else {
      const page = '<!doctype html><meta charset="utf-8" /><main></main><script type="module" src="/app.js"></script>'
      const isScript = url === '/app.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(isScript ? this.#script : page)
    }
  }

  #stream(response: ServerResponse): void {
    if (this.#isCut) {
      response.destroy()
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n')
    this.#open.add(response)
    response.on('close', () => this.#open.delete(response))
  }
}

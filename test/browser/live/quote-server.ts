import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What is sent: how many messages, and how many of them a second. */
export interface Load {
  readonly count: number
  readonly perSecond: number
  /** How long a field of each is, in characters. Default: 30, as servers send. */
  readonly length?: number
}

/** A server of quotes, 10,000 rows of which one changes with each message. It sends no faster than it is read. */
export class QuoteServer {
  /** What it sends to the next client. */
  load: Load = { count: 0, perSecond: 1 }
  /** How many messages were written since the last client has come. */
  sent = 0
  /** The last value of each row. */
  readonly values: number[] = Array.from({ length: 10_000 }, () => 0)
  readonly #server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('access-control-expose-headers', 'x-event-id')
    if (request.method === 'OPTIONS') response.end()
    else if (request.url === '/events') void this.#stream(response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #stream(response: ServerResponse): Promise<void> {
    const { count, perSecond } = this.load
    this.sent = 0
    this.values.fill(0)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n')
    const begin = performance.now()
    while (this.sent < count && !response.destroyed) {
      const due = Math.min(count, Math.ceil(((performance.now() - begin) / 1_000) * perSecond))
      let text = ''
      // What was written waits here and not at the client, so it is written in parts.
      for (let part = 0; part < 100 && this.sent < due; part++) text += this.#next()
      if (text !== '' && !response.write(text)) await new Promise<void>((resolve) => response.once('drain', resolve))
      else if (this.sent === due) await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  #next(): string {
    const value = ++this.sent
    // A prime goes through all rows before one comes again.
    const id = (value * 7_919) % this.values.length
    this.values[id] = value
    const data = JSON.stringify({ id, value, note: 'n'.repeat(this.load.length ?? 30) })
    return `event: changed\nid: ${value}\ndata: ${data}\n\n`
  }
}

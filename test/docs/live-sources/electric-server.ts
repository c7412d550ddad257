import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Change {
  readonly key: string
  readonly value: Readonly<Record<string, string>>
  readonly headers: { readonly operation: 'insert' | 'update' | 'delete' }
}

/** The HTTP API of Electric for a table of todos: a log of changes, read by long polls. */
export class ElectricServer {
  /** Every request: its search params. */
  readonly asked: Record<string, string>[] = []
  #handle = 'first'
  #log: Change[] = []
  readonly #waiting = new Set<{ readonly response: ServerResponse; readonly from: number }>()
  readonly #server: Server = createServer((request, response) => this.#serve(request.url ?? '', response))

  tell(operation: Change['headers']['operation'], value: Readonly<Record<string, string>>): void {
    this.#log.push({ key: `"public"."todos"/"${value.id}"`, value, headers: { operation } })
    for (const { response, from } of this.#waiting) this.#answer(response, from)
    this.#waiting.clear()
  }

  /** The log is thrown away, and another one begins. */
  rotate(): void {
    this.#handle = 'second'
    this.#log = []
    for (const { response } of this.#waiting) this.#refuse(response)
    this.#waiting.clear()
  }

  #serve(url: string, response: ServerResponse): void {
    const params = Object.fromEntries(new URL(url, 'http://a').searchParams)
    this.asked.push(params)
    const { offset = '-1', handle, live } = params
    const from = offset === 'now' ? this.#log.length : Number(offset.split('_')[0])
    if (handle !== undefined && handle !== this.#handle) this.#refuse(response)
    else if (live !== undefined && handle === undefined) response.writeHead(400).end('{}')
    else if (live === 'true' && from === this.#log.length) this.#waiting.add({ response, from })
    else this.#answer(response, from)
  }

  #refuse(response: ServerResponse): void {
    response.writeHead(409, { 'electric-handle': this.#handle })
    response.end(JSON.stringify([{ headers: { control: 'must-refetch' } }]))
  }

  #answer(response: ServerResponse, from: number): void {
    response.writeHead(200, {
      'content-type': 'application/json',
      'electric-handle': this.#handle,
      'electric-offset': `${this.#log.length}_0`,
      'electric-cursor': '1674440',
      'electric-up-to-date': '',
    })
    response.end(JSON.stringify([...this.#log.slice(from), { headers: { control: 'up-to-date' } }]))
  }

  /** Cuts the requests that wait. */
  cut(): void {
    for (const { response } of this.#waiting) response.destroy()
    this.#waiting.clear()
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/shape?table=todos`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

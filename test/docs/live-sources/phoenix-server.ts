import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

interface Frame {
  readonly topic: string
  readonly event: string
  readonly payload: { readonly config?: unknown; readonly access_token?: string | null }
  readonly ref: string
}

/** Channels of Phoenix as Supabase speaks them: the changes of a table of todos. */
export class PhoenixServer {
  /** What was sent to it. */
  readonly heard: Frame[] = []
  readonly #joined = new Set<WebSocket>()
  readonly #server: Server = createServer()
  readonly #sockets = new WebSocketServer({ server: this.#server })

  constructor() {
    this.#sockets.on('connection', (socket) => {
      socket.on('message', (text) => this.#hear(socket, JSON.parse(String(text)) as Frame))
      socket.on('close', () => this.#joined.delete(socket))
    })
  }

  #hear(socket: WebSocket, frame: Frame): void {
    this.heard.push(frame)
    const { topic, event, payload, ref } = frame
    const send = (name: string, content: object): void =>
      socket.send(JSON.stringify({ topic, event: name, payload: content, ref }))
    if (event === 'phx_join' && payload.access_token === 'wrong') {
      send('phx_reply', { status: 'error', response: { reason: 'Invalid token' } })
    } else if (event === 'phx_join') {
      send('phx_reply', { status: 'ok', response: { postgres_changes: [{ id: 1 }] } })
      this.#joined.add(socket)
      const extension = 'postgres_changes'
      send('system', { status: 'ok', extension, channel: 'todos', message: 'Subscribed to PostgreSQL' })
    } else send('phx_reply', { status: 'ok', response: {} })
  }

  tell(type: 'INSERT' | 'UPDATE' | 'DELETE', record: object): void {
    const changed = type === 'DELETE' ? { old_record: record } : { record, old_record: {} }
    const data = { schema: 'public', table: 'todos', type, errors: null, ...changed }
    const payload = { ids: [1], data }
    for (const socket of this.#joined)
      socket.send(JSON.stringify({ topic: 'realtime:todos', event: 'postgres_changes', payload, ref: null }))
  }

  cut(): void {
    for (const socket of this.#sockets.clients) socket.terminate()
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.cut()
    this.#sockets.close()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

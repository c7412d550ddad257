import { actionTypes, type Controller, type Manager, type Middleware } from '@data-client/core'
import { getTicker } from './resources.js'

/** A member of an action; data-client 0.10 has some of them in `meta`. */
const memberOf = (action: object, name: string): never => {
  const { meta = {}, ...own } = action as Record<string, Record<string, unknown>>
  return (own[name] ?? (meta as Record<string, unknown>)[name]) as never
}

/** Notes what middleware sees. */
export class LoggerManager implements Manager {
  readonly lines: string[]
  middleware: Middleware

  constructor(lines: string[]) {
    this.lines = lines
    this.middleware = () => (next) => async (action) => {
      const { type, endpoint, error } = action as { type: string; endpoint?: { name: string }; error?: boolean }
      this.lines.push([type, endpoint?.name, error && 'failed'].filter(Boolean).join(' '))
      await next(action)
    }
  }
  getMiddleware() {
    return this.middleware
  }
  init() {
    this.lines.push('init')
  }
  cleanup() {
    this.lines.push('cleanup')
  }
}

/** What a server pushes: a `WebSocket` in the application. */
export interface Socket {
  onmessage?: (message: { readonly data: string }) => void
  send(text: string): void
}

/** Subscriptions of endpoints with a channel are the socket's. */
export class SocketManager implements Manager {
  middleware: Middleware
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
    this.middleware = (controller) => {
      socket.onmessage = ({ data }) => this.#receive(controller as unknown as Controller, JSON.parse(data))
      return (next) => async (action) => {
        const { type, endpoint } = action as { type: string; endpoint?: { channel?: string } }
        if (endpoint?.channel === undefined) return next(action)
        const args: readonly unknown[] = memberOf(action, 'args')
        if (type === actionTypes.SUBSCRIBE_TYPE) return socket.send(`subscribe ${JSON.stringify(args)}`)
        if (type === actionTypes.UNSUBSCRIBE_TYPE) return socket.send(`unsubscribe ${JSON.stringify(args)}`)
        return next(action)
      }
    }
  }

  #receive(controller: Controller, ticker: { id: string; price: number }) {
    void controller.setResponse(getTicker, { id: ticker.id }, ticker)
  }
  getMiddleware() {
    return this.middleware
  }
  cleanup() {
    this.#socket.send('close')
  }
}

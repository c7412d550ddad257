import { TransportError } from '../util/errors.js'
import { messageOf } from './http-stream.js'
import { LiveRefusedError } from './refused-error.js'
import type { LiveMessage, Wire, WireContext } from './wire.js'

/** The part of a WebSocket that a wire needs. */
export interface Socket {
  send(text: string): void
  close(code?: number): void
  addEventListener(name: 'open' | 'error', listener: () => void): void
  addEventListener(name: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(name: 'close', listener: (event: { readonly code: number }) => void): void
}

/** The options of `webSocket`. */
export interface WebSocketOptions {
  /** The subprotocols. */
  readonly protocols?: string | readonly string[] | undefined
  /** The class to use, for platforms without a global one (Node before 22): `WebSocket` of the package ws. */
  readonly WebSocket?: (new (url: string, protocols?: string[]) => Socket) | undefined
  /**
   * The value that is sent as JSON when the socket opens, such as a token, since browsers send no headers with a
   * WebSocket.
   *
   * @default undefined: nothing. The last event is in the address: `?lastEventId=41`
   */
  readonly hello?: ((context: WireContext) => unknown) | undefined
}

/** Close codes with which a server refuses further connections. */
const POLICY_VIOLATION = 1008
const isRefusal = (code: number): boolean => code === POLICY_VIOLATION || (code >= 4400 && code <= 4499)

/**
 * Returns a wire of a WebSocket whose text messages are JSON, one message each:
 * `{ "type": "todo.changed", "data": { "id": 5 }, "id": "41" }`.
 *
 * @remarks
 * A message `{ "type": "opened", "id": "40" }` names the event after which the stream begins. Close codes 1008 and 4400 to
 * 4499 refuse the source. A WebSocket cannot be paused: messages that arrive faster than they are written wait in memory.
 *
 * @example
 * ```ts
 * const getLiveTodos = TodoResource.getList.extend(
 *   live({ name: 'todos', url: 'wss://api.test/todos', wire: webSocket(), messages: { 'todo.changed': Todo } }),
 * )
 * ```
 */
export function webSocket({ protocols = [], WebSocket: Class, hello }: WebSocketOptions = {}): Wire {
  return async function* (context) {
    const { url, lastEventId, signal } = context
    const Socket = Class ?? globalThis.WebSocket
    const socket: Socket = new Socket(addressOf(url, lastEventId), [protocols].flat())
    let waiting: LiveMessage[] | undefined
    let end: { readonly error: Error | undefined } | undefined
    let wake = (): void => {}
    const finish = (error?: Error): void => {
      end ??= { error }
      wake()
    }
    socket.addEventListener('open', () => {
      if (hello !== undefined) socket.send(JSON.stringify(hello(context)))
    })
    socket.addEventListener('message', ({ data }) => {
      const message = typeof data === 'string' && messageOf(data, context, 'application/json')
      // Anything else only keeps the connection alive.
      waiting ??= []
      if (message) waiting.push(message)
      wake()
    })
    // The close event that follows has the reason.
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', ({ code }) => {
      finish(isRefusal(code) ? new LiveRefusedError(url, { closeCode: code }) : closed(url, code))
    })
    signal.addEventListener('abort', () => finish(), { once: true })
    try {
      for (;;) {
        const messages = waiting
        waiting = undefined
        if (messages !== undefined) yield messages
        else if (end === undefined) await new Promise<void>((resolve) => (wake = resolve))
        else if (end.error !== undefined) throw end.error
        else return
      }
    } finally {
      socket.close()
    }
  }
}

/** A normal end is not an error. */
function closed(url: string, code: number): Error | undefined {
  return code === 1000 || code === 1001
    ? undefined
    : new TransportError(url, 'GET', { cause: new Error(`close code ${code}`) })
}

function addressOf(url: string, lastEventId: string | undefined): string {
  const page = typeof location === 'undefined' ? undefined : location.href
  const address = new URL(url, page)
  address.protocol = address.protocol.replace('http', 'ws')
  if (lastEventId !== undefined) address.searchParams.set('lastEventId', lastEventId)
  return address.href
}

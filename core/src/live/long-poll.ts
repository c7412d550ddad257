import { ResponseParseError, TransportError } from '../util/errors.js'
import { type HttpWireOptions, isMessage, MAX_LENGTH, openStream, parsed, textOf } from './http-stream.js'
import type { LiveMessage, Wire, WireContext } from './wire.js'

const TYPE = 'application/json'

/** The shortest time between two requests if the first brought nothing new, in ms. */
const SHORTEST = 1_000

/**
 * Returns a long-polling wire: the server responds with a list of messages once it has news. The next request has the
 * last message's `id` as `Last-Event-ID`.
 *
 * @remarks
 * Respond to the first request of a connection, which has `Prefer: wait=0`, at once, with the available messages and
 * the header `x-event-id`: the event after which they come. Respond to all others within the source's `silence` (45
 * s), with an empty list if nothing has happened. After an early response without news, the next request follows a
 * second later.
 *
 * @example
 * ```ts
 * const getLiveTodos = TodoResource.getList.extend(
 *   live({ name: 'todos', url: '/changes', wire: longPoll(), messages: { 'todo.changed': Todo } }),
 * )
 * ```
 */
export function longPoll({ init, maxLength = 16 * MAX_LENGTH }: HttpWireOptions = {}): Wire {
  return async function* (context) {
    const { url, signal, report, env } = context
    const first = new Headers(context.headers)
    first.set('prefer', 'wait=0')
    let { lastEventId } = context
    for (let headers = first; !signal.aborted; { headers } = context) {
      const sentAt = env.mono()
      const { response, opened } = await openStream({ ...context, headers, lastEventId }, TYPE, init)
      let text = ''
      for await (const piece of textOf(response, context)) {
        text += piece
        if (text.length > maxLength) throw new TransportError(url, 'GET')
      }
      const value = parsed(text, context, TYPE)
      const messages = Array.isArray(value) ? value.filter(isMessage) : []
      if (value !== undefined && (!Array.isArray(value) || messages.length < value.length))
        report(new ResponseParseError(url, 200, TYPE, text))
      yield opened.id === undefined && lastEventId !== undefined ? messages : [opened, ...messages]
      if (value === undefined) throw new ResponseParseError(url, 200, TYPE, text)
      const reached = lastIdOf(messages) ?? opened.id ?? lastEventId
      const rest = sentAt + SHORTEST - env.mono()
      // A server that does not wait would be polled without a pause.
      if (headers !== first && reached === lastEventId && rest > 0) await pause(context, rest)
      lastEventId = reached
    }
  }
}

function pause({ env, signal }: WireContext, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      env.clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = env.setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

function lastIdOf(messages: readonly LiveMessage[]): string | undefined {
  return messages.filter(({ id }) => id !== undefined).at(-1)?.id
}

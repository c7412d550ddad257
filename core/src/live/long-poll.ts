import { ResponseParseError } from '../util/errors.js'
import { isMessage, openStream, parsed } from './http-stream.js'
import type { LiveMessage, Wire } from './wire.js'

/** The options of `longPoll`. */
export interface LongPollOptions {
  /** More options of `fetch`, such as `credentials`. */
  readonly init?: RequestInit | undefined
}

const TYPE = 'application/json'

/**
 * Returns a wire of requests that the server answers when there is something to tell, with a list of messages. The next request has the
 * last message's `id` as `Last-Event-ID`.
 *
 * @remarks
 * Answer the first request of a connection, which has `Prefer: wait=0`, at once, with the messages that there are and the header
 * `x-event-id`: the event after which they come. Answer all others within the `silence` of the source (45 s), with an empty list if nothing
 * has happened.
 *
 * @example
 * ```ts
 * const getLiveTodos = TodoResource.getList.extend(
 *   live({ name: 'todos', url: '/changes', wire: longPoll(), messages: { 'todo.changed': Todo } }),
 * )
 * ```
 */
export function longPoll({ init }: LongPollOptions = {}): Wire {
  return async function* (context) {
    const { url, signal, report } = context
    const first = new Headers(context.headers)
    first.set('prefer', 'wait=0')
    let { lastEventId } = context
    for (let headers = first; !signal.aborted; { headers } = context) {
      const { response, opened } = await openStream({ ...context, headers, lastEventId }, TYPE, init)
      const text = await response.text()
      const value = parsed(text, context, TYPE)
      const messages = Array.isArray(value) ? value.filter(isMessage) : []
      if (value !== undefined && (!Array.isArray(value) || messages.length < value.length))
        report(new ResponseParseError(url, 200, TYPE, text))
      yield opened.id === undefined && lastEventId !== undefined ? messages : [opened, ...messages]
      // There has been a byte.
      yield []
      if (value === undefined) throw new ResponseParseError(url, 200, TYPE, text)
      lastEventId = lastIdOf(messages) ?? opened.id ?? lastEventId
    }
  }
}

function lastIdOf(messages: readonly LiveMessage[]): string | undefined {
  return messages.filter(({ id }) => id !== undefined).at(-1)?.id
}

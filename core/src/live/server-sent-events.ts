import { createParser } from 'eventsource-parser'
import { TransportError } from '../util/errors.js'
import { type HttpWireOptions, MAX_LENGTH, openStream, parsed, textOf } from './http-stream.js'
import type { LiveMessage, Wire } from './wire.js'

const TYPE = 'text/event-stream'

/**
 * Returns a wire of server-sent events, read with `fetch`, so it sends headers, unlike `EventSource`. The event name
 * is the message name (`message` by default), and the event data is JSON.
 *
 * @example
 * ```ts
 * const getLiveTodos = TodoResource.getList.extend(
 *   live({ name: 'todos', url: '/events', wire: sse(), messages: { 'todo.changed': Todo } }),
 * )
 * ```
 */
export function sse({ init, maxLength = MAX_LENGTH }: HttpWireOptions = {}): Wire {
  return async function* (context) {
    const { url } = context
    const { response, opened } = await openStream(context, TYPE, init)
    yield [opened]
    let messages: LiveMessage[] = []
    let error: Error | undefined
    const { feed } = createParser({
      maxBufferSize: maxLength,
      onRetry: (retry) => messages.push({ retry }),
      onError(cause) {
        // Unknown fields are ignored, as the standard requires.
        if (cause.type === 'max-buffer-size-exceeded') error = new TransportError(url, 'GET', { cause })
      },
      onEvent({ id, event: type = 'message', data }) {
        const value = data === '' ? undefined : parsed(data, context, TYPE)
        // An unreadable event is reported, but its id counts.
        messages.push(value === undefined && type !== 'opened' ? { id } : { id, type, data: value })
      },
    })
    for await (const text of textOf(response, context)) {
      feed(text)
      const read = messages
      messages = []
      yield read
      if (error !== undefined) throw error
    }
  }
}

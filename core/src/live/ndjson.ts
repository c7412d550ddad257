import { TransportError } from '../util/errors.js'
import { type HttpWireOptions, MAX_LENGTH, messageOf, openStream, textOf } from './http-stream.js'
import type { Wire } from './wire.js'

const TYPE = 'application/x-ndjson'

/**
 * Returns a wire of lines of JSON, one for each message:
 * `{ "type": "todo.changed", "data": { "id": 5 }, "id": "41" }`. An empty line keeps the connection alive.
 *
 * @example
 * ```ts
 * const getLiveTodos = TodoResource.getList.extend(
 *   live({ name: 'todos', url: '/changes', wire: ndjson(), messages: { 'todo.changed': Todo } }),
 * )
 * ```
 */
export function ndjson({ init, maxLength = MAX_LENGTH }: HttpWireOptions = {}): Wire {
  return async function* (context) {
    const { response, opened } = await openStream(context, TYPE, init)
    yield [opened]
    let rest = ''
    for await (const text of textOf(response, context)) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      yield lines.flatMap((line) => (line.trim() === '' ? [] : (messageOf(line, context, TYPE) ?? [])))
      if (rest.length > maxLength) throw new TransportError(context.url, 'GET')
    }
  }
}

import { TransportError } from '../util/errors.js'
import { messageOf, openStream, textOf } from './http-stream.js'
import type { Wire } from './wire.js'

/** The options of `ndjson`. */
export interface NdjsonOptions {
  /** More options of `fetch`, such as `credentials`. */
  readonly init?: RequestInit | undefined
  /**
   * The longest line, in characters: a connection that brings a longer one is cut.
   *
   * @default 1_048_576
   */
  readonly maxLineLength?: number | undefined
}

const TYPE = 'application/x-ndjson'

/**
 * Returns a wire of lines of JSON, one for each message: `{ "type": "todo.changed", "data": { "id": 5 }, "id": "41" }`. An empty line is a
 * sign of life.
 *
 * @example
 * ```ts
 * const getLiveTodos = TodoResource.getList.extend(
 *   live({ name: 'todos', url: '/changes', wire: ndjson(), messages: { 'todo.changed': Todo } }),
 * )
 * ```
 */
export function ndjson({ init, maxLineLength = 1_048_576 }: NdjsonOptions = {}): Wire {
  return async function* (context) {
    const { response, opened } = await openStream(context, TYPE, init)
    yield [opened]
    let rest = ''
    for await (const text of textOf(response)) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      yield lines.flatMap((line) => (line.trim() === '' ? [] : (messageOf(line, context, TYPE) ?? [])))
      if (rest.length > maxLineLength) throw new TransportError(context.url, 'GET')
    }
  }
}

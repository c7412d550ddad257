import type { LiveMessage, Wire } from '../live/wire.js'
import type { Backend } from './backend.js'
import type { BackendChange } from './tables.js'

/**
 * Makes a wire of `@roundtable/core/live` that sends each change of a backend.
 *
 * @param message - the message for a change; undefined for none
 * @example
 * ```ts
 * const api = backend({ TodoResource })
 * const getTodos = TodoResource.getList.extend(
 *   live({
 *     name: 'todos',
 *     url: '/events',
 *     wire: changesOf(api, ({ type, row }) => ({ type, data: row })),
 *     messages: { created: TodoResource.create.schema, changed: Todo, deleted: new Invalidate(Todo) },
 *   }),
 * )
 * ```
 */
export function changesOf(
  backend: Pick<Backend, 'on' | 'lastChange'>,
  message: (change: BackendChange) => LiveMessage | undefined,
): Wire {
  return async function* ({ signal }) {
    const waiting: LiveMessage[] = [{ type: 'opened', id: backend.lastChange }]
    let wake = (): void => {}
    const stop = backend.on((change) => {
      const told = message(change)
      if (told) waiting.push({ id: change.id, ...told })
      wake()
    })
    signal.addEventListener('abort', () => wake())
    try {
      while (!signal.aborted) {
        if (waiting.length > 0) yield waiting.splice(0)
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      stop()
    }
  }
}

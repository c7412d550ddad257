import type { Controller } from '../client/controller.js'
import { type DehydrateOptions, Parts } from './parts.js'
import type { Dehydrated } from './state.js'

/**
 * Returns the server state of a controller as plain data for `hydrate`: rows, lists, results and errors, without optimistic
 * changes and without data that was invalidated and is not shown. Ages are durations, so the clocks of server and browser
 * may differ.
 *
 * @example
 * ```ts
 * const controller = new Controller({ server: true })
 * await controller.fetch(getTodos)
 * const html = toScript(dehydrate(controller))
 * ```
 */
export function dehydrate(controller: Controller, options: DehydrateOptions = {}): Dehydrated {
  const draft = new Parts(controller, options).nextDraft()
  return draft.state(options)
}

/**
 * Returns a function that dehydrates the data stored since its last call; undefined if there is nothing new. For pages that
 * are streamed.
 *
 * @example
 * ```ts
 * const controller = new Controller({ server: true })
 * const next = dehydrateParts(controller)
 * await controller.fetch(getTodos)
 * const part = next() // the todos
 * next() // → undefined
 * ```
 */
export function dehydrateParts(controller: Controller, options: DehydrateOptions = {}): () => Dehydrated | undefined {
  const parts = new Parts(controller, options)
  parts.listen()
  return () => parts.next()
}

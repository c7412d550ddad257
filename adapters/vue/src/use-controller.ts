import type { Controller } from '@roundtable/core'
import { inject } from 'vue'
import { CONTROLLER } from './controller-key.js'

/**
 * The controller that was provided: it fetches, writes and reads.
 *
 * @throws Error if none was provided
 * @example
 * ```ts
 * const controller = useController()
 * const remove = () => controller.fetch(deleteTodo, { id: props.id })
 * ```
 */
export function useController(): Controller {
  const controller = inject(CONTROLLER, undefined)
  if (!controller) throw new Error('No controller. Call app.use(createDataClient()).')
  return controller
}

import type { Controller } from '@roundtable/core'
import { hasInjectionContext, inject } from 'vue'
import { CONTROLLER } from './controller-key.js'

/**
 * Returns the provided controller.
 *
 * @throws Error if no controller was provided, or if called outside of setup
 * @example
 * ```ts
 * const controller = useController()
 * const remove = () => controller.fetch(deleteTodo, { id: props.id })
 * ```
 */
export function useController(): Controller {
  if (!hasInjectionContext())
    throw new Error(
      'No controller can be found outside of setup. Call useController() and other composables in setup, before an await: not in a handler, nor after an await in a function of your own.',
    )
  const controller = inject(CONTROLLER, undefined)
  if (!controller) throw new Error('No controller. Call app.use(createDataClient()).')
  if (typeof window === 'undefined') controller.rendersOnServer()
  return controller
}

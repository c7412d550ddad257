import type { Controller } from '@roundtable/core'
import { getContext } from 'svelte'
import { CONTROLLER } from './controller-key.js'

/**
 * Returns the provided controller.
 *
 * @throws Error if no controller was provided
 * @example
 * ```ts
 * const controller = useController()
 * const remove = () => controller.fetch(deleteTodo, { id })
 * ```
 */
export function useController(): Controller {
  const controller = getContext<Controller | undefined>(CONTROLLER)
  if (!controller) throw new Error('No controller. Call setController() in a component above.')
  if (typeof window === 'undefined') controller.rendersOnServer()
  return controller
}

import type { Controller } from '@roundtable/core'
import { getContext } from 'svelte'
import { CONTROLLER } from './controller-key.js'

/**
 * The controller that was provided: it fetches, writes and reads.
 *
 * @throws Error if none was provided
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

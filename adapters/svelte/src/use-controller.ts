import type { Controller } from '@roundtable/core'
import { getAllContexts, getContext } from 'svelte'
import { CONTROLLER } from './controller-key.js'

/**
 * Returns the provided controller.
 *
 * @throws Error if no controller was provided, or if called outside of a component's initialization
 * @example
 * ```ts
 * const controller = useController()
 * const remove = () => controller.fetch(deleteTodo, { id })
 * ```
 */
export function useController(): Controller {
  if (!isSettingUp())
    throw new Error(
      'No controller can be found outside of a component. Call useController() and other hooks while a component is initialized: not in a handler, nor after an await in a function of your own.',
    )
  const controller = getContext<Controller | undefined>(CONTROLLER)
  if (!controller) throw new Error('No controller. Call setController() in a component above.')
  if (typeof window === 'undefined') controller.rendersOnServer()
  return controller
}

/** True while a component is being initialized. */
export function isSettingUp(): boolean {
  try {
    // Contexts exist only during initialization.
    getAllContexts()
    return true
  } catch {
    return false
  }
}

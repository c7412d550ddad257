import { Controller } from '@roundtable/core'
import { onDestroy, setContext } from 'svelte'
import { CONTROLLER } from './controller-key.js'

/**
 * Provides a controller to a component and its descendants. Without an argument it creates one, which is disposed with the
 * component.
 *
 * @returns the provided controller
 * @example
 * ```svelte
 * <script lang="ts">
 *   setController(new Controller())
 * </script>
 * ```
 */
export function setController(controller: Controller = ownController()): Controller {
  return setContext(CONTROLLER, controller)
}

function ownController(): Controller {
  const controller = new Controller({ server: typeof window === 'undefined' })
  onDestroy(() => controller.dispose())
  return controller
}

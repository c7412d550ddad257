import type { Controller } from '@roundtable/core'
import * as React from 'react'
import { ControllerContext } from './controller-key.js'

/**
 * Returns the provided controller.
 *
 * @throws Error if no controller was provided
 * @example
 * ```tsx
 * const controller = useController()
 * return <button onClick={() => controller.fetch(deleteTodo, { id })}>Delete</button>
 * ```
 */
export function useController(): Controller {
  const controller = React.useContext(ControllerContext)
  if (!controller) throw new Error('No controller. Put the app in a <DataProvider>.')
  if (typeof window === 'undefined') controller.rendersOnServer()
  return controller
}

import { isNew } from '../api/is-new.js'
import { store } from './store.js'

/**
 * Whether a task cannot be changed before the server has numbered it. A page that keeps its changes may be offline for
 * long: there a change of a new task waits behind its creation.
 */
export function mustWait(task: { readonly id: unknown }): boolean {
  return store === undefined && isNew(task)
}

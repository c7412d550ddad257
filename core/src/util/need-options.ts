import { describe } from './describe.js'
import { OptionError } from './errors.js'

/**
 * Throws if the options of a function are missing or not an object. Reading them would throw a native error that names
 * neither the function nor the fix.
 *
 * @param remedy - a correct call, for the message
 * @example
 * ```ts
 * needOptions('batch', undefined, "batch({ path: '/todos?id=:ids' })") // throws
 * ```
 * @throws OptionError if they are something else
 */
export function needOptions(owner: string, options: unknown, remedy: string): void {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return
  const reason = `must be an object, found ${describe(options)}: write ${remedy}.`
  throw new OptionError(owner, reason, { message: `The options of ${owner} ${reason}` })
}

import { describe } from './describe.js'
import { OptionError } from './errors.js'

/**
 * Throws if an option is not a function. Calling it later would throw a native error far from the mistake.
 *
 * @example
 * ```ts
 * needFunction('compare', 5, 'a Collection') // throws
 * ```
 * @throws OptionError if it is something else
 */
export function needFunction(option: string, value: unknown, owner: string): void {
  if (typeof value === 'function') return
  throw new OptionError(option, `of ${owner} must be a function, found ${describe(value)}.`)
}

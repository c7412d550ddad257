import { checkLiterals } from '../schema/literal.js'
import { OptionError } from '../util/errors.js'
import { defineMember } from '../util/plain.js'

/** Options as a plain record: the library's, and any that a user adds. */
export type OptionRecord = Readonly<Record<string, unknown>>

/**
 * Defines options as members of an endpoint, overriding those of its class.
 *
 * @remarks
 * Members are defined, not assigned: assigning `name` or a member with only a getter would throw. `undefined` stands for the
 * default of a member that has one.
 *
 * @example
 * ```ts
 * defineOptions(endpoint, { dataExpiryLength: 5_000 })
 * ```
 * @throws OptionError for an invalid schema literal, lifetime, frequency or timeout, and in development for a method that uses
 * `super`.
 */
export function defineOptions(endpoint: object, options: OptionRecord): void {
  for (const name of Object.keys(options)) {
    const value = options[name]
    if (value === undefined && defaulted.test(name)) continue
    checkTime(name, value)
    if (name === 'schema') checkLiterals(value, `${options.name ?? options.path ?? 'an endpoint'}`)
    if (process.env.NODE_ENV !== 'production') checkSuper(name, value)
    defineMember(endpoint, name, value)
  }
}

/** Members for which `undefined` means the default. */
const defaulted =
  /^(?:name|fetch|key|testKey|method|urlPrefix|url|searchToString|get(?:RequestInit|Headers)|fetchResponse|parseResponse|process)$/

/**
 * Defines a class member that is computed until it is set, as an option, as a class field or by assignment.
 *
 * @example
 * ```ts
 * defineDefault(Endpoint.prototype, 'name', (endpoint: Endpoint) => endpoint.fetch.name)
 * ```
 */
export function defineDefault<T>(prototype: T & object, name: string, compute: (instance: T) => unknown): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: T) {
      return compute(this)
    },
    set(this: T & object, value: unknown) {
      defineMember(this, name, value)
    },
  })
}

/**
 * Checks an option that is a time in milliseconds; others pass.
 *
 * @throws OptionError if it is negative, NaN, not a number, or 0 where it must be more.
 *
 * @example
 * ```ts
 * checkTime('pollFrequency', 0) // throws
 * ```
 */
export function checkTime(name: string, value: unknown): void {
  if (value === undefined || !/^(?:(?:data|error)ExpiryLength|pollFrequency|timeout)$/.test(name)) return
  const isLength = name.endsWith('Length')
  if (typeof value === 'number' && (isLength ? value >= 0 : value > 0)) return
  const hint = process.env.NODE_ENV === 'production' ? '' : ' Leave it out for the default.'
  throw new OptionError(
    name,
    `must be ${isLength ? '0 or more' : 'more than 0'} milliseconds, found ${String(value)}.${hint}`,
  )
}

/** Matches a method written as `name(…) {` or `async name(…) {`. Arrow functions may use the `super` of the class around them. */
const isShortMethod = /^(?:async\s+)?\*?\s*(?!(?:function|async)\b)[\w$]+\s*\(/

function checkSuper(name: string, value: unknown): void {
  if (typeof value !== 'function' || value.prototype !== undefined) return
  const source = Function.prototype.toString.call(value)
  if (!isShortMethod.test(source) || !/\bsuper\s*\./.test(source)) return
  const remedy = `RestEndpoint.prototype.${name}.call(this, …), or base.${name}.call(this, …) in extend`
  throw new OptionError(name, `uses super, which works in classes only. Call ${remedy}.`)
}

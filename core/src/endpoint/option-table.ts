import { checkLiterals } from '../schema/literal.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { defineMember } from '../util/plain.js'

/** Options by name: the library's, and any that a user adds. */
export type OptionRecord = Readonly<Record<string, unknown>>

/** Options for which `undefined` means the default. */
const orDefault =
  /^(?:name|fetch|key|testKey|method|urlPrefix|url|searchToString|getRequestInit|getHeaders|fetchResponse|parseResponse|process)$/

/** Options that are times in ms. Those that end in `Length` may be 0. */
const isTime = /^(?:(?:data|error)ExpiryLength|pollFrequency|timeout)$/

/** The types of options that development checks. `others` have checks of their own, or accept any value. */
type OptionType = 'string' | 'number' | 'boolean' | 'function' | 'object' | 'others'

/** All options, by the type of their values. */
const optionTypes = /* @__PURE__ */ typesOf({
  string: 'name refreshPages',
  number: 'dataExpiryLength errorExpiryLength pollFrequency timeout',
  boolean: 'sideEffect invalidIfStale abortOnUnused transfers',
  function: 'fetch key testKey errorPolicy requestKey transport onSend getOptimisticResponse update aroundExchange',
  object: 'signal pageFields scope',
  others: 'schema parts',
})

/** The options of a `RestEndpoint`. Other endpoints may have any members of these names except `retry` and `batch`. */
const restOptionTypes = /* @__PURE__ */ typesOf({
  string: 'method urlPrefix path paginationField movePath content',
  function: 'nextPage url searchToString getRequestInit getHeaders fetchResponse parseResponse process',
  object: 'requestInit mutationOptions retry batch',
  others: 'body searchParams memberBody',
})

/** Returns the type of each option, from their names by type. */
function typesOf(names: Readonly<Partial<Record<OptionType, string>>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(names).flatMap(([type, some]) => some.split(' ').map((name) => [name, type])))
}

/**
 * Defines options as members of an endpoint, overriding those of its class.
 *
 * @remarks
 * Members are defined, not assigned: assigning `name` or a member with only a getter would throw.
 *
 * @example
 * ```ts
 * defineOptions(endpoint, { dataExpiryLength: 5_000 })
 * ```
 * @throws OptionError for an invalid lifetime, frequency or timeout; in development also for an invalid schema literal, and
 * for a method that uses `super`.
 */
export function defineOptions(endpoint: object, options: OptionRecord): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined && orDefault.test(name)) continue
    if (process.env.NODE_ENV !== 'production') checkDefinition(endpoint, name, value, options)
    if (value !== undefined && isTime.test(name)) checkTime(name, value, name.endsWith('Length'))
    defineMember(endpoint, name, value)
  }
}

/**
 * Returns a time in milliseconds after checking it.
 *
 * @throws OptionError for anything else, and for 0 unless `mayBeZero`
 */
export function checkTime(name: string, value: unknown, mayBeZero: boolean): number {
  if (typeof value === 'number' && (value > 0 || (mayBeZero && value === 0))) return value
  throw new OptionError(
    name,
    `must be ${mayBeZero ? '0 or more' : 'more than 0'} milliseconds, found ${String(value)}.${process.env.NODE_ENV === 'production' ? '' : ' Leave it out for the default.'}`,
  )
}

/** Checks types, schema literals and methods, in development only: mistakes in them are in the program's source. */
function checkDefinition(endpoint: object, name: string, value: unknown, options: OptionRecord): void {
  if (!('fetchResponse' in endpoint) && restOptionTypes.has(name)) return
  const owner = `${options.name ?? options.path ?? 'an endpoint'}`
  // Warns only once, since each request defines a copy of the endpoint.
  if (name === 'schema') checkLiterals(value, owner, true)
  // A part passed in place of the options would only give the endpoint its name.
  if (name === 'wrote' && typeof value === 'function')
    throw new OptionError('parts', 'must contain the part: write parts: [also(…)].')
  if (name === 'parts' && value !== undefined && !Array.isArray(value))
    throw new OptionError('parts', `of ${owner} must be a list, found ${describe(value)}: write parts: [also(…)].`)
  const type = optionTypes.get(name) ?? restOptionTypes.get(name) ?? 'others'
  if (value !== undefined && value !== null && type !== 'others' && typeof value !== type)
    throw new OptionError(
      name,
      `of ${owner} must be ${/^o/.test(type) ? 'an' : 'a'} ${type}, found ${describe(value)}.`,
    )
  // Arrow functions may use `super` of the class that contains them.
  if (typeof value !== 'function' || value.prototype !== undefined) return
  const source = Function.prototype.toString.call(value)
  if (!isShortMethod.test(source) || !/\bsuper\s*\./.test(source)) return
  const remedy = `RestEndpoint.prototype.${name}.call(this, …), or base.${name}.call(this, …) in extend`
  throw new OptionError(name, `uses super, which works in classes only. Call ${remedy}.`)
}

/** Matches a method written as `name(…) {` or `async name(…) {`. */
const isShortMethod = /^(?:async\s+)?\*?\s*(?!(?:function|async)\b)[\w$]+\s*\(/

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

// --- misspelt options

/**
 * Warns of options that look like misspellings of known ones.
 *
 * @example
 * ```ts
 * warnOfTypos('getTodos', { pollFrequencyy: 5 }, {})
 * ```
 * @param own - an object whose members are valid names: the endpoint, with the members of its class
 * @param more - further known names
 */
export function warnOfTypos(who: string, options: object, own: object, more: readonly string[] = []): void {
  for (const name of Object.keys(options)) {
    if (optionTypes.has(name) || restOptionTypes.has(name) || more.includes(name) || name in own) continue
    const meant = meantName(name, [...optionTypes.keys(), ...restOptionTypes.keys(), ...more])
    if (meant) console.warn(`${who} has no option '${name}': did you mean '${meant}'?`)
  }
}

/** Marks options that development has already checked. Copies of an endpoint share the mark, so they do not warn again. */
export const CHECKED: unique symbol = Symbol('checked')

/** Options with the mark. */
export type CheckedOptions = OptionRecord & { readonly [CHECKED]?: { isCalled: boolean } }

/** Returns the known name that a name probably misspells; undefined if there is none. */
function meantName(name: string, names: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  return names.find((one) => {
    const other = one.toLowerCase()
    return lower === other || (other.length > 5 && distance(lower, other) <= (other.length > 9 ? 2 : 1))
  })
}

/** Counts the letters to insert, delete, change or swap with the next one. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

// --- misspelt options in types

/** A type that no value has. Its text tells why an option is invalid. */
interface Misspelt<Reason extends string> {
  readonly 'this cannot be': Reason
}

/**
 * Rejects members of `P` that are misspellings of `Known` options: in other letter case, or with one letter added, missing,
 * changed or swapped. Any other name is a member that the user adds, or one of the class `Own`.
 *
 * @example
 * ```ts
 * const options: NoTyposIn<{ pollFrequencyy: 5 }, 'pollFrequency'> = {} // requires a 'pollFrequencyy' that no value has
 * ```
 */
export type NoTyposIn<P, Known, Own = unknown> = [keyof P] extends [Known]
  ? unknown // the usual case: checking each name below is expensive
  : {
      readonly [Name in Exclude<keyof P, Known | keyof Own> as string extends Name
        ? never
        : [Meant<Name, Known>] extends [never]
          ? never
          : Name]: Misspelt<`did you mean ${Meant<Name, Known> & string}?`>
    }

/** The known option that a name resembles. */
type Meant<Name, Known> = Name extends string ? (Known extends string ? MeantOne<Name, Known> : never) : never

type MeantOne<Name extends string, Known extends string> =
  Lowercase<Name> extends Lowercase<Known>
    ? Known
    : Known extends Short
      ? never
      : [(Name | Shorter<Name>) & (Known | Shorter<Known>)] extends [never]
        ? never
        : Known

/** Names that one changed letter may turn into another common word. */
type Short = 'path' | 'name' | 'key' | 'url' | 'body' | 'fetch' | 'args'

/** A text without one of its letters. */
type Shorter<Text extends string, Done extends string = ''> = Text extends `${infer Letter}${infer Rest}`
  ? `${Done}${Rest}` | Shorter<Rest, `${Done}${Letter}`>
  : never

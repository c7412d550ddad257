import type { EndpointInterface } from '../endpoint/options.js'
import { isEndpoint } from '../schema/literal.js'
import { isEntity, isSchemaObject, type Schema } from '../schema/schema.js'
import { describeType } from '../util/describe.js'
import { CallbackError, OptionError, RoundtableError } from '../util/errors.js'
import { copyPlain, isPlain } from '../util/plain.js'
import { safeUrl } from '../util/safe-url.js'

/** Copies a call's arguments once, since a getter among them might return another value on each read. */
export function readOnce(args: readonly unknown[]): readonly unknown[] {
  return args.map((arg) => copyPlain(arg))
}

/**
 * Returns the fetch key of a call.
 *
 * @throws OptionError if the value is not an endpoint; the library's own errors unchanged (such as for an invalid param),
 * and those of a custom `url`; `CallbackError` for an error of a custom `key`
 */
export function keyOf(endpoint: EndpointInterface, args: readonly unknown[]): string {
  checkEndpoint(endpoint)
  try {
    // The types of the calling method have checked the arguments.
    return endpoint.key(...(args as never))
  } catch (cause) {
    if (cause instanceof RoundtableError || (endpoint as UrlKeyed)['~keyIsUrl'] === true) throw cause
    throw new CallbackError('key', endpoint.name ?? 'an endpoint', { cause })
  }
}

/** An endpoint whose `url` makes its key: a call rejects with the error that `url` throws. */
interface UrlKeyed {
  readonly '~keyIsUrl'?: boolean
}

/**
 * Checks that a value is an endpoint, since types do not exclude all mistakes, and JavaScript has no types.
 *
 * @throws OptionError that describes the value and the fix
 */
export function checkEndpoint(value: unknown): void {
  if (!isEndpoint(value)) throw unexpected('endpoint', value, 'An endpoint')
}

/**
 * Checks that a value tests keys, like endpoints.
 *
 * @throws OptionError as for an endpoint
 */
export function checkKeyTest(value: { testKey?: unknown } | undefined): void {
  if (typeof value?.testKey !== 'function') throw unexpected('endpoint', value, 'An endpoint')
}

/**
 * Checks that an endpoint has no side effects, since readers fetch it at any time.
 *
 * @throws OptionError for a mutation
 */
export function checkRead({ name = 'an endpoint', sideEffect }: EndpointInterface): void {
  if (sideEffect !== true) return
  const reason = `of ${safeUrl(name)} is true: a mutation cannot be read.${
    process.env.NODE_ENV === 'production'
      ? ''
      : ' Send it with controller.fetch, in an event handler; if it only reads, set sideEffect: false.'
  }`
  throw new OptionError('sideEffect', reason)
}

/**
 * Checks that a value is a schema that can be looked up in the table.
 *
 * @throws OptionError that describes the value and the fix
 */
export function checkSchema(value: unknown): asserts value is Schema {
  if (isEntity(value) || isSchemaObject(value)) return
  // An object literal of schemas is a schema, too.
  const isLiteral = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  const isMistake = process.env.NODE_ENV !== 'production' && isResource(value)
  if (!isLiteral || isMistake) throw unexpected('schema', value, 'A schema')
}

/** Like `checkSchema`, for methods that affect all rows of an entity. */
export function checkEntity(value: unknown): void {
  if (!isEntity(value)) throw unexpected('schema', value, 'An entity')
}

function unexpected(option: 'endpoint' | 'schema', value: unknown, what: string): OptionError {
  const found = process.env.NODE_ENV === 'production' ? describeType(value) : foundIn(value)
  const message = `${what} is expected, found ${found}.${process.env.NODE_ENV === 'production' ? '' : ` ${hintFor(option, value)}`}`
  return new OptionError(option, `must be one, found ${found}.`, { message })
}

function foundIn(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (isEndpoint(value)) return `the endpoint ${safeUrl(value.name ?? '')}`
  if (isEntity(value)) return `the entity ${value.key}`
  if (isSchemaObject(value)) return 'a schema'
  if (isPromise(value)) return 'a promise'
  return isResource(value) ? 'a resource' : describeType(value)
}

/** Returns a hint for developers about the value that was probably meant. */
function hintFor(option: 'endpoint' | 'schema', value: unknown): string {
  if (option === 'schema') {
    if (isEndpoint(value))
      return 'Pass its schema, as in useQuery(Todo, { id: 5 }), or read it by useSuspense or useCache.'
    if (Array.isArray(value)) return 'For all of a kind pass new All(Todo), for a list its Collection.'
    return 'Pass an Entity, a Collection, a Query or All. Is a name misspelt, or do two modules import each other?'
  }
  if (isEntity(value) || isSchemaObject(value)) return 'useQuery and controller.get take schemas.'
  if (isPromise(value)) return 'Pass the endpoint without calling it: useSuspense(getTodo, { id: 5 }).'
  if (Array.isArray(value)) return 'Only useSuspense takes several reads: useSuspense([getTodo, { id: 5 }], [getUser]).'
  if (typeof value === 'function') return 'Make it one: new Endpoint(fn, { name }).'
  if (isResource(value)) return `Pass one of its endpoints: ${endpointNames(value).join(', ')}.`
  if (typeof value === 'object' && value !== null)
    return 'Out of a ref pass its value; to copy an endpoint use its extend().'
  return 'Is a name misspelt, or do two modules import each other? getPage is there only with paginationField.'
}

function isPromise(value: unknown): boolean {
  return value instanceof Promise
}

/** True for an object of endpoints, but not for an instance that contains one, such as a ref. */
function isResource(value: unknown): value is object {
  return isPlain(value) && !Array.isArray(value) && endpointNames(value).length > 0
}

function endpointNames(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]) => (isEndpoint(member) ? [`.${name}`] : []))
}

/** A call's arguments, followed by one more; optional ones may be omitted. */
export type WithLast<Args extends readonly unknown[], Last> = Args extends readonly []
  ? readonly [Last]
  : Args extends readonly [infer First, ...infer Rest]
    ? readonly [First, ...WithLast<Rest, Last>]
    : number extends Args['length']
      ? readonly [...Args, Last]
      : Args extends readonly [(infer First)?, ...infer Rest]
        ? readonly [Last] | readonly [First | undefined, ...WithLast<Rest, Last>]
        : readonly [...Args, Last]

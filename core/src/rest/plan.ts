import type { OptionRecord } from '../endpoint/define.js'
import type { Template } from '../path/template.js'
import { OptionError } from '../util/errors.js'

/**
 * What follows from members of an endpoint that do not change, worked out at the first use. It is kept because reading a
 * member of a function object takes 20–30 ns, and a key is made at every render.
 */
export interface Plan {
  readonly name: string
  readonly method: string
  readonly body: BodyPlace
  /** False where `url` was overridden. */
  readonly isOwnUrl: boolean
  /** False where `searchToString` was overridden. */
  readonly isOwnSearch: boolean
  template: Template | undefined
}

/**
 * Which argument is the body: the last one; the second one if it is given (when only `extend` has set a method that may
 * have one, which does not make the first argument a body); or none.
 */
export type BodyPlace = 'last' | 'second' | 'none'

/**
 * Tells the params from the body among a call's arguments. With a body and fewer than two arguments, there are no params.
 *
 * @example
 * ```ts
 * splitArgs([{ title: 'Milk' }], 'last') // { params: undefined, body: { title: 'Milk' } }
 * ```
 */
export function splitArgs(args: readonly unknown[], body: BodyPlace): { params: unknown; body: unknown } {
  if (body === 'last' && args.length < 2) return { params: undefined, body: args[0] }
  return { params: args[0], body: body === 'none' ? undefined : args[1] }
}

/**
 * Where the body is: as the `body` option says if it was given, else as `extend` took it over, else as the method says.
 *
 * @example
 * ```ts
 * bodyPlace({ method: 'POST' }, undefined) // 'last'
 * ```
 * @throws OptionError for a body on GET or HEAD.
 */
export function bodyPlace(
  endpoint: { readonly method: string; readonly body?: unknown },
  takenOver: BodyPlace | undefined,
): BodyPlace {
  const method = methodOf(endpoint)
  const isBodiless = method === 'GET' || method === 'HEAD'
  const byMethod = isBodiless || method === 'DELETE' ? 'none' : 'last'
  const place = 'body' in endpoint ? (endpoint.body === undefined ? 'none' : 'last') : (takenOver ?? byMethod)
  if (place === 'last' && isBodiless) {
    const hint = process.env.NODE_ENV === 'production' ? '' : ': set another method, or add body: undefined'
    throw new OptionError('body', `cannot go with ${method}${hint}.`)
  }
  return isBodiless ? 'none' : place
}

/**
 * Makes sure that what is not JSON has no schema: there is nothing to normalize in it.
 *
 * @example
 * ```ts
 * checkContent({ content: 'blob', schema: User }) // throws
 * ```
 * @throws OptionError if it has.
 */
export function checkContent({ content, schema }: { readonly content?: unknown; readonly schema?: unknown }): void {
  if (!content || content === 'json' || schema === undefined || schema === null) return
  const hint = process.env.NODE_ENV === 'production' ? '' : ': set schema to undefined'
  throw new OptionError('content', `'${content}' gives data that has no schema${hint}.`)
}

/**
 * The method, in upper case if it is a standard one.
 *
 * @example
 * ```ts
 * methodOf({ method: 'get' }) // 'GET'
 * ```
 */
export function methodOf({ method }: { readonly method: string }): string {
  const upper = method.toUpperCase()
  return /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(upper) ? upper : method
}

/**
 * A text without spaces for the same stable text. In it spaces stand in strings only, where an escape means the same; so
 * the last space of a key parts the URL and the body.
 *
 * @example
 * ```ts
 * spaceless('{"text":"a b"}') // '{"text":"a\\u0020b"}'
 * ```
 */
export function spaceless(text: string): string {
  return text.replaceAll(' ', '\\u0020')
}

/**
 * Options with their method, if they have one, as `methodOf` gives it.
 *
 * @example
 * ```ts
 * withMethod({ path: '/users', method: 'get' }) // { path: '/users', method: 'GET' }
 * ```
 */
export function withMethod(options: { readonly method?: string | undefined }): OptionRecord {
  const { method } = options
  return method === undefined ? { ...options } : { ...options, method: methodOf({ method }) }
}

import type { Template } from '../path/template.js'
import { OptionError } from '../util/errors.js'

/**
 * Facts that follow from immutable members of an endpoint, computed on first use. They are cached because reading a member
 * of a function object takes 20–30 ns, and every render makes a key.
 */
export interface EndpointInfo {
  readonly name: string
  /** The method and a space, with which each key begins. */
  readonly keyStart: string
  readonly body: BodyPlace
  /** True if the body is part of the key, for a read with a body. */
  readonly hasBodyInKey: boolean
  /** False if `url` was overridden. */
  readonly isOwnUrl: boolean
  /** False if `searchToString` was overridden. */
  readonly isOwnSearch: boolean
  /** The path template; undefined for an endpoint without path, which overrides `url`. */
  readonly template: Template | undefined
}

/**
 * The argument that is the body: the last one; the second one, if there is one, when only `extend` has set a method with a
 * body, so that the first argument stays the params; or none.
 */
export type BodyPlace = 'last' | 'second' | 'none'

/**
 * Separates the params and the body of a call's arguments. With a body and fewer than two arguments, there are no params.
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
 * Returns the place of the body: by the option `body`, or else as inherited through `extend`, or else by the method.
 *
 * @example
 * ```ts
 * bodyPlace({ method: 'POST' }, undefined) // 'last'
 * ```
 * @throws OptionError in development for a body on GET or HEAD.
 */
export function bodyPlace(
  endpoint: { readonly method: string; readonly body?: unknown },
  takenOver: BodyPlace | undefined,
): BodyPlace {
  const method = methodOf(endpoint)
  const isBodiless = method === 'GET' || method === 'HEAD'
  const byMethod = isBodiless || method === 'DELETE' ? 'none' : 'last'
  const place = 'body' in endpoint ? (endpoint.body === undefined ? 'none' : 'last') : (takenOver ?? byMethod)
  if (process.env.NODE_ENV !== 'production' && place === 'last' && isBodiless) {
    throw new OptionError('body', `cannot go with ${method}: set another method, or add body: undefined.`)
  }
  return isBodiless ? 'none' : place
}

/**
 * Returns the method, in upper case if it is a standard one.
 *
 * @example
 * ```ts
 * methodOf({ method: 'get' }) // 'GET'
 * ```
 */
export function methodOf({ method }: { readonly method: string }): string {
  const upper = method.toUpperCase()
  return /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY)$/.test(upper) ? upper : method
}

/**
 * Throws if content other than JSON has a schema, since it contains nothing to normalize. Called in development.
 *
 * @example
 * ```ts
 * checkContent({ content: 'blob', schema: User }) // throws
 * ```
 * @throws OptionError in this case
 */
export function checkContent({ content, schema }: { readonly content?: unknown; readonly schema?: unknown }): void {
  if (!content || content === 'json' || schema === undefined || schema === null) return
  throw new OptionError('content', `'${content}' gives data that has no schema: set schema to undefined.`)
}

// The names that applications import from @data-client/rest.
import {
  type Content,
  RestEndpoint as Core,
  resource as coreResource,
  type FetchFunction,
  type PathArgs,
  type PathKeys,
  type PathParam,
  type RestGenerics,
  type SearchValue,
  TransportError,
} from '@roundtable/core'
import { warnOfAutomaticValidation } from './automatic-validation.js'

export {
  type Defaults,
  type HookResource,
  hookifyResource,
  NetworkError,
  type PathArgs,
  type PathKeys,
  type Resource,
  type ResourceOptions,
  type RestGenerics,
  type ShortenPath,
} from '@roundtable/core'
export * from './endpoint.js'

/** As in data-client, server and connection errors keep stale data, and `sideEffect: true` without a method means POST. */
class CompatEndpoint extends Core<RestGenerics> {
  constructor(options: ConstructorParameters<typeof Core>[0]) {
    const { sideEffect, method } = options as { readonly sideEffect?: unknown; readonly method?: unknown }
    super(sideEffect === true && method === undefined ? ({ ...options, method: 'POST' } as never) : options)
    warnOfAutomaticValidation(this.schema)
  }

  override errorPolicy(error: { readonly status?: number }): 'soft' | undefined {
    return Number(error.status) >= 500 || error instanceof TransportError ? 'soft' : undefined
  }
}

/** Roundtable's `RestEndpoint` with data-client's `errorPolicy`. */
export const RestEndpoint: typeof Core = CompatEndpoint as never
/** One HTTP operation. */
export type RestEndpoint<O extends RestGenerics = RestGenerics> = Core<O>

/** Roundtable's `resource` with the endpoints and lists of this package. */
export const resource: typeof coreResource = ((options: object) =>
  coreResource({ Endpoint: RestEndpoint, nonFilterArgumentKeys: /^order/, ...options } as never)) as never
export { resource as createResource }

/** Returns the names of the params of a path template. */
export function getUrlTokens(path: string): Set<string> {
  const names = new Set<string>()
  for (const [, quoted, name] of path.matchAll(params)) {
    const found = quoted?.replaceAll(/\\(.)/g, '$1') ?? name
    if (found !== undefined) names.add(found)
  }
  return names
}

/** Matches a backslash with the escaped character, or a param: `:id`, `*rest`, `:"with-dash"`. */
const params = /\\.|[:*](?:"((?:\\.|[^"\\])+)"|([$_\p{ID_Start}](?:[$\p{ID_Continue}]|\u200c|\u200d)*))/gu

/**
 * Returns the function that fills a path template.
 *
 * @example
 * ```ts
 * getUrlBase('/todos/:id')({ id: 5 }) // '/todos/5'
 * ```
 */
export function getUrlBase(path: string): (params?: Readonly<Record<string, unknown>>) => string {
  const names = getUrlTokens(path)
  const endpoint = new Core({ path })
  return (values = {}) => {
    const own = Object.entries(values).filter(([name]) => names.has(name))
    return endpoint.url(Object.fromEntries(own) as never)
  }
}

/** The types of the params of a path, by name. */
export type KeysToArgs<Key extends string> = { readonly [Name in Key]: PathParam }
/** The params of a path, with any search params. */
export type PathArgsAndSearch<Path extends string> = [PathKeys<Path>] extends [never]
  ? Readonly<Record<string, SearchValue>> | undefined
  : PathArgs<Path> & Readonly<Record<string, SearchValue | readonly string[]>>
/** The ways to read the body of a response. */
export type ContentType = Content
/** An endpoint that reads. */
export type GetEndpoint<O extends Omit<RestGenerics, 'method'>> = Core<O & { readonly method: 'GET' }>
/** An endpoint that changes something. */
export type MutateEndpoint<O extends RestGenerics> = Core<
  O extends { readonly method: string } ? O : O & { readonly method: 'POST' }
>
/** An endpoint with another type of params: those of a page. */
export type PaginationEndpoint<E extends FetchFunction, Args extends readonly unknown[]> = E &
  ((...args: Args) => ReturnType<E>)
/** An endpoint of pages that are selected by a param of this name. */
export type PaginationFieldEndpoint<E extends FetchFunction, Field extends string> = E &
  ((params: { readonly [Name in Field]: string | number | boolean } & Parameters<E>[0]) => ReturnType<E>)
/** Any endpoint over HTTP. */
export type RestInstance = Core
/** Any endpoint over HTTP. */
export type RestType = Core

import { CHECKED, type NoTyposIn, warnOfTypos } from '../endpoint/option-table.js'
import type { EndpointOptions } from '../endpoint/options.js'
import type { PathArgs, SearchValue } from '../path/params.js'
import { type ShortenPath, shortenPath } from '../path/shorten.js'
import { template } from '../path/template.js'
import { listIn, type MemberSchemaOf } from '../rest/accessors.js'
import type {
  Extended,
  ExtendedResult,
  FormBody,
  GenericOptions,
  RestGenerics,
  RestRules,
  SchemaOf,
  SimpleOptions,
} from '../rest/generics.js'
import { expectChange, expectMembers, expectUpdate } from '../rest/optimistic.js'
import type { NoTypos, RestOptions } from '../rest/options.js'
import { RestEndpoint } from '../rest/rest-endpoint.js'
import type { Denormalize, EntityInput } from '../schema/infer.js'
import { Deletion, type Invalidate } from '../schema/invalidate.js'
import { type EntityInterface, isEntity, type Schema, type SchemaContract } from '../schema/schema.js'
import { OptionError } from '../util/errors.js'
import { defineMember } from '../util/plain.js'
import { Collection } from './collection.js'

/** The options from which the types of a resource follow. */
export interface ResourceGenerics extends SimpleOptions {
  /**
   * The path template of one member, with at least one param. The list's path is the part before the last param.
   *
   * @example resource({ path: '/users/:userId/todos/:id', schema: Todo })
   */
  readonly path: string
  /**
   * The entity, or a Union of entities.
   *
   * @example resource({ path: '/todos/:id', schema: Todo })
   */
  readonly schema: EntityInterface | SchemaContract
  /**
   * The type of a complete body, as in `body: {} as { title: string }`; `partialUpdate` accepts any of its fields.
   *
   * @default the fields of the entity, all optional
   * @example resource({ path: '/todos/:id', schema: Todo, body: {} as { title: string } })
   */
  readonly body?: unknown
  /**
   * The type of the list's search params.
   *
   * @default any
   * @example resource({ path: '/todos/:id', schema: Todo, searchParams: {} as { userId?: number } })
   */
  readonly searchParams?: unknown
  /**
   * The search param that selects a page of the list.
   *
   * @default undefined
   * @example await resource({ path: '/todos/:id', schema: Todo, paginationField: 'page' }).getList.getPage({ page: 2 })
   */
  readonly paginationField?: string
  /**
   * The class of the endpoints.
   *
   * @default RestEndpoint
   * @example resource({ path: '/todos/:id', schema: Todo, Endpoint: class extends RestEndpoint<RestGenerics> {} as typeof RestEndpoint })
   */
  readonly Endpoint?: unknown
}

/** The options of `resource`. Options of endpoints apply to all of them. */
export interface ResourceOptions
  extends Omit<
      RestOptions<RestGenerics, unknown>,
      'key' | 'testKey' | 'fetch' | 'url' | 'getOptimisticResponse' | 'update' | 'process'
    >,
    Pick<EndpointOptions, 'name'> {
  /**
   * True to show mutations before the response arrives. They roll back if the request fails.
   *
   * @default false
   * @example resource({ path: '/todos/:id', schema: Todo, optimistic: true })
   */
  readonly optimistic?: boolean | undefined
  /**
   * The class of the list's schema.
   *
   * @default Collection
   * @example resource({ path: '/todos/:id', schema: Todo, Collection: class extends Collection<[typeof Todo]> {} as typeof Collection })
   */
  readonly Collection?: typeof Collection | undefined
  /**
   * The list's search params that do not affect membership, such as the sort order.
   *
   * @default none
   * @example resource({ path: '/todos/:id', schema: Todo, nonFilterArgumentKeys: ['orderBy'] })
   */
  readonly nonFilterArgumentKeys?: readonly string[] | RegExp | ((name: string) => boolean) | undefined
}

/**
 * Creates the endpoints of a REST resource: `get`, `getList`, `create`, `update`, `partialUpdate` and `delete`.
 *
 * @remarks
 * `getList` has the accessors of a list, such as `remove`, and with `paginationField` `getPage`; `create` is its `push`.
 * `extend` changes or adds endpoints: `extend('get', options)`, `extend({ get: options, … })`, or
 * `extend((base) => ({ current: base.get.extend(options) }))`. If it gives `getList` another Collection, `create` adds to
 * that one, unless you set the schema of `create` yourself; its URL and arguments stay.
 *
 * @example
 * ```ts
 * const TodoResource = resource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo, optimistic: true })
 * await TodoResource.update({ id: 5 }, { title: 'Milk' }) // PUT https://api.test/todos/5
 * ```
 * @throws OptionError for a path without params, or a schema that is neither an entity nor a Union.
 */
export function resource<O extends ResourceGenerics>(
  options: Readonly<O> & ResourceOptions & NoTyposIn<O, keyof ResourceGenerics | keyof ResourceOptions>,
): Resource<Members<O>> {
  const {
    path,
    schema,
    optimistic,
    paginationField,
    Endpoint,
    Collection: List,
    body,
    searchParams,
    nonFilterArgumentKeys,
    name,
    batch,
    mutationOptions,
    ...shared
  } = options as ResourceGenerics & ResourceOptions
  if (process.env.NODE_ENV !== 'production') {
    const own = typeof Endpoint === 'function' ? Endpoint.prototype : {}
    warnOfTypos(`resource of ${path}`, shared, own, ['Endpoint', 'Collection', 'optimistic', 'nonFilterArgumentKeys'])
  }
  const prefix = name ?? (isEntity(schema) ? schema.key : path)
  const Class = (Endpoint ?? RestEndpoint) as typeof RestEndpoint
  const make = (member: string, own: object): RestEndpoint => {
    checkPath(path)
    // The type of the result declares the member's generics, to which the options belong.
    const options = { ...shared, schema, path, name: `${prefix}.${member}`, ...own, [CHECKED]: { isCalled: false } }
    return new Class(options as never)
  }
  const mutation = (getOptimisticResponse: unknown): object => ({
    ...(optimistic && { getOptimisticResponse }),
    ...mutationOptions,
  })
  const withBody = 'body' in options ? { body } : {}
  const getList = once(() =>
    make('getList', {
      path: shortenPath(path),
      movePath: path,
      schema: new (List ?? Collection)([schema] as never, nonFilterArgumentKeys && { nonFilterArgumentKeys }),
      paginationField,
      mutationOptions: mutation(expectMembers(schema)),
    }),
  )
  return resourceOf({
    get: once(() => make('get', { batch })),
    getList,
    create: () => getList().push,
    update: once(() => make('update', { method: 'PUT', ...withBody, ...mutation(expectUpdate(schema)) })),
    partialUpdate: once(() =>
      make('partialUpdate', { method: 'PATCH', ...withBody, ...mutation(expectChange(schema)) }),
    ),
    delete: once(() =>
      make('delete', { method: 'DELETE', schema: new Deletion(schema), ...mutation(expectUpdate(schema)) }),
    ),
  }) as never
}

function checkPath(path: unknown): void {
  if (typeof path === 'string' && template(path).names.size > 0) return
  throw new OptionError(
    'path',
    `of a resource needs a param that names the member${process.env.NODE_ENV === 'production' ? '' : `, as in '${path ?? '/todos'}/:id'`}.`,
  )
}

/** The functions that create the endpoints of a resource on first access, since a page needs only a few of them. */
type Makers = Readonly<Record<string, () => RestEndpoint>>

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

function resourceOf(makers: Makers): object {
  const members: object = {}
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(members, name, {
      configurable: true,
      enumerable: true,
      get: make,
      set: (value: unknown) => defineMember(members, name, value),
    })
    // Development creates all endpoints at once, so that errors point to the mistake.
    if (process.env.NODE_ENV !== 'production') defineMember(members, name, make())
  }
  return Object.assign(members, { extend: (...args: ExtendArgs) => resourceOf(changed(makers, args)) })
}

/** Returns the makers after `extend`. `create` adds to the list of a new `getList`, unless it has a schema of its own. */
function changed(makers: Makers, args: ExtendArgs): Makers {
  const next: Makers = { ...makers, ...changes(makers, args) }
  const { create, getList } = next
  if (create === undefined || getList === makers.getList) return next
  return {
    ...next,
    create: once(() => {
      const before = pushOf(makers)
      const push = pushOf(next)
      const made = create()
      return made && push && push !== before && made.schema === before ? made.extend({ schema: push }) : made
    }),
  }
}

/** Returns the `push` of `getList`, which a user's function may have replaced by any endpoint. */
function pushOf({ getList }: Makers): Schema {
  return (listIn(getList?.()?.schema) as { readonly push?: Schema } | undefined)?.push
}

type ExtendArgs = [name: string, options: object] | [change: object | ((base: object) => object)]

function changes(makers: Makers, [change, options]: ExtendArgs | [string, object]): Makers {
  if (typeof change === 'function') {
    const added = change(resourceOf(makers)) as Readonly<Record<string, RestEndpoint>>
    return Object.fromEntries(Object.entries(added).map(([name, endpoint]) => [name, () => endpoint]))
  }
  const all = typeof change === 'string' ? { [change]: options } : change
  return Object.fromEntries(
    Object.entries(all).map(([name, own]) => {
      const make = makers[name] ?? (typeof change === 'string' && makers.get)
      if (make) return [name, once(() => make().extend(own as never))]
      throw new OptionError(
        name,
        `is no endpoint of this resource.${process.env.NODE_ENV === 'production' ? '' : ` To add one, use extend('${name}', options).`}`,
      )
    }),
  )
}

// --- types

/** The endpoints of a resource. */
export interface Members<O extends ResourceGenerics> {
  /** GET one member. */
  readonly get: MemberEndpoint<O, { readonly path: O['path']; readonly schema: O['schema'] }>
  /** GET the list. */
  readonly getList: MemberEndpoint<O, ListGenerics<O>>
  /** POST a new member to the list: the list's `push`. */
  readonly create: MemberEndpoint<O, ListGenerics<O>>['push']
  /** PUT a member. */
  readonly update: MemberEndpoint<O, ChangeGenerics<O, 'PUT', BodyOf<O>>>
  /** PATCH some fields of a member. */
  readonly partialUpdate: MemberEndpoint<O, ChangeGenerics<O, 'PATCH', PartialBodyOf<O>>>
  /** DELETE a member. The response may be the member, empty, or a receipt such as "ok". */
  readonly delete: MemberEndpoint<
    O,
    { readonly path: O['path']; readonly method: 'DELETE'; readonly schema: Invalidate<O['schema']> }
  >
}

type MemberEndpoint<O extends ResourceGenerics, G extends RestGenerics> = RestEndpoint<G> & AddedByClass<O>

type AddedByClass<O> = O extends { readonly Endpoint: abstract new (...args: never) => infer Instance }
  ? Omit<Instance, keyof RestEndpoint>
  : unknown

interface ListGenericsOf<O extends ResourceGenerics> {
  readonly path: ShortenPath<O['path']>
  readonly movePath: O['path']
  readonly schema: Collection<readonly [O['schema']], ResourceListArgs<O>>
  readonly searchParams: ListSearch<O>
}

type ListGenerics<O extends ResourceGenerics> = ListGenericsOf<O> &
  (O extends { readonly paginationField: infer Field extends string } ? { readonly paginationField: Field } : unknown) &
  (O extends { readonly body: infer Body } ? { readonly memberBody: Body } : unknown)

type ListSearch<O extends ResourceGenerics> = O extends { readonly searchParams: infer Search }
  ? Search
  : Readonly<Record<string, SearchValue>> | undefined

type ResourceListArgs<O extends ResourceGenerics> = [params?: PathArgs<ShortenPath<O['path']>> & ListSearch<O>]

interface ChangeGenerics<O extends ResourceGenerics, Method extends string, Body> {
  readonly path: O['path']
  readonly method: Method
  readonly schema: O['schema']
  readonly body: Body
}

type BodyOf<O extends ResourceGenerics> = O extends { readonly body: infer Body }
  ? Body
  : FieldsOf<O['schema']> | FormBody

type PartialBodyOf<O extends ResourceGenerics> = O extends { readonly body: infer Body }
  ? Partial<Body>
  : FieldsOf<O['schema']> | FormBody

type FieldsOf<S> = Denormalize<S> extends infer Out ? (Out extends unknown ? EntityInput<Out> : never) : never

/** A resource: its endpoints and `extend`. */
export type Resource<M> = M & { readonly extend: ResourceExtend<M> }

/** The three forms of `extend`; each returns a new resource. */
export interface ResourceExtend<M> {
  /** Changes one endpoint, or adds one that is created from `get` with these options. */
  <
    Name extends string,
    P extends Partial<RestGenerics> & object = Record<never, never>,
    Result = NextResult<M, Name, P>,
  >(
    name: Name,
    options: Readonly<P> &
      RestOptions<NextGenerics<M, Name, P>, Result> &
      GenericOptions &
      RestRules<NextGenerics<M, Name, P>> &
      NoTypos<P>,
  ): Resource<
    ChangedOptions<M, { readonly [K in Name]: RestEndpoint<NextGenerics<M, Name, P>, Result> & AddedMembers<M, Name> }>
  >
  /** Adds or replaces endpoints with those that the function returns. */
  <const More extends object>(change: (base: Resource<M>) => More): Resource<ChangedOptions<M, More>>
  /** Changes several endpoints. */
  <const P extends { readonly [Name in keyof M]?: unknown }>(
    change: {
      readonly [Name in keyof P]: Readonly<P[Name]> & RestOptions<NextGenerics<M, Name, P[Name]>, unknown>
    },
  ): Resource<
    ChangedOptions<
      M,
      {
        readonly [Name in keyof P]-?: NextEndpoint<M, Name, P[Name]>
      }
    >
  >
}

type ChangedOptions<M, More> = Followed<M, Omit<M, keyof More> & More>

/** `create` adds to the list of a new `getList`, unless it has a schema of its own. */
type Followed<M, Next> = [PushOf<M>, PushOf<Next>] extends [PushOf<Next>, PushOf<M>]
  ? Next
  : [CreatedBy<Next>, PushOf<Next>] extends [PushOf<M>, SchemaContract]
    ? Omit<Next, 'create'> & { readonly create: NextEndpoint<Next, 'create', { readonly schema: PushOf<Next> }> }
    : Next

type PushOf<M> = M extends { readonly getList: TypesOf<infer O extends RestGenerics, unknown> }
  ? [MemberSchemaOf<O, 'push'>] extends [never]
    ? undefined
    : MemberSchemaOf<O, 'push'>
  : undefined

type CreatedBy<M> = M extends { readonly create: TypesOf<infer O extends RestGenerics, unknown> }
  ? SchemaOf<O>
  : unknown

type NextEndpoint<M, Name, P> = RestEndpoint<NextGenerics<M, Name, P>, NextResult<M, Name, P>> & AddedMembers<M, Name>

/** The endpoint with the name, or `get` for a new name. */
type Origin<M, Name> = Name extends keyof M ? M[Name] : M extends { readonly get: infer Get } ? Get : never

/** The types of a `RestEndpoint` or of a subclass with more members. */
interface TypesOf<O, Result> {
  readonly '~types': { readonly generics: O; readonly result: Result }
}

type NextGenerics<M, Name, P> =
  Origin<M, Name> extends TypesOf<infer O extends RestGenerics, unknown> ? Extended<O, P> : RestGenerics

type NextResult<M, Name, P> =
  Origin<M, Name> extends TypesOf<infer O extends RestGenerics, infer Result> & Processing
    ? ExtendedResult<Origin<M, Name> & Processing, O, P, Result>
    : unknown

interface Processing {
  process(...args: never): unknown
}

type AddedMembers<M, Name> = AddedBy<Origin<M, Name>>

/** Members of a class of endpoints that `RestEndpoint` does not have. */
type AddedBy<Endpoint> = [Exclude<keyof Endpoint, keyof RestEndpoint>] extends [never]
  ? unknown
  : Omit<Endpoint, keyof RestEndpoint>

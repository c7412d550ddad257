import { checkLiterals } from '../schema/literal.js'
import type { Schema } from '../schema/schema.js'
import { browserEnv } from '../util/env.js'
import { OptionError } from '../util/errors.js'
import { stableKey } from '../util/stable-key.js'
import { withTimeout } from './abort.js'
import {
  CHECKED,
  type CheckedOptions,
  defineDefault,
  defineOptions,
  type NoTyposIn,
  type OptionRecord,
  warnOfTypos,
} from './option-table.js'
import type { AroundExchange, EndpointInterface, EndpointOptions, PartRequest, RequestPart } from './options.js'
import { exchangeBy, partsOf, sendBy } from './part.js'
import type { FetchFunction } from './result.js'

/**
 * The base of classes whose instances are callable: a call runs `run(instance, args)`.
 *
 * @remarks
 * The constructor returns an arrow function with the class's prototype. It evaluates no code from strings, so it works under
 * any content security policy. A subclass may have `#private` members; this class itself cannot.
 *
 * @example
 * ```ts
 * class Greeter extends Callable {
 *   constructor() {
 *     super((_, [name]) => `Hello ${name}`)
 *   }
 * }
 * ```
 */
class Callable {
  constructor(run: (instance: unknown, args: readonly unknown[]) => unknown) {
    const instance = (...args: unknown[]): unknown => run(instance, args)
    // The arrow's own `name` and `length` would hide those of the class, and neither can be assigned.
    Reflect.deleteProperty(instance, 'name')
    Reflect.deleteProperty(instance, 'length')
    // biome-ignore lint/correctness/noConstructorReturn: the arrow replaces the object, which is not callable.
    return Object.setPrototypeOf(instance, new.target.prototype)
  }
}

// The prototype of functions provides `call`, `apply` and `instanceof Function`.
Object.setPrototypeOf(Callable.prototype, Function.prototype)

/**
 * An async function with a key, which hooks and controllers fetch and read. It is called like the function.
 *
 * @remarks
 * All options become members, including unknown ones; `this` in the function and in options is the endpoint. `extend`
 * creates a copy with other options; a spread would not be callable.
 *
 * @example
 * ```ts
 * const getTime = new Endpoint(async (zone: string) => (await fetch(`/time/${zone}`)).text(), { name: 'getTime' })
 * await getTime('UTC')
 * getTime.key('UTC') // 'getTime ["UTC"]'
 * ```
 * @throws OptionError for an invalid option.
 */
export class Endpoint<
  Fetch extends FetchFunction = EndpointFunction,
  S extends Schema = undefined,
  SideEffect extends boolean | undefined = undefined,
> extends Callable {
  /** The parts of each request of this class's endpoints, in addition to those of the classes that it extends. */
  declare static readonly parts?: readonly RequestPart[]
  readonly #options: CheckedOptions
  #extended: OptionRecord = {}

  constructor(fetch: Fetch, options?: EndpointOptions<Fetch, S, SideEffect> & MembersOfThis<Fetch>) {
    super(Endpoint.#call)
    // `extend`, and classes that take only options, pass the function as an option.
    this.#options = typeof fetch === 'function' ? { ...options, fetch } : (fetch as CheckedOptions)
    if (process.env.NODE_ENV !== 'production' && !(CHECKED in this.#options)) {
      warnOfTypos(`The endpoint ${nameIn(this.#options)}`, this.#options, new.target.prototype)
      checkLiterals(this.#options.schema, nameIn(this.#options))
      this.#options = { ...this.#options, [CHECKED]: { isCalled: false } }
    }
    defineOptions(this, this.#options)
  }

  /**
   * Returns the fetch key of a call: the name, a space and the arguments as JSON.
   *
   * @throws OptionError if the endpoint has no name, KeyArgError for an argument that cannot be serialized
   */
  key(...args: Parameters<Fetch>): string {
    if (!this.name) {
      throw new OptionError(
        'name',
        `is missing${process.env.NODE_ENV === 'production' ? '' : ': all nameless functions would share their keys. Add one'}.`,
      )
    }
    return `${this.name} ${stableKey(args)}`
  }

  /** Returns true if a key belongs to this endpoint. */
  testKey(key: string): boolean {
    return key.startsWith(`${this.name} `)
  }

  /** A string that is equal for all endpoints with the same key test; undefined if `testKey` was overridden. */
  get keyPattern(): string | undefined {
    return this.testKey === Endpoint.prototype.testKey ? `${this.name} ` : undefined
  }

  /**
   * Creates an endpoint with these options in addition to this one's.
   *
   * @remarks
   * The new endpoint has the same class: the constructor runs again, with the options that it passed to its parent. The new
   * options also override members of the class.
   *
   * @throws OptionError in development if the constructor has parameters besides the options
   */
  extend<P extends ExtendBase & object = Record<never, never>>(
    options: Readonly<P> & ExtendOptions<this, Fetch, S, SideEffect, P>,
  ): ExtendedEndpoint<this, Fetch, S, SideEffect, P> {
    const Class = this.constructor as new (options: OptionRecord) => this
    const { parts } = options as EndpointOptions
    // New parts are appended to this endpoint's.
    const added = parts && this.parts && { parts: [...this.parts, ...parts] }
    const extended: OptionRecord = { ...this.#extended, ...options, ...added }
    if (process.env.NODE_ENV !== 'production') {
      checkConstructor(Class, this.#options)
      warnOfTypos(`extend of ${this.name}`, options, this)
      checkLiterals(options.schema, this.name)
    }
    const next = new Class({ ...this.#options, ...extended })
    defineOptions(next, extended) // again, since class fields are set after the parent's constructor
    next.#extended = extended
    // The compiler cannot follow that the options override members of this endpoint.
    return next as never
  }

  /** Creates an endpoint with fixed first arguments. `thisArg` is ignored, as in `call` and `apply`. */
  bind<Bound extends readonly unknown[]>(
    _thisArg: unknown,
    ...bound: Bound
  ): EndpointMembers<BoundFetch<Fetch, Bound>, S, SideEffect> {
    return this.extend(boundOptions(this as never, bound) as never) as never
  }

  static async #call(this: void, instance: unknown, args: readonly unknown[]): Promise<unknown> {
    const endpoint = instance as Endpoint
    if (process.env.NODE_ENV !== 'production') warnOfHidden(endpoint, endpoint.#options, endpoint.#extended)
    const { timeout, signal, aroundExchange } = endpoint
    // A controller makes a copy for each request, and wraps the copy's HTTP calls in its parts.
    const parts = aroundExchange === undefined ? partsOf(endpoint as never) : []
    if (parts.length === 0 && timeout === undefined) return endpoint.fetch(...(args as never))
    const request = directCall(endpoint as never, args)
    const around = parts.length > 0 ? exchangeBy(parts, request) : aroundExchange
    return sendBy(parts, request, (until = signal) => {
      const run = (own: AbortSignal | undefined): Promise<unknown> =>
        (endpoint.extend({ signal: own, timeout: undefined, aroundExchange: around } as never) as Endpoint).fetch(
          ...(args as never),
        )
      return withTimeout(run, { timeout, signal: until, key: () => endpoint.key(...(args as never)), env: request.env })
    })
  }
}

/** Describes a call without a controller to its parts. */
function directCall(endpoint: EndpointInterface, args: readonly unknown[]): PartRequest {
  const { name: key = '', signal } = endpoint
  return { endpoint, args, key, signal, env: browserEnv(), owner: undefined, repeats: () => {} }
}

/** The members of an `Endpoint` that it shares with other classes of endpoints. */
export interface Endpoint<Fetch, S, SideEffect> extends EndpointMembers<Fetch, S, SideEffect> {
  /** The function that a call runs. */
  fetch(...args: Parameters<Fetch>): ReturnType<Fetch>
}

/**
 * The members that all endpoint classes share.
 *
 * @example
 * ```ts
 * const bound: EndpointMembers<() => Promise<string>, undefined, undefined> = getTime.bind(undefined, 'UTC')
 * ```
 */
export interface EndpointMembers<Fetch extends FetchFunction, S extends Schema, SideEffect extends boolean | undefined>
  extends EndpointOptions<Fetch, S, SideEffect> {
  (...args: Parameters<Fetch>): ReturnType<this['fetch']>
  /** The endpoint's name in keys, messages and devtools. */
  readonly name: string
  /** The schema of the data. */
  readonly schema: S
  /** True if a call changes something on the server. */
  readonly sideEffect: SideEffect
  /** Wraps the HTTP calls of a copy that was made for one request. */
  readonly aroundExchange?: AroundExchange | undefined
  /** The function that a call runs. */
  fetch(...args: Parameters<Fetch>): ReturnType<Fetch>
  /** Returns the fetch key of a call, under which its response is stored. */
  key(...args: Parameters<Fetch>): string
  /** Returns true if a key belongs to this endpoint. */
  testKey(key: string): boolean
}

/** Any async function; in an inline function, `this` is the endpoint. */
type EndpointFunction = (this: AnyEndpoint, ...args: never) => Promise<unknown>

// biome-ignore lint/suspicious/noExplicitAny: the function's arguments are unknown before it is inferred; unknown would refuse them.
type AnyEndpoint = EndpointMembers<(...args: any[]) => Promise<unknown>, Schema, boolean | undefined>

/** The members that a function reads from its `this`, which must be among the options. */
type MembersOfThis<Fetch> = Omit<ThisParameterType<Fetch>, keyof Endpoint>

/** The options of `extend` that affect types. */
interface ExtendBase {
  readonly fetch?: FetchFunction
  readonly schema?: Schema
  readonly sideEffect?: boolean | undefined
}

type FetchIn<P, Fetch extends FetchFunction> = P extends { readonly fetch: infer F extends FetchFunction } ? F : Fetch

type SchemaIn<P, S extends Schema> = P extends { readonly schema: infer Next extends Schema } ? Next : S

type SideEffectIn<P, M extends boolean | undefined> = P extends {
  readonly sideEffect: infer Next extends boolean | undefined
}
  ? Next
  : M

type ExtendOptions<This, Fetch extends FetchFunction, S extends Schema, M extends boolean | undefined, P> = ExtendBase &
  EndpointOptions<FetchIn<P, Fetch>, SchemaIn<P, S>, SideEffectIn<P, M>> & {
    readonly [Member in Exclude<keyof This, keyof Endpoint>]?: This[Member]
  } & NoTyposIn<P, keyof EndpointOptions | 'fetch', This> &
  ThisType<This & P>

type ExtendedEndpoint<This, Fetch extends FetchFunction, S extends Schema, M extends boolean | undefined, P> = Endpoint<
  FetchIn<P, Fetch>,
  SchemaIn<P, S>,
  SideEffectIn<P, M>
> &
  Omit<This, keyof Endpoint> &
  Omit<P, keyof Endpoint>

type BoundFetch<Fetch extends FetchFunction, Bound extends readonly unknown[]> = (
  ...args: Rest<Parameters<Fetch>, Bound>
) => ReturnType<Fetch>

/** The arguments that remain when the first ones are fixed. */
type Rest<Args extends readonly unknown[], Bound extends readonly unknown[]> = Bound extends readonly [
  unknown,
  ...infer MoreBound,
]
  ? Args extends readonly [unknown?, ...infer MoreArgs]
    ? Rest<MoreArgs, MoreBound>
    : []
  : Args

function nameIn({ name, path }: OptionRecord): string {
  return String(name ?? path ?? '')
}

/** Throws if the constructor has parameters besides the function and the options: `extend` calls it with options alone. */
function checkConstructor(Class: { readonly name: string; readonly length: number }, options: object): void {
  if (Class.length <= ('fetch' in options ? 2 : 1)) return
  throw new OptionError('extend', `needs the constructor of ${Class.name} to take its options as one object.`)
}

/**
 * Warns of constructor options that class fields override, because fields are set after the parent's constructor has run.
 */
function warnOfHidden(
  endpoint: object & { readonly name: string },
  options: CheckedOptions,
  extended: OptionRecord,
): void {
  const checked = options[CHECKED]
  if (!checked || checked.isCalled) return
  checked.isCalled = true
  for (const [name, value] of Object.entries(options)) {
    // Each option is a member of the same name.
    if (value === undefined || value === (endpoint as OptionRecord & object)[name] || name in extended) continue
    const where = `A field of ${endpoint.constructor.name} hides the option '${name}' of ${endpoint.name}`
    console.warn(`${where}. Set it with extend({ ${name} }), or make the field a getter.`)
  }
}

/** Returns the functions of an endpoint that take its arguments, with the first arguments fixed. */
function boundOptions(target: OptionRecord, bound: readonly unknown[]): OptionRecord {
  const options: Record<string, unknown> = { name: target.name }
  for (const [name, before] of [
    ['fetch', 0],
    ['key', 0],
    ['getOptimisticResponse', 1],
    ['update', 1],
  ] as const) {
    const member = target[name]
    if (typeof member !== 'function') continue
    options[name] = function (this: unknown, ...args: unknown[]): unknown {
      return member.call(this, ...args.slice(0, before), ...bound, ...args.slice(before))
    }
  }
  return options
}

// The default name is that of the fetch function. An option or a field of a subclass replaces it.
defineDefault(Endpoint.prototype, 'name', (endpoint: Endpoint) => endpoint.fetch.name)

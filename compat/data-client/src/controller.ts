import {
  Controller as Core,
  type Manager as CoreManager,
  type ControllerOptions as CoreOptions,
  type DenormalizeNullable,
  type EndpointDataNullable,
  type EndpointInterface,
  type EndpointResponse,
  type ErrorWithStatus,
  type KeyTest,
  poll,
  type Queryable,
  type ReadEndpoint,
  type SchemaArgs,
  type Snapshot,
} from '@roundtable/core'
import * as types from './action-types.js'
import type { ActionMeta, ActionTypes, SetResponseAction } from './actions.js'
import type { Dispatch, Manager, Middleware } from './managers.js'
import { NotCarriedError, STORE } from './not-carried.js'
import { initialState, type State } from './state.js'
import { type Told, tellingPart } from './telling-part.js'

/** The options of `Controller`. Its managers may be those of data-client and of Roundtable. */
export interface ControllerOptions extends Omit<CoreOptions, 'managers'> {
  readonly managers?: readonly (Manager | CoreManager)[]
}

/** The arguments of a read, optionally with the state at the end. */
type WithState<Args extends readonly unknown[]> = readonly [...Args] | readonly [...Args, State]

/** The additional members of data-client's controller, and those that return a promise there. */
export interface ControllerMembers {
  /** Sends an action through the middleware. At its end, the method of the action is called. */
  dispatch(action: ActionTypes): Promise<void>
  /** Returns a placeholder for the state, which reads accept and ignore. */
  getState(): State
  /** Calls `init` of the managers, as the provider does on mount. Returns a function that calls their `cleanup`. */
  connect(): () => void

  set<S extends Queryable>(schema: S, ...rest: readonly [...args: SchemaArgs<S>, value: unknown]): Promise<void>
  setResponse<E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...args: Parameters<E>, response: unknown]
  ): Promise<void>
  setError<E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...args: Parameters<E>, error: Error]
  ): Promise<void>
  /** Stores a response or an error, like `setResponse` and `setError`. A request of the key in flight continues. */
  resolve<E extends EndpointInterface>(
    endpoint: E,
    outcome: {
      readonly args: readonly [...Parameters<E>]
      readonly response: unknown
      readonly error?: boolean
      readonly fetchedAt?: number
    },
  ): Promise<void>
  invalidate<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E> | readonly [null]): Promise<void>
  invalidateAll(endpoint: KeyTest): Promise<void>
  expireAll(endpoint: KeyTest): Promise<void>
  resetEntireStore(): Promise<void>
  /** Keeps a call up to date, by polls or by middleware that handles the action, until `unsubscribe` was called as often. */
  subscribe<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E> | readonly [null]): Promise<void>
  unsubscribe<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E> | readonly [null]): Promise<void>

  get<S extends Queryable>(schema: S, ...args: WithState<SchemaArgs<S>>): DenormalizeNullable<S> | undefined
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: WithState<Parameters<E>>
  ): EndpointResponse<EndpointDataNullable<E>>
  getResponseMeta<E extends EndpointInterface>(
    endpoint: E,
    ...args: WithState<Parameters<E>>
  ): EndpointResponse<EndpointDataNullable<E>>
  getError<E extends EndpointInterface>(endpoint: E, ...args: WithState<Parameters<E>>): ErrorWithStatus | undefined
  snapshot(state?: State, fetchedAt?: number): Snapshot
}

/**
 * Roundtable's controller with the additional members that applications of data-client use: `dispatch`, `getState`,
 * `subscribe`, `resolve`, and managers with middleware.
 *
 * @example
 * ```ts
 * const controller = new Controller({ managers: [new LogoutManager()] })
 * await controller.setResponse(getTodo, { id: 5 }, { id: 5, title: 'Sharpen the pencil' })
 * ```
 */
export type Controller = ControllerMembers & Core

/** A subscribed call and its number of subscribers. */
interface Subscription {
  count: number
  readonly stop: () => void
}

/** The implementation; `ControllerMembers` declares the types of its methods. */
class CompatController extends Core {
  readonly #managers: readonly Manager[]
  readonly #chain: Dispatch
  readonly #stops: readonly (() => void)[]
  /** What to do at the end for actions of requests, by their `meta`, since middleware may pass on a copy of the action. */
  readonly #told = new WeakMap<object, () => void>()
  /** The name of the last manager that received such an action, by its `meta`. */
  readonly #reached = new WeakMap<object, string>()
  readonly #subscriptions = new Map<string, Subscription>()

  constructor({ managers = [], parts = [], ...options }: ControllerOptions = {}) {
    const middlewares = managers.flatMap((manager) => middlewareOf(manager) ?? [])
    const tell: Told = async (action, end) => {
      this.#told.set(action.meta, end)
      await this.#chain(action)
      return this.#reached.get(action.meta) ?? 'A manager'
    }
    super({ ...options, parts: middlewares.length > 0 ? [...parts, tellingPart(tell)] : parts })
    this.#managers = managers.filter((manager): manager is Manager => 'cleanup' in manager)
    // This class has the methods that `ControllerMembers` declares.
    const self = this as unknown as Controller
    const end: Dispatch = async (action) => this.#apply(action)
    this.#chain = middlewares
      .map(({ name, middleware }) => ({ name, handle: middleware(self) }))
      .reduceRight((next, { name, handle }) => this.#asDispatch(name, handle(next)), end)
    this.#stops = managers.flatMap((manager) => ('start' in manager ? [manager.start(this)] : []))
  }

  /** Middleware may return nothing. */
  #asDispatch(name: string, dispatch: Dispatch): Dispatch {
    return async (action) => {
      if ('meta' in action) this.#reached.set(action.meta, name)
      return dispatch(action)
    }
  }

  connect(): () => void {
    for (const manager of this.#managers) manager.init?.(initialState)
    return () => {
      for (const manager of this.#managers) manager.cleanup()
    }
  }

  override dispose(): void {
    for (const stop of this.#stops) stop()
    for (const { stop } of this.#subscriptions.values()) stop()
    super.dispose()
  }

  dispatch(action: ActionTypes): Promise<void> {
    return this.#chain(action)
  }

  getState(): State {
    return initialState
  }

  /** Called with an action that all middleware has passed on. Ignores the application's own actions. */
  #apply(action: ActionTypes): void {
    const told = 'meta' in action && this.#told.get(action.meta)
    if (told) told()
    else if (Object.hasOwn(this.#ends, action.type)) this.#ends[action.type](action as never)
  }

  /** The method of each action. The sender's types have checked the arguments and the value. */
  readonly #ends: { readonly [Type in ActionTypes['type']]: (action: Extract<ActionTypes, { type: Type }>) => void } = {
    [types.FETCH]: ({ endpoint, args, meta }) =>
      void super.fetch(endpoint, ...(args as never)).then(meta.resolve, meta.reject),
    [types.SET]: ({ schema, args, value }) => super.set(schema, ...([...args, value] as never)),
    [types.SET_RESPONSE]: ({ endpoint, args, response, error }) =>
      error
        ? super.setError(endpoint, ...([...args, response] as never))
        : super.setResponse(endpoint, ...([...args, response] as never)),
    [types.INVALIDATE]: ({ key }) => super.invalidateAll({ testKey: (other) => other === key }),
    [types.INVALIDATEALL]: (action) => super.invalidateAll(action),
    [types.EXPIREALL]: (action) => super.expireAll(action),
    [types.RESET]: () => super.resetEntireStore(),
    [types.SUBSCRIBE]: ({ endpoint, args, key }) =>
      this.#subscribe(key, () => super.observe(poll, endpoint as ReadEndpoint, ...(args as never)).subscribe(() => {})),
    [types.UNSUBSCRIBE]: ({ key }) => this.#unsubscribe(key),
    [types.OPTIMISTIC]: refuseAction,
    [types.GC]: refuseAction,
  }

  #subscribe(key: string, start: () => () => void): void {
    const subscription = this.#subscriptions.get(key)
    if (subscription) subscription.count += 1
    else this.#subscriptions.set(key, { count: 1, stop: start() })
  }

  #unsubscribe(key: string): void {
    const subscription = this.#subscriptions.get(key)
    if (!subscription || --subscription.count > 0) return
    this.#subscriptions.delete(key)
    subscription.stop()
  }

  // — writes, which are actions —

  override set(schema: Queryable, ...rest: readonly unknown[]): Promise<void> {
    return this.dispatch({ type: types.SET, schema, args: rest.slice(0, -1), value: rest.at(-1), meta: timesNow() })
  }

  override setResponse(endpoint: EndpointInterface, ...rest: readonly unknown[]): Promise<void> {
    return this.resolve(endpoint, { args: rest.slice(0, -1), response: rest.at(-1) })
  }

  override setError(endpoint: EndpointInterface, ...rest: readonly unknown[]): Promise<void> {
    return this.resolve(endpoint, { args: rest.slice(0, -1), response: rest.at(-1), error: true })
  }

  resolve(endpoint: EndpointInterface, outcome: Pick<SetResponseAction, 'args' | 'response' | 'error'>): Promise<void> {
    const { args, response, error = false } = outcome
    const key = endpoint.key(...(args as never))
    return this.dispatch({ type: types.SET_RESPONSE, endpoint, args, key, response, error, meta: timesNow() })
  }

  override invalidate(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<void> {
    if (args[0] === null) return Promise.resolve()
    return this.dispatch({ type: types.INVALIDATE, key: endpoint.key(...(args as never)) })
  }

  override invalidateAll(endpoint: KeyTest): Promise<void> {
    return this.dispatch({ type: types.INVALIDATEALL, ...testOf(endpoint) })
  }

  override expireAll(endpoint: KeyTest): Promise<void> {
    return this.dispatch({ type: types.EXPIREALL, ...testOf(endpoint) })
  }

  override resetEntireStore(): Promise<void> {
    return this.dispatch({ type: types.RESET, date: Date.now() })
  }

  subscribe(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<void> {
    return this.#ask(types.SUBSCRIBE, endpoint, args)
  }

  unsubscribe(endpoint: EndpointInterface, ...args: readonly unknown[]): Promise<void> {
    return this.#ask(types.UNSUBSCRIBE, endpoint, args)
  }

  #ask(
    type: typeof types.SUBSCRIBE | typeof types.UNSUBSCRIBE,
    endpoint: EndpointInterface,
    args: readonly unknown[],
  ): Promise<void> {
    if (args[0] === null) return Promise.resolve()
    return this.dispatch({ type, endpoint, args, key: endpoint.key(...(args as never)) })
  }

  // — reads, which accept the state as last argument —

  override get(schema: Queryable, ...args: readonly unknown[]): never {
    return super.get(schema, ...(withoutState(args) as never)) as never
  }

  override getResponse(endpoint: EndpointInterface, ...args: readonly unknown[]): never {
    return super.getResponse(endpoint, ...(withoutState(args) as never)) as never
  }

  getResponseMeta(endpoint: EndpointInterface, ...args: readonly unknown[]): never {
    return this.getResponse(endpoint, ...args)
  }

  override getError(endpoint: EndpointInterface, ...args: readonly unknown[]): ErrorWithStatus | undefined {
    return super.getError(endpoint, ...(withoutState(args) as never))
  }
}

/** Creates a controller. */
export const Controller: new (options?: ControllerOptions) => Controller = CompatController as never

function middlewareOf(manager: Manager | CoreManager): { name: string; middleware: Middleware } | undefined {
  const middleware = 'start' in manager ? undefined : (manager.middleware ?? manager.getMiddleware?.())
  return middleware && { name: manager.constructor.name, middleware }
}

/** Rejects the two actions that only the store sends. */
function refuseAction({ type }: ActionTypes): never {
  throw new NotCarriedError(`dispatch({ type: '${type}' })`, STORE)
}

function withoutState(args: readonly unknown[]): readonly unknown[] {
  return args.at(-1) === initialState ? args.slice(0, -1) : args
}

/** Returns an endpoint's key test for an action. */
function testOf(endpoint: KeyTest): KeyTest {
  return { testKey: (key) => endpoint.testKey(key), keyPattern: endpoint.keyPattern }
}

function timesNow(): ActionMeta {
  const date = Date.now()
  return { fetchedAt: date, date, expiresAt: date + 60_000 }
}

import type { EndpointInterface, ReadEndpoint, Snapshot } from '../endpoint/options.js'
import type {
  EndpointData,
  EndpointDataNullable,
  EndpointResponse,
  ErrorWithStatus,
  ResponseOf,
} from '../endpoint/result.js'
import type { KeyTest } from '../engine/staleness.js'
import { freshness } from '../freshness.js'
import type { Denormalize, DenormalizeNullable, Queryable, SchemaArgs, SetValue } from '../schema/infer.js'
import type { EntityInterface } from '../schema/schema.js'
import { DisposedError, ResetError } from '../util/errors.js'
import { bindMethods } from '../util/plain.js'
import { guarded } from '../util/thrown.js'
import { checkEndpoint, checkEntity, checkKeyTest, checkRead, checkSchema, keyOf, type WithLast } from './arguments.js'
import { checkManagers } from './check-managers.js'
import type { ControllerEvents } from './events.js'
import { fetchForCaller, promisable } from './fetch-for-caller.js'
import type { LiveQuery, Observer, ObserverKind } from './observer.js'
import { responseOf } from './query-entry.js'
import { Registry } from './registry.js'
import { NEVER } from './roles.js'
import type { Runtime, RuntimeOptions } from './runtime.js'
import { makeSnapshot } from './snapshot.js'
import { setValue, writeResponse } from './write.js'

/**
 * Accepts any arguments, unlike `FetchFunction`: the compiler can then infer the type of an endpoint that a generic function
 * creates inside the call, without an overload, which would make the errors of each mistake longer.
 */
// biome-ignore lint/suspicious/noExplicitAny: unknown would refuse endpoints with arguments.
type AnyCall = (...args: any[]) => Promise<unknown>

/** The options of `Controller`. */
export interface ControllerOptions extends RuntimeOptions {
  /**
   * Managers, which are started with the controller and stopped by `dispose`.
   *
   * @default []
   * @example new Controller({ managers: [revalidate()] })
   */
  readonly managers?: readonly Manager[] | undefined
}

/**
 * The store of an application: it fetches, reads, writes and observes data. All frameworks on a page can share one. Its
 * methods are bound, so `const { fetch } = controller` works.
 *
 * @example
 * ```ts
 * const controller = new Controller()
 * const todo = await controller.fetch(getTodo, { id: 5 })
 * controller.set(Todo, { id: 5 }, { title: 'Sharpen the pencil' })
 * ```
 */
export class Controller {
  readonly #observers: Registry
  readonly #runtime: Runtime
  readonly #stops: (() => void)[] = []
  #isDisposed = false

  /** @throws OptionError if a lifetime is negative or NaN; in development also for other invalid options */
  constructor(options: ControllerOptions = {}) {
    this.#observers = new Registry(options)
    this.#runtime = this.#observers.runtime
    bindMethods(this, Controller.prototype)
    if (process.env.NODE_ENV !== 'production') checkManagers(options.managers ?? [])
    for (const manager of options.managers ?? []) this.#stops.push(manager.start(this))
  }

  /** Keeps Vue from making a proxy of the controller, which could not reach private members. */
  get __v_skip(): true {
    return true
  }

  /** For managers, and for entry points with an import of their own, such as hydration: `hostOf` reads it. */
  get '~host'(): unknown {
    return this.#observers
  }

  /**
   * Marks this controller as rendering on a server; the adapters call it. Readers then wait for fresh data instead of
   * showing stale data, because a rendered page is not updated. Warns in development if the controller was created without
   * `server: true`.
   */
  rendersOnServer(): void {
    this.#runtime.renders()
  }

  // — requests —

  /**
   * Sends a request and stores the response. A read joins a pending request of the same key if no mutation has settled since
   * that one started.
   *
   * @returns the data that the store shows after the response; without a schema, the result of the endpoint's `process`
   * @example await controller.fetch(updateTodo, { id: 5 }, { done: true })
   */
  fetch<E extends EndpointInterface<AnyCall>>(endpoint: E, ...rawArgs: Parameters<E>): Promise<EndpointData<E>> {
    if (this.#isDisposed) return Promise.reject(new DisposedError('fetch'))
    // The data of a schema has the type that the endpoint declares.
    return fetchForCaller(this.#observers, endpoint, rawArgs) as Promise<EndpointData<E>>
  }

  /**
   * Returns stored data if it is fresh, else calls `fetch`.
   *
   * @example await controller.fetchIfStale(getTodos, { userId: 1 }) // in a router's loader
   */
  fetchIfStale<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<EndpointData<E>> {
    // Not async, so that the promise of `fetch` itself is returned: if unused, it causes no unhandled rejection.
    try {
      checkEndpoint(endpoint)
      checkRead(endpoint)
      const query = this.#observers.entryOf(endpoint, args)
      const { fetch, show } = freshness(query.facts(false), this.#runtime.clock.now())
      if (fetch || show !== 'data') return this.fetch(endpoint, ...args)
      return Promise.resolve(promisable(endpoint, query.data()) as EndpointData<E>)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  // — reads —

  /**
   * Returns the stored response of an endpoint, with its error and expiry. It never fetches.
   *
   * @example const { data, error, expiresAt } = controller.getResponse(getTodo, { id: 5 })
   */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): EndpointResponse<EndpointDataNullable<E>> {
    // The data of a schema has the type that the endpoint declares.
    return responseOf(this.#observers.entryOf(endpoint, args)) as EndpointResponse<EndpointDataNullable<E>>
  }

  /**
   * Returns the last error of an endpoint; undefined if there is none, or if newer data or a soft policy hides it.
   *
   * @example const status = controller.getError(getTodo, { id: 5 })?.status
   */
  getError<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): ErrorWithStatus | undefined {
    return responseOf(this.#observers.entryOf(endpoint, args)).error
  }

  /**
   * Returns the value of a schema for these arguments, read from the table; undefined if it is missing.
   *
   * @example controller.get(Todo, { id: 5 })?.title
   */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined {
    checkSchema(schema)
    return this.#runtime.store.views.show(schema, args) as DenormalizeNullable<S> | undefined
  }

  /**
   * Returns the current state of the store for computations, as `getOptimisticResponse` receives it.
   *
   * @example const todo = controller.snapshot().get(Todo, { id: 5 })
   */
  snapshot(): Snapshot {
    const { store, env } = this.#runtime
    return makeSnapshot(
      {
        show: (schema, args, result) => store.views.show(schema, args, result),
        resultOf: (key, schema) => store.entry(key, schema).row.value,
        meta: (endpoint, args) => responseOf(this.#observers.entryOf(endpoint, args)),
      },
      env.now(),
    )
  }

  // — writes —

  /**
   * Writes a value to the row or list that the arguments refer to, merged like a response. A function receives the current
   * value, `undefined` if it is missing; it can return `undefined` to write nothing.
   *
   * @throws SchemaError if the value does not match the schema or has another primary key
   * @example controller.set(Todo, { id: 5 }, (todo) => ({ title: `${todo?.title}!` }))
   */
  set<S extends Queryable>(
    schema: S,
    ...rest: readonly [
      ...args: SchemaArgs<S>,
      value: SetValue<S> | ((previous: Denormalize<S> | undefined) => SetValue<S> | undefined),
    ]
  ): void {
    checkSchema(schema)
    setValue(this.#runtime, schema, rest.slice(0, -1), rest.at(-1))
  }

  /**
   * Stores a response as if the endpoint had just received it. Values are copied, unless they are wrapped in `transfer()`.
   *
   * @example controller.setResponse(getTodo, { id: 5 }, { id: 5, title: 'Sharpen the pencil' })
   */
  setResponse<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, ResponseOf<E>>): void {
    writeResponse(this.#runtime, endpoint, rest.slice(0, -1), rest.at(-1))
  }

  /**
   * Stores an error as if the endpoint had just failed with it.
   *
   * @example controller.setError(getTodo, { id: 5 }, new Error('No such todo'))
   */
  setError<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, Error>): void {
    const { network, store } = this.#runtime
    const key = keyOf(endpoint, rest.slice(0, -1))
    const entry = store.entry(key, endpoint.schema)
    network.refuse({ endpoint, entry }, rest.at(-1) as Error, this.#runtime.act('setError', key))
  }

  /**
   * Runs several writes and notifies readers once, at the end. Reads in between see the writes.
   *
   * @example
   * ```ts
   * controller.notifyOnce(() => {
   *   controller.set(Todo, { id: 5 }, { done: true })
   *   controller.set(Todo, { id: 6 }, { done: true })
   * })
   * ```
   */
  notifyOnce<Result>(work: () => Result): Result {
    return this.#runtime.store.batch(work)
  }

  // — lifetimes —

  /**
   * Invalidates the data of a key: it is no longer shown, and readers are pending until it is refetched.
   *
   * @example controller.invalidate(getTodo, { id: 5 })
   */
  invalidate<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E> | readonly [null]): void {
    if (args[0] === null) return
    this.#runtime.invalidate(keyOf(endpoint, args), endpoint.schema)
  }

  /**
   * Invalidates all keys of an endpoint, also those whose data comes from other endpoints' rows.
   *
   * @example controller.invalidateAll(getTodos)
   */
  invalidateAll(endpoint: KeyTest): void {
    checkKeyTest(endpoint)
    this.#runtime.markAll(endpoint, 'invalid')
  }

  /**
   * Makes the data of all keys of an endpoint stale: it is still shown, and refetched if it has subscribers.
   *
   * @example controller.expireAll(getTodos)
   */
  expireAll(endpoint: KeyTest): void {
    checkKeyTest(endpoint)
    this.#runtime.markAll(endpoint, 'stale')
  }

  /**
   * Invalidates all responses that contain this row (without `pk`, any row of the entity): readers are pending until
   * they are refetched.
   *
   * @example controller.invalidateBy(Todo, 5)
   */
  invalidateBy(entity: EntityInterface, pk?: string | number): void {
    checkEntity(entity)
    this.#runtime.markBy(entity, pk, 'invalid')
  }

  /**
   * Makes all responses stale that contain this row (without `pk`, any row of the entity); those with subscribers are
   * refetched.
   *
   * @example controller.expireBy(User) // a push message says that users have changed
   */
  expireBy(entity: EntityInterface, pk?: string | number): void {
    checkEntity(entity)
    this.#runtime.markBy(entity, pk, 'stale')
  }

  /**
   * Empties the store: pending requests reject with a `ResetError`, and readers fetch again. Promises that nobody waits for
   * cause no unhandled rejection.
   *
   * @example controller.resetEntireStore() // after a logout
   */
  resetEntireStore(): void {
    this.#runtime.reset((flight) => new ResetError(flight.key))
  }

  // — what stays true —

  /**
   * Returns a query, which fetches missing and stale data while it has subscribers. With null instead of arguments nothing
   * is fetched. Calls with the same key and schema return the same query.
   *
   * @throws UrlParamError, KeyArgError for invalid arguments, OptionError for a mutation and for a value that is not an
   * endpoint
   * @example const stop = controller.watch(getTodos, { userId: 1 }).subscribe(() => {})
   */
  watch<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E> | readonly [null]): LiveQuery<EndpointData<E>> {
    // The data of a schema has the type that the endpoint declares.
    return this.#observers.watch(endpoint, args) as LiveQuery<EndpointData<E>>
  }

  /**
   * Like `watch`, but never throws: instead, for example for arguments that form no valid URL, it returns a query
   * that has failed with the error. For readers such as `useDLE`, which show errors.
   *
   * @example const { error } = controller.watchOrError(getTodo, { id: 5 }).getSnapshot()
   */
  watchOrError<E extends ReadEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): LiveQuery<EndpointData<E>> {
    return this.#observers.watchOrError(endpoint, args) as LiveQuery<EndpointData<E>>
  }

  /**
   * Returns an observer of the stored data of an endpoint. It never fetches.
   *
   * @example const stored = controller.peek(getTodo, { id: 5 }).getSnapshot()
   */
  peek<E extends ReadEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): Observer<EndpointDataNullable<E> | undefined> {
    return this.#observers.peek(endpoint, args) as Observer<EndpointDataNullable<E> | undefined>
  }

  /**
   * Returns an observer of the value of a schema for these arguments, read from the table.
   *
   * @example const todo = controller.view(Todo, { id: 5 }).getSnapshot()
   */
  view<S extends Queryable>(
    schema: S,
    ...args: SchemaArgs<S> | readonly [null]
  ): Observer<DenormalizeNullable<S> | undefined> {
    return this.#observers.view(schema, args) as Observer<DenormalizeNullable<S> | undefined>
  }

  /**
   * Returns an observer of a kind that is imported separately: `poll` polls the endpoint while it has subscribers.
   *
   * @example
   * ```ts
   * const stop = controller.observe(poll, getTicker, { product: 'BTC' }).subscribe(() => {})
   * ```
   */
  observe<Shown, E extends ReadEndpoint>(
    kind: ObserverKind<Shown>,
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): Observer<Shown | undefined>
  /** For kinds that concern all requests, or those of a mutation. */
  observe<Shown>(kind: ObserverKind<Shown>, endpoint?: EndpointInterface): Observer<Shown>
  observe(kind: ObserverKind<unknown>, endpoint?: EndpointInterface, ...args: readonly unknown[]): Observer<unknown> {
    return this.#observers.observe(kind, endpoint, args)
  }

  /**
   * Returns an observer that is true while a request of the key is pending.
   *
   * @example const isSpinning = controller.fetching(getTodo, { id: 5 }).getSnapshot()
   */
  fetching<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E> | readonly [null]): Observer<boolean> {
    return args[0] === null ? NEVER : this.#observers.fetching(keyOf(endpoint, args))
  }

  // — old names, for one release —

  /** @deprecated `watch`: `npx @roundtable/codemods roundtable src` renames it. */
  get query(): Controller['watch'] {
    if (process.env.NODE_ENV !== 'production') warnOfName(this.#runtime, 'query', 'watch')
    return this.watch
  }

  /** @deprecated `watchOrError`: `npx @roundtable/codemods roundtable src` renames it. */
  get queryOrError(): Controller['watchOrError'] {
    if (process.env.NODE_ENV !== 'production') warnOfName(this.#runtime, 'queryOrError', 'watchOrError')
    return this.watchOrError
  }

  /** @deprecated `view`: `npx @roundtable/codemods roundtable src` renames it. */
  get select(): Controller['view'] {
    if (process.env.NODE_ENV !== 'production') warnOfName(this.#runtime, 'select', 'view')
    return this.view
  }

  /** @deprecated `notifyOnce`: `npx @roundtable/codemods roundtable src` renames it. */
  get batch(): Controller['notifyOnce'] {
    if (process.env.NODE_ENV !== 'production') warnOfName(this.#runtime, 'batch', 'notifyOnce')
    return this.notifyOnce
  }

  // — errors, events and the end —

  /**
   * Removes an error from all keys. Each mounted reader that failed with it fetches exactly once more. Error boundaries call
   * it when they are reset; it never throws.
   *
   * @example controller.dropError(new Error('shown by a boundary of your own'))
   */
  dropError(error: unknown): void {
    this.#observers.dropError(error)
  }

  /**
   * Calls the listener for each event of this name until the returned function is called. Errors of the listener go to
   * `onError`.
   *
   * @example const stop = controller.on('error', ({ error }) => console.error(error))
   */
  on<Name extends keyof ControllerEvents>(event: Name, listener: (event: ControllerEvents[Name]) => void): () => void {
    return this.#runtime.events.on(event, listener)
  }

  /**
   * Disposes the controller: pending requests reject with a `DisposedError`, polling and managers stop, and subscribers are
   * not notified any more. Promises that nobody waits for cause no unhandled rejection.
   *
   * @example controller.dispose()
   */
  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    for (const stop of this.#stops) guarded(this.#runtime.report, 'The stop', 'a manager', stop)
    this.#runtime.close(() => new DisposedError('this controller'))
  }
}

/** For developers: warns once if a member is called by its old name. */
function warnOfName(runtime: Runtime, name: string, now: keyof Controller): void {
  runtime.warn(
    `controller.${name} is now controller.${now}, and will be removed in the next release: npx @roundtable/codemods roundtable src renames it.`,
  )
}

/** An extension of a controller that starts and stops with it, such as a log or a live connection. */
export interface Manager {
  /** Called when the controller is created. `dispose` calls the returned function. */
  start(controller: Controller): () => void
}

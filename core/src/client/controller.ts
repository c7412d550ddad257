import type {
  EndpointData,
  EndpointDataNullable,
  EndpointInterface,
  EndpointResponse,
  ReadEndpoint,
  ResponseOf,
  Snapshot,
} from '../endpoint/options.js'
import type { Denormalize, DenormalizeNullable, Queryable, SchemaArgs, SetValue } from '../schema/infer.js'
import type { EntityInterface } from '../schema/schema.js'
import { CallbackError, DisposedError, ResetError } from '../util/errors.js'
import type { ControllerEvents } from './events.js'
import { checkEntity, checkKeyTest, checkSchema } from './given.js'
import { keyOf, readOnce } from './key-of.js'
import type { LiveQuery, Observer } from './observer.js'
import { responseOf } from './query-entry.js'
import { type ObserverKind, Registry } from './registry.js'
import { promisable, resultForCaller } from './result-for-caller.js'
import type { KeyTest, Runtime, RuntimeOptions } from './runtime.js'
import { makeSnapshot } from './snapshot.js'
import { writeResponse, writeValue } from './write.js'

/** What a controller is made with. */
export interface ControllerOptions extends RuntimeOptions {
  /**
   * What goes with the controller: each is started with it and stopped by `dispose`.
   *
   * @default []
   */
  readonly managers?: readonly Manager[] | undefined
}

/**
 * The one thing that an application talks to: it fetches, reads, writes and watches the table. All frameworks on a page share one.
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

  /** @throws OptionError if a lifetime is negative or NaN */
  constructor(options: ControllerOptions = {}) {
    this.#observers = new Registry(options)
    this.#runtime = this.#observers.runtime
    bindVerbs(this)
    for (const manager of options.managers ?? []) this.#stops.push(manager.start(this))
  }

  /** Vue makes no proxy of what has this: private members cannot be reached through one. */
  get __v_skip(): true {
    return true
  }

  /**
   * Says that a server renders by this controller, as the adapters do. Data out of date is then waited for, since nobody stays to see it
   * replaced. Warns in development if the controller was made without `server: true`.
   */
  rendersOnServer(): void {
    this.#runtime.renders()
  }

  // — requests —

  /**
   * Sends a request and keeps its answer. A read joins a request of the same key that started after the last mutation settled.
   *
   * @returns what the store shows after the answer was kept; without a schema, what the endpoint's `process` returned
   */
  fetch<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Promise<EndpointData<E>>
  /** As above, for an endpoint that a generic function makes right in the call: its type is inferred by its arguments. */
  fetch<Args extends readonly unknown[], E extends EndpointInterface>(
    endpoint: E & ((...args: Args) => unknown),
    ...args: NoInfer<Args>
  ): Promise<EndpointData<E>>
  fetch<E extends EndpointInterface>(endpoint: E, ...given: Parameters<E>): Promise<EndpointData<E>> {
    if (this.#isDisposed) return Promise.reject(new DisposedError('fetch'))
    return new Promise((resolve, reject) => {
      const args = readOnce(given)
      const key = keyOf(endpoint, args)
      this.#runtime.network.board(endpoint, args, key, {
        land: (landing) => {
          try {
            // What a schema shows has the type that its endpoint says.
            resolve(resultForCaller(this.#runtime, endpoint, args, landing) as EndpointData<E>)
          } catch (error) {
            reject(error)
          }
        },
        fail: reject,
        signal: endpoint.signal,
        dispose: () => {},
      })
    })
  }

  /** As `fetch`, unless what is known is in date. */
  async fetchIfStale<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<EndpointData<E>> {
    const { data, verdict } = this.#observers.judge(endpoint, args)
    if (verdict.fetch || verdict.show !== 'data') return this.fetch(endpoint, ...args)
    return promisable(endpoint, data) as EndpointData<E>
  }

  // — reads —

  /** What is known of an endpoint's answer; never fetches. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): EndpointResponse<EndpointDataNullable<E>> {
    // What a schema shows has the type that its endpoint says.
    return responseOf(this.#observers.look(endpoint, args)) as EndpointResponse<EndpointDataNullable<E>>
  }

  /** The last error of an endpoint; undefined if there is none, or if newer data or its policy hides it. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Error | undefined {
    return responseOf(this.#observers.look(endpoint, args)).error
  }

  /** What the table holds for these arguments; undefined if nothing. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined {
    checkSchema(schema)
    return this.#runtime.store.views.show(schema, args) as DenormalizeNullable<S> | undefined
  }

  /** What is known at this moment, for computing something from it. */
  snapshot(): Snapshot {
    const { store, env } = this.#runtime
    return makeSnapshot(
      {
        show: (schema, args, result) => store.views.show(schema, args, result),
        resultOf: (key, schema) => store.entry(key, schema).row.value,
        meta: (endpoint, args) => responseOf(this.#observers.look(endpoint, args)),
      },
      env.now(),
    )
  }

  // — writes —

  /**
   * Writes what the arguments name, merged like an answer. A function gets what is there, `undefined` if nothing is, and
   * writes nothing by returning `undefined`.
   *
   * @throws SchemaError if the value does not fit or has another primary key
   */
  set<S extends Queryable>(
    schema: S,
    ...rest: readonly [
      ...args: SchemaArgs<S>,
      value: SetValue<S> | ((previous: Denormalize<S> | undefined) => SetValue<S> | undefined),
    ]
  ): void {
    checkSchema(schema)
    const args = rest.slice(0, -1)
    const given: unknown = rest.at(-1)
    const isUpdater = typeof given === 'function'
    const value = isUpdater ? given(this.#runtime.store.views.show(schema, args)) : given
    // An updater of something that is not there has nothing to say.
    if (isUpdater && value === undefined) return
    writeValue(this.#runtime, schema, args, value, this.#runtime.dataExpiryLength)
  }

  /** Keeps a response as if the endpoint had just brought it. */
  setResponse<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, ResponseOf<E>>): void {
    writeResponse(this.#runtime, endpoint, rest.slice(0, -1), rest.at(-1), this.#runtime.dataExpiryLength)
  }

  /** Keeps an error as if the endpoint had just failed with it. */
  setError<E extends EndpointInterface>(endpoint: E, ...rest: WithLast<Parameters<E>, Error>): void {
    const { network, store } = this.#runtime
    const key = keyOf(endpoint, rest.slice(0, -1))
    network.refuse(endpoint, key, rest.at(-1) as Error, store.sequence.next())
  }

  /** Several verbs, told once. State can be read in between. */
  batch<Result>(work: () => Result): Result {
    return this.#runtime.store.batch(work)
  }

  // — lifetimes —

  /** What the key shows may not be shown any more; readers wait for it to be fetched again. */
  invalidate<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E> | readonly [null]): void {
    if (args[0] === null) return
    const { store } = this.#runtime
    const key = keyOf(endpoint, args)
    store.entry(key, endpoint.schema)
    store.batch(() => {
      for (const entry of store.entriesOf(key)) {
        entry.invalid = store.sequence.next()
        store.touch(entry)
      }
    })
  }

  /** Invalidates all keys of an endpoint, also those that were answered from other endpoints' rows. */
  invalidateAll(endpoint: KeyTest): void {
    checkKeyTest(endpoint)
    this.#observers.markAll(this.#runtime.markOf(endpoint, 'invalid'))
  }

  /** Makes all keys of an endpoint out of date: they are shown and, where mounted, fetched again. */
  expireAll(endpoint: KeyTest): void {
    checkKeyTest(endpoint)
    this.#observers.markAll(this.#runtime.markOf(endpoint, 'stale'))
  }

  /** Nothing that shows this entity (without a key: any of its kind) may be shown any more before it is fetched again. */
  invalidateBy(entity: EntityInterface, pk?: string | number): void {
    checkEntity(entity)
    this.#runtime.markBy(entity, pk, 'invalid')
  }

  /** Makes all answers that show this entity (without a key: any of its kind) out of date; mounted ones are fetched again. */
  expireBy(entity: EntityInterface, pk?: string | number): void {
    checkEntity(entity)
    this.#runtime.markBy(entity, pk, 'stale')
  }

  /** Empties the store: requests under way end with a `ResetError`, readers fetch anew. */
  resetEntireStore(): void {
    this.#runtime.reset((flight) => new ResetError(flight.key))
  }

  // — what stays true —

  /**
   * A read that is fetched and kept fresh while somebody subscribes. Null in place of the arguments: nothing is asked for.
   *
   * @throws UrlParamError, KeyArgError for arguments that cannot be, OptionError for a mutation and for what is no endpoint
   */
  query<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E> | readonly [null]): LiveQuery<EndpointData<E>> {
    // What a schema shows has the type that its endpoint says.
    return this.#observers.query(endpoint, args) as LiveQuery<EndpointData<E>>
  }

  /**
   * As `query`, and never throws: where `query` does, as for arguments that make no URL, this is a query that failed with that error.
   * For readers such as `useDLE`, which show what is wrong.
   */
  queryOrError<E extends ReadEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): LiveQuery<EndpointData<E>> {
    return this.#observers.queryOrError(endpoint, args) as LiveQuery<EndpointData<E>>
  }

  /** What an endpoint's answer shows, without ever fetching it. */
  peek<E extends ReadEndpoint>(
    endpoint: E,
    ...args: Parameters<E> | readonly [null]
  ): Observer<EndpointDataNullable<E> | undefined> {
    return this.#observers.peek(endpoint, args) as Observer<EndpointDataNullable<E> | undefined>
  }

  /** What the table holds for these arguments. */
  select<S extends Queryable>(
    schema: S,
    ...args: SchemaArgs<S> | readonly [null]
  ): Observer<DenormalizeNullable<S> | undefined> {
    return this.#observers.select(schema, args) as Observer<DenormalizeNullable<S> | undefined>
  }

  /**
   * Another observer of an endpoint, of a kind that comes with an import of its own: `poll` polls while somebody subscribes.
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
  ): Observer<Shown | undefined> {
    return this.#observers.observe(kind, endpoint, args)
  }

  /** Whether a request of the key is under way. */
  fetching<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E> | readonly [null]): Observer<boolean> {
    return this.#observers.fetching(endpoint, args) as Observer<boolean>
  }

  /** Forgets an error wherever it is kept, so that each key that failed with it is fetched exactly once again: an error boundary's reset. */
  dropError(error: unknown): void {
    const { store } = this.#runtime
    store.batch(() => {
      for (const entry of store.entries.values()) {
        if (entry.error?.error !== error) continue
        entry.error = undefined
        store.touch(entry)
      }
      this.#observers.retry(error)
    })
  }

  /** Calls the listener whenever the named thing happens, until the returned function is called. */
  on<Name extends keyof ControllerEvents>(event: Name, listener: (event: ControllerEvents[Name]) => void): () => void {
    return this.#runtime.events.on(event, listener)
  }

  /** Ends everything: requests fail with a `DisposedError`, nothing is polled, nobody is told any more. */
  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    for (const stop of this.#stops) {
      try {
        stop()
      } catch (cause) {
        this.#runtime.report(new CallbackError('The stop', 'a manager', { cause }))
      }
    }
    this.#runtime.close(() => new DisposedError('this controller'))
  }
}

/** Lets verbs be taken off: `const { fetch, set } = controller`. */
function bindVerbs(controller: Controller): void {
  for (const name of Object.getOwnPropertyNames(Controller.prototype) as (keyof Controller | 'constructor')[]) {
    const verb: unknown = controller[name]
    if (name === 'constructor' || typeof verb !== 'function') continue
    Object.defineProperty(controller, name, { value: verb.bind(controller), writable: true, configurable: true })
  }
}

/** A call's arguments and one more after them; optional ones may be left out. */
type WithLast<Args extends readonly unknown[], Last> = Args extends readonly []
  ? readonly [Last]
  : Args extends readonly [infer First, ...infer Rest]
    ? readonly [First, ...WithLast<Rest, Last>]
    : number extends Args['length']
      ? readonly [...Args, Last]
      : Args extends readonly [(infer First)?, ...infer Rest]
        ? readonly [Last] | readonly [First | undefined, ...WithLast<Rest, Last>]
        : readonly [...Args, Last]

/** Something that goes with a controller: it listens, and acts through its verbs. */
export interface Manager {
  /** Begins; the returned function ends it. */
  start(controller: Controller): () => void
}

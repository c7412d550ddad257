import type { EndpointInterface } from '../endpoint/options.js'
import type { Flight } from '../engine/flight.js'
import { Network, type NetworkEvent } from '../engine/network.js'
import { Polling } from '../engine/polling.js'
import { Store, type Wake } from '../engine/store.js'
import { freshness, type Verdict } from '../freshness.js'
import type { Schema } from '../schema/schema.js'
import { browserEnv, type Env } from '../tools/env.js'
import { CallbackError, OptionError } from '../tools/errors.js'
import { stableKey } from '../tools/stable-key.js'
import type { Desk } from './desk.js'
import { Events, type RequestEvent } from './events.js'
import { Fetching } from './fetching.js'
import { keyOf } from './key-of.js'
import type { KeyView } from './key-view.js'
import type { Observer } from './observer.js'
import { Peek } from './peek.js'
import { PollObserver } from './poll-observer.js'
import { IDLE_QUERY, inOneGo, LiveQuery } from './query.js'
import { Selection } from './selection.js'
import { Shelf } from './shelf.js'
import { optimisticLayer } from './snapshot.js'
import { Watchers } from './watchers.js'

/** What a controller's store, network and watchers are set up with. */
export interface DeskOptions {
  /**
   * How long data is in date, in ms, where its endpoint does not say.
   *
   * @default 60_000
   */
  readonly dataExpiryLength?: number | undefined
  /**
   * How long an error is kept, in ms, where its endpoint does not say.
   *
   * @default 1_000
   */
  readonly errorExpiryLength?: number | undefined
  /**
   * Time, chance and the state of the page; tests hand in their own.
   *
   * @default browserEnv()
   */
  readonly env?: Env | undefined
  /**
   * True on a server: nothing is subscribed to and no timer starts.
   *
   * @default false
   */
  readonly server?: boolean | undefined
  /**
   * Hears of errors that no promise carries: a listener or a replayed optimistic answer that threw.
   *
   * @default console.error
   */
  readonly onError?: ((error: Error) => void) | undefined
}

/** The lifetimes that hold where nobody says otherwise, in ms. */
export const DEFAULTS: { readonly dataExpiryLength: number; readonly errorExpiryLength: number } = Object.freeze({
  dataExpiryLength: 60_000,
  errorExpiryLength: 1_000,
})

const NOTHING: Observer<undefined> = Object.freeze({ getSnapshot: () => undefined, subscribe: () => () => {} })
const NEVER: Observer<boolean> = Object.freeze({ getSnapshot: () => false, subscribe: () => () => {} })

/** All that one controller works with, put together. */
export class OpenDesk implements Desk {
  readonly env: Env
  readonly isServer: boolean
  readonly dataExpiryLength: number
  readonly store: Store
  readonly network: Network
  readonly polling: Polling
  readonly watchers: Watchers = new Watchers(inOneGo)
  readonly events: Events
  readonly #onError: (error: Error) => void
  readonly #warned = new Set<string>()
  readonly #queries = new Shelf<LiveQuery>()
  readonly #peeks = new Shelf<Peek>()
  readonly #selections = new Shelf<Selection>()
  readonly #fetching = new Map<string, Fetching>()
  #epoch = 0

  constructor(options: DeskOptions) {
    this.env = options.env ?? browserEnv()
    this.isServer = options.server ?? false
    this.dataExpiryLength = checkLength('dataExpiryLength', options.dataExpiryLength)
    this.#onError = options.onError ?? ((error) => console.error(error))
    this.events = new Events(this.report)
    this.store = new Store((wake) => this.#wake(wake))
    this.network = new Network(this.store, {
      env: this.env,
      dataExpiryLength: this.dataExpiryLength,
      errorExpiryLength: checkLength('errorExpiryLength', options.errorExpiryLength),
      layerOf: (endpoint, args, start) =>
        optimisticLayer(this.store, endpoint, args, start, this.env.now(), this.report),
      onEvent: (event) => this.#heard(event),
      warn: this.warn,
    })
    this.polling = new Polling(this.env)
  }

  readonly report = (error: Error): void => {
    try {
      this.#onError(error)
    } catch (broken) {
      console.error(broken)
    }
    this.events.emit('error', { error, request: undefined })
  }

  readonly warn = (message: string): void => {
    if (this.#warned.has(message)) return
    this.#warned.add(message)
    console.warn(message)
  }

  // — observers: the same question has the same one —

  queryOf(endpoint: EndpointInterface, args: readonly unknown[]): LiveQuery | typeof IDLE_QUERY {
    if (args[0] === null) return IDLE_QUERY
    return this.#shelved(this.#queries, endpoint, args, (key) => new LiveQuery(this, endpoint, args, key))
  }

  peekOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<unknown> {
    if (args[0] === null) return NOTHING
    return this.#shelved(this.#peeks, endpoint, args, (key) => new Peek(this, endpoint, args, key))
  }

  selectionOf(schema: Schema, args: readonly unknown[]): Observer<unknown> {
    if (args[0] === null) return NOTHING
    const key = stableKey(args)
    const known = this.#selections.get(key, schema)
    if (known !== undefined) return known
    const selection = new Selection(this, schema, args)
    this.#selections.add(key, selection)
    return selection
  }

  pollOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<undefined> {
    if (args[0] === null) return NOTHING
    return new PollObserver(this, endpoint, args, keyOf(endpoint, args))
  }

  fetchingOf(endpoint: EndpointInterface, args: readonly unknown[]): Observer<boolean> {
    if (args[0] === null) return NEVER
    const key = keyOf(endpoint, args)
    let fetching = this.#fetching.get(key)
    if (fetching === undefined) {
      fetching = new Fetching(
        this.report,
        () => this.network.isUnderWay(key),
        () => this.#fetching.delete(key),
      )
      this.#fetching.set(key, fetching)
    }
    return fetching
  }

  #shelved<Item extends LiveQuery | Peek>(
    shelf: Shelf<Item>,
    endpoint: EndpointInterface,
    args: readonly unknown[],
    make: (key: string) => Item,
  ): Item {
    const key = keyOf(endpoint, args)
    const known = shelf.get(key, endpoint.schema)
    if (known !== undefined) {
      known.renew(endpoint, args)
      return known
    }
    const item = make(key)
    shelf.add(key, item)
    return item
  }

  /** A key as it is now, for one look. */
  look(endpoint: EndpointInterface, args: readonly unknown[]): KeyView {
    const key = keyOf(endpoint, args)
    const known = this.#queries.get(key, endpoint.schema) ?? this.#peeks.get(key, endpoint.schema)
    return known?.view ?? this.#shelved(this.#peeks, endpoint, args, (of) => new Peek(this, endpoint, args, of)).view
  }

  /** What freshness says of a key right now. */
  judge(endpoint: EndpointInterface, args: readonly unknown[]): { readonly data: unknown; readonly verdict: Verdict } {
    const at = this.look(endpoint, args)
    return { data: at.data(), verdict: freshness(at.facts(false), this.env.now()) }
  }

  /** The test of an endpoint's keys, guarded. */
  testOf(endpoint: { testKey(key: string): boolean }): (key: string) => boolean {
    return (key) => {
      try {
        return endpoint.testKey(key)
      } catch (cause) {
        this.report(new CallbackError('testKey', key, { cause }))
        return false
      }
    }
  }

  // — ends —

  /** Empties the store; those who watch start anew. */
  reset(reasonOf: (flight: Flight) => Error): void {
    this.network.abortAll(reasonOf)
    this.store.reset()
    this.#epoch++
    const watchers = [...this.#queries, ...this.#peeks, ...this.#selections]
    this.store.batch(() => {
      for (const [, watcher] of watchers) watcher.restart()
    })
    for (const [, watcher] of watchers) if (watcher.reread()) watcher.tell()
    this.polling.restart()
    this.events.emit('reset', { epoch: this.#epoch })
  }

  close(reasonOf: (flight: Flight) => Error): void {
    this.polling.dispose()
    for (const [, item] of [...this.#queries, ...this.#peeks, ...this.#selections]) item.dispose()
    this.network.abortAll(reasonOf)
    this.events.clear()
  }

  // — what happens —

  #wake(wake: Wake): void {
    this.watchers.wake(wake)
    this.events.emit('commit', { keys: [...wake.entries.keys()].map((entry) => entry.key) })
  }

  #heard(event: NetworkEvent): void {
    const { key, endpoint, args, start } = event.flight
    const request: RequestEvent = { key, endpoint, args, id: start }
    this.#fetching.get(key)?.update()
    if (event.type === 'fetch') {
      this.events.emit('fetch', request)
      return
    }
    this.events.emit('settle', { ...request, error: event.error })
    if (event.error !== undefined) this.events.emit('error', { error: event.error, request })
  }
}

function checkLength(name: 'dataExpiryLength' | 'errorExpiryLength', value: number | undefined): number {
  if (value === undefined) return DEFAULTS[name]
  if (value >= 0) return value
  throw new OptionError(name, `must be 0 or more milliseconds, found ${value}. Leave it out for ${DEFAULTS[name]}.`)
}

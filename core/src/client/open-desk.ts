import type { Flight } from '../engine/flight.js'
import type { Mark } from '../engine/marks.js'
import { Network, type NetworkEvent } from '../engine/network.js'
import type { Polling } from '../engine/polling.js'
import { Retention } from '../engine/retention.js'
import type { Wake } from '../engine/step.js'
import { Store } from '../engine/store.js'
import type { EntityInterface } from '../schema/schema.js'
import { browserEnv, type Env } from '../util/env.js'
import { CallbackError, DisposedError, OptionError } from '../util/errors.js'
import type { Desk } from './desk.js'
import { Events, type RequestEvent } from './events.js'
import { Observers } from './observers.js'
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
   * True on a server: nothing is subscribed to, no timer starts, and rendering reads no clock. What is there counts as in date until
   * it is expired, so make one controller for each request.
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
  /**
   * How long data that nobody uses is kept, in ms; false keeps it for good.
   *
   * @default { after: 300_000 }
   */
  readonly retention?: { readonly after?: number | undefined } | false | undefined
}

/** What `invalidateAll` and `expireAll` take: an endpoint, or anything else that knows keys. */
export interface KeyTest {
  testKey(key: string): boolean
  /** The same text for all that test keys alike: what is said of one is then said of the others. */
  readonly keyPattern?: string | undefined
}

/** The lifetimes that hold where nobody says otherwise, in ms. */
export const DEFAULTS: { readonly dataExpiryLength: number; readonly errorExpiryLength: number } = Object.freeze({
  dataExpiryLength: 60_000,
  errorExpiryLength: 1_000,
})

/** Nothing goes out of date by it, but for what has no time at all. */
const STILL: Pick<Env, 'now' | 'mono'> = { now: () => 0, mono: () => 0 }

/** All that one controller works with, put together. */
export class OpenDesk implements Desk {
  readonly env: Env
  readonly isServer: boolean
  isRendering: boolean
  readonly clock: Pick<Env, 'now' | 'mono'>
  closed: Error | undefined = undefined
  readonly dataExpiryLength: number
  readonly store: Store
  readonly network: Network
  polling: Polling | undefined = undefined
  readonly watchers: Watchers = new Watchers()
  readonly events: Events
  readonly #onError: (error: Error) => void
  readonly #warned = new Set<string>()
  readonly #guarded = new WeakMap<object, unknown>()
  readonly observers: Observers = new Observers(this)
  readonly #retention: Retention | undefined
  #epoch = 0
  #isReporting = false

  constructor(options: DeskOptions) {
    this.env = options.env ?? browserEnv()
    this.isServer = options.server ?? false
    this.isRendering = this.isServer
    this.clock = this.isServer ? STILL : this.env
    this.dataExpiryLength = checkLength('dataExpiryLength', options.dataExpiryLength, DEFAULTS.dataExpiryLength)
    this.#onError = options.onError ?? ((error) => console.error(error))
    this.events = new Events(this.report)
    this.store = new Store((wake) => this.#wake(wake), this.report)
    this.network = new Network(this.store, {
      env: this.env,
      clock: this.clock,
      dataExpiryLength: this.dataExpiryLength,
      errorExpiryLength: checkLength('errorExpiryLength', options.errorExpiryLength, DEFAULTS.errorExpiryLength),
      layerOf: (endpoint, args, start) =>
        optimisticLayer(this.store, endpoint, args, start, this.env.now(), this.report),
      onEvent: (event) => this.#heard(event),
      warn: this.warn,
    })
    this.#retention = this.#makeRetention(options.retention)
  }

  #makeRetention(option: DeskOptions['retention']): Retention | undefined {
    if (this.isServer || option === false) return undefined
    return new Retention(this.env, this.store, this.observers, checkLength('retention.after', option?.after, 300_000))
  }

  release(): void {
    if (this.closed === undefined) this.#retention?.wake()
  }

  readonly report = (error: Error): void => {
    try {
      this.#onError(error)
    } catch (broken) {
      console.error(broken)
    }
    // A listener of errors that throws is not told of that.
    if (this.#isReporting) return
    this.#isReporting = true
    this.events.emit('error', { error, request: undefined })
    this.#isReporting = false
  }

  guarded<Args extends readonly unknown[]>(listener: (...args: Args) => void): (...args: Args) => void {
    const guard = (...args: Args): void => {
      try {
        listener(...args)
      } catch (cause) {
        this.report(new CallbackError('A listener', 'a store', { cause }))
      }
    }
    const known = this.#guarded.get(listener) ?? guard
    this.#guarded.set(listener, known)
    // It was made for this listener.
    return known as typeof guard
  }

  readonly warn = (message: string): void => {
    if (this.#warned.has(message)) return
    this.#warned.add(message)
    console.warn(message)
  }

  /** A server renders by it. */
  renders(): void {
    if (this.isRendering) return
    this.isRendering = true
    if (process.env.NODE_ENV !== 'production') {
      this.warn(
        'A controller made without `server: true` renders on a server: all requests share its data. Make one for each request: new Controller({ server: true }).',
      )
    }
  }

  /** Marks all keys of an endpoint; its test is guarded. */
  markAll(owner: KeyTest, kind: Mark['kind']): void {
    const testKey = (key: string): boolean => {
      try {
        return owner.testKey(key)
      } catch (cause) {
        this.report(new CallbackError('testKey', key, { cause }))
        return false
      }
    }
    this.store.markAll({ owner: owner.keyPattern ?? owner, kind, at: this.store.sequence.next(), testKey })
  }

  /** Marks an entity's row, or all of its kind, so that what stands on it is fetched again. */
  markBy(entity: EntityInterface, pk: string | number | undefined, kind: Mark['kind']): void {
    const { kind: home } = this.store.infos.of(entity)
    const row = home.rows.get(`${pk}`)
    const marked = pk === undefined ? home.rows.values() : row === undefined ? [] : [row]
    // The mark is later than all requests that were sent so far.
    const at = this.store.sequence.next()
    if (pk === undefined) this.store.markKind(home, kind, at)
    this.store.commit(kind === 'invalid' ? { invalid: marked } : { stale: marked })
  }

  // — ends —

  /** Empties the store; those who watch start anew. */
  reset(reasonOf: (flight: Flight) => Error): void {
    this.network.abortAll(reasonOf, () => {
      this.#retention?.dispose()
      this.store.reset()
      this.#epoch++
    })
    const watchers = this.observers.all()
    this.store.batch(() => {
      for (const watcher of watchers) watcher.restart()
    })
    for (const watcher of watchers) if (watcher.reread()) watcher.tell()
    this.polling?.restart()
    this.events.emit('reset', { epoch: this.#epoch })
  }

  close(reasonOf: (flight: Flight) => Error): void {
    this.closed = new DisposedError('a read')
    this.polling?.dispose()
    this.#retention?.dispose()
    for (const watcher of this.observers.all()) watcher.dispose()
    this.network.abortAll(reasonOf)
    this.events.clear()
  }

  // — what happens —

  #wake(wake: Wake): void {
    this.watchers.wake(wake)
    if (wake.isQuiet) return
    if (wake.hasChanged) this.#retention?.wake()
    this.events.emit('commit', { keys: [...wake.entries.keys()].map((entry) => entry.key) })
  }

  #heard(event: NetworkEvent): void {
    const { key, endpoint, args, start, sent } = event.flight
    const request: RequestEvent = { key, endpoint, args, id: start }
    this.observers.requested(key)
    if (event.type === 'fetch') {
      this.events.emit('fetch', request)
      return
    }
    this.events.emit('settle', Object.defineProperty({ ...request, error: event.error }, 'sent', { value: sent }))
    if (event.error !== undefined) this.events.emit('error', { error: event.error, request })
  }
}

function checkLength(name: string, value: number | undefined, otherwise: number): number {
  if (value === undefined) return otherwise
  if (value >= 0) return value
  const hint = process.env.NODE_ENV === 'production' ? '' : ` Leave it out for ${otherwise}.`
  throw new OptionError(name, `must be 0 or more milliseconds, found ${value}.${hint}`)
}

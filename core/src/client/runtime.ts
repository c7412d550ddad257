import type { Layer } from '../commit/layer.js'
import { checkTime } from '../endpoint/option-table.js'
import type { RequestPart, Transport } from '../endpoint/options.js'
import type { Flight, NetworkEvent, NetworkOptions } from '../engine/flight.js'
import { Network } from '../engine/network.js'
import { Retention } from '../engine/retention.js'
import type { KeyTest, Mark } from '../engine/staleness.js'
import { type Notification, Store } from '../engine/store.js'
import type { KeyUsers } from '../engine/sweep.js'
import type { EntityInterface, Schema } from '../schema/schema.js'
import { describe } from '../util/describe.js'
import { browserEnv, type Env } from '../util/env.js'
import { DisposedError, OptionError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'
import { guarded } from '../util/thrown.js'
import { type ActionEvent, Events, type RequestEvent, withHidden } from './events.js'
import { optimisticLayer } from './snapshot.js'

/** The options of a controller's store, network and observers. */
export interface RuntimeOptions {
  /**
   * How long data is fresh, in ms, unless its endpoint has this option.
   *
   * @default 60_000
   * @example new Controller({ dataExpiryLength: 5 * 60_000 })
   */
  readonly dataExpiryLength?: number | undefined
  /**
   * How long an error is recent, in ms, unless its endpoint has this option. Readers that mount during this time do not
   * fetch again.
   *
   * @default 1_000
   * @example new Controller({ errorExpiryLength: 10_000 })
   */
  readonly errorExpiryLength?: number | undefined
  /**
   * Performs the HTTP calls of all `RestEndpoint`s instead of the global `fetch`: for cookies and base URLs of one user's
   * requests on a server, a framework's own `fetch`, signing, tracing, tests. It overrides an endpoint's `transport`.
   *
   * @default undefined: the endpoint's, else the global `fetch`, looked up at each call
   * @example new Controller({ transport: (url, init) => fetch(url, { ...init, credentials: 'include' }) })
   */
  readonly transport?: Transport | undefined
  /**
   * Repeats failed requests of all endpoints, unless an endpoint has this option: `retry(2)`.
   *
   * @default undefined: requests are sent once
   * @example new Controller({ retry: retry(2) })
   */
  readonly retry?: RequestPart | undefined
  /**
   * The parts of each request of this controller: `http({ etag: true })`, and parts of your own.
   *
   * @default []
   * @example new Controller({ parts: [{ name: 'log', prepare: ({ key }) => console.log(key) }] })
   */
  readonly parts?: readonly RequestPart[] | undefined
  /**
   * Time, randomness and the state of the page. Tests pass their own.
   *
   * @default browserEnv()
   * @example new Controller({ env: clock })
   */
  readonly env?: Env | undefined
  /**
   * True on a server: observers do not subscribe, no timer starts, and rendering reads no clock. Stored data is fresh until
   * it is expired explicitly, so create one controller for each request.
   *
   * @default false
   * @example new Controller({ server: true })
   */
  readonly server?: boolean | undefined
  /**
   * Called with errors that no promise rejects with, such as those of listeners and of replayed optimistic updates.
   *
   * @default console.error
   * @example new Controller({ onError: (error) => console.error(error.message) })
   */
  readonly onError?: ((error: Error) => void) | undefined
  /**
   * How long unused data stays in memory: `after`, in ms. False never removes it.
   *
   * @default { after: 300_000 }
   * @example new Controller({ retention: { after: 60_000 } })
   */
  readonly retention?: { readonly after?: number | undefined } | false | undefined
}

/** The clock of a server: only data with a lifetime of 0 becomes stale. */
const STILL: Pick<Env, 'now' | 'mono'> = { now: () => 0, mono: () => 0 }

/** The runtime's interface to observers. */
export interface RuntimeObservers extends KeyUsers {
  readonly notify: (notification: Notification) => void
  /** Marks all keys that pass the test of a mark. */
  markAll(mark: Mark): void
  /** Called when a request of a key begins, ends, or is repeated after a failed attempt. */
  requested(key: string, hasBegun: boolean): void
  /** Called after the store was emptied: all observers start over. */
  restart(): void
  dispose(): void
}

/** The store, the network and the shared state of one controller. */
export class Runtime implements NetworkOptions {
  readonly env: Env
  /** True on a server, where nothing stays mounted: no timers, no subscriptions, and no clock is read while rendering. */
  readonly isServer: boolean
  /** True while rendering on a server, configured or detected: stale data is final there, since nothing re-renders. */
  isRendering: boolean
  /** The clocks for reads: on a server they do not advance. */
  readonly clock: Pick<Env, 'now' | 'mono'>
  /** The error of reads after `dispose`, when nothing is fetched any more; undefined before. */
  closed: Error | undefined
  readonly transport: Transport | undefined
  parts: readonly RequestPart[]
  readonly dataExpiryLength: number
  readonly errorExpiryLength: number
  readonly store: Store
  readonly network: Network
  /** The sources, which the first observer of `poll` creates. */
  sources: { readonly keys: Iterable<string>; postpone(key: string): void; dispose(): void } | undefined
  readonly events: Events
  readonly #observers: RuntimeObservers
  readonly #onError: (error: Error) => void
  readonly #warned = new Set<string>()
  /** Drops unused data; undefined if none is dropped. */
  retention: Retention | undefined
  #isReporting = false

  constructor(options: RuntimeOptions, observers: RuntimeObservers) {
    this.#observers = observers
    if (process.env.NODE_ENV !== 'production') {
      checkFunction('transport', options.transport)
      checkParts(options)
    }
    this.env = options.env ?? browserEnv()
    this.isServer = options.server ?? false
    this.isRendering = this.isServer
    this.clock = this.isServer ? STILL : this.env
    this.transport = options.transport
    this.parts = [...(options.parts ?? []), ...(options.retry ? [options.retry] : [])]
    this.dataExpiryLength = checkTime('dataExpiryLength', options.dataExpiryLength ?? 60_000, true)
    this.errorExpiryLength = checkTime('errorExpiryLength', options.errorExpiryLength ?? 1_000, true)
    this.#onError = options.onError ?? ((error) => console.error(error))
    this.events = new Events(this.report)
    this.store = new Store(observers.notify, this.report)
    this.network = new Network(this.store, this)
    const { retention } = options
    if (this.isServer || retention === false) return
    const after = checkTime('retention.after', retention?.after ?? 300_000, true)
    this.retention = new Retention({ env: this.env, store: this.store, users: observers, after })
  }

  layerOf(flight: Flight): Layer | undefined {
    return optimisticLayer(this.store, flight, flight.fetchedAt ?? this.env.now())
  }

  /** Reports an error with which no caller's promise rejects. */
  readonly report = (error: Error): void => {
    try {
      this.#onError(error)
    } catch (broken) {
      console.error(broken)
    }
    // Errors of error listeners are not reported to them.
    if (this.#isReporting) return
    this.#isReporting = true
    this.events.emit('error', { error, request: undefined })
    this.#isReporting = false
  }

  /** Prints a warning for developers, each text once. */
  readonly warn = (message: string): void => {
    if (process.env.NODE_ENV === 'production' || this.#warned.has(message)) return
    this.#warned.add(message)
    console.warn(message)
  }

  /** Switches to rendering on a server. */
  renders(): void {
    if (this.isRendering) return
    this.isRendering = true
    if (process.env.NODE_ENV !== 'production') {
      this.warn(
        'A controller made without `server: true` renders on a server: all requests share its data. Make one for each request: new Controller({ server: true }).',
      )
    }
  }

  /** Invalidates a key in all forms. */
  invalidate(key: string, schema: Schema): void {
    this.store.entry(key, schema)
    this.store.markKey(key, 'invalid', this.act('invalidate', key))
  }

  /** Marks all keys of an endpoint, with a guarded test, at a number of its own or at that of a mutation. */
  markAll(owner: KeyTest, severity: Mark['severity'], at: number = this.#mark(severity, owner.keyPattern)): void {
    const testKey = (key: string): boolean => guarded(this.report, 'testKey', key, () => owner.testKey(key)) ?? false
    this.#observers.markAll({ owner: owner.keyPattern ?? owner, severity, at, testKey })
  }

  /** Marks an entity's row, or all of its kind, so that dependent data is fetched again. */
  markBy(entity: EntityInterface, pk: string | number | undefined, severity: Mark['severity']): void {
    const { kind } = this.store.infos.of(entity)
    const at = this.#mark(severity, `${entity.key} ${pk ?? '*'}`)
    if (pk === undefined) {
      this.store.markKind(kind, severity, at)
      return
    }
    // If a request in flight may load the row, it is created for the mark.
    const row = this.network.flights.size > 0 ? kind.row(`${pk}`) : kind.rows.get(`${pk}`)
    if (row) this.store.commit({ [severity]: [row], by: at })
  }

  /** Returns the number of a mark, which is later than all requests sent so far. */
  #mark(severity: Mark['severity'], key: string | undefined): number {
    return this.act(severity === 'stale' ? 'expire' : 'invalidate', key)
  }

  // — ends —

  /** Empties the store; observers start over. */
  reset(reasonOf: (flight: Flight) => Error): void {
    this.network.abortAll(reasonOf, () => {
      this.retention?.dispose()
      this.store.reset()
    })
    this.#observers.restart()
    this.events.emit('reset', { epoch: this.network.epoch })
  }

  close(reasonOf: (flight: Flight) => Error): void {
    this.closed = new DisposedError('a read')
    this.retention?.dispose()
    this.retention = undefined
    this.#observers.dispose()
    this.sources?.dispose()
    this.network.abortAll(reasonOf)
    this.events.clear()
  }

  // — what happens —

  /** Emits the event of an action of the application or the page, and returns its sequence number. */
  act(type: ActionEvent['type'], key?: string, id: number = this.store.sequence.next()): number {
    if (this.events.hears('action')) this.events.emit('action', withHidden({ id, type }, { key }))
    return id
  }

  /** Emits the event of a commit after observers were notified. */
  committed({ entries, stale, isUnchanged, hasChanged, record }: Notification, notified: readonly object[]): void {
    if (hasChanged) this.retention?.scheduleSweep()
    // Server state below a layer may have been replaced without a visible change.
    if (isUnchanged && !record?.written.size) return
    if (record === undefined && !this.events.hears('commit')) return
    const told = withHidden({}, { keys: [...entries.keys()].map(({ key }) => key) })
    const event = record?.tell({ entries, stale, notified, event: told }, this.report) ?? told
    if (!isUnchanged) this.events.emit('commit', event)
  }

  onEvent(event: NetworkEvent): void {
    const { type, flight, ...facts } = event
    const { error } = facts
    this.#observers.requested(flight.key, type === 'fetch')
    if (this.events.hears(type)) {
      const request = requestEvent(flight, type === 'fetch' ? {} : { ...facts, done: flight.done })
      this.events.emit(type, (type === 'fetch' ? request : withHidden(request, { sent: flight.sent })) as never)
    }
    if (type !== 'settle' || error === undefined || error === flight.reportedError || !this.events.hears('error'))
      return
    // An aborted request was ended by the application: by its caller, a reset or a disposal.
    if (!flight.abort.signal.aborted) this.events.emit('error', { error, request: requestEvent(flight, {}) })
  }
}

/** Returns the facts of a request for an event. Fields that may contain credentials are not enumerable. */
function requestEvent<Facts extends object>(
  { key, endpoint, args, start: id, cause }: Flight,
  facts: Facts,
): RequestEvent & Facts {
  return withHidden({ name: safeUrl(endpoint.name ?? ''), id, cause, ...facts }, { key, endpoint, args })
}

/** Throws if an option is not a function. */
function checkFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return
  throw new OptionError(name, `must be a function, found ${describe(value)}: pass a function.`)
}

function checkParts({ retry, parts }: RuntimeOptions): void {
  if (retry !== undefined && typeof retry !== 'object') {
    const remedy = `import { retry } and write retry: retry(${typeof retry === 'number' ? retry : 2})`
    throw new OptionError('retry', `must be the result of retry(), found ${describe(retry)}: ${remedy}.`)
  }
  if (parts !== undefined && !Array.isArray(parts)) {
    throw new OptionError('parts', `must be a list, found ${describe(parts)}: write parts: [http({ … })].`)
  }
}

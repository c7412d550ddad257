import type { KeyReplacer, PageStep } from '../commit/list-engine.js'
import type { RequestPart } from '../endpoint/options.js'
import { partsOf } from '../endpoint/part.js'
import { emptyBody, policyOf } from '../respond.js'
import { listIn } from '../rest/accessors.js'
import { isSchemaObject } from '../schema/schema.js'
import { Change } from '../table/change.js'
import { soleRow } from '../table/refs.js'
import { type ResponseInfo, TOMBSTONE } from '../table/value.js'
import { CallbackError } from '../util/errors.js'
import { bodyFields } from '../util/plain.js'
import { guarded, isMissing } from '../util/thrown.js'
import { takeTransferred } from '../util/transfer.js'
import { rowsInDoubt, storeOptimistic } from './empty-response.js'
import { type Entry, type PageRequest, readAt, timesOf } from './entry.js'
import {
  type Call,
  Flight,
  type FlightOwner,
  type FlightReceived,
  type FlightResult,
  type FlightSubscriber,
  type NetworkOptions,
  requestKeyOf,
} from './flight.js'
import { warnOfOtherList } from './other-list.js'
import { warnOfOther } from './other-row.js'
import { abortErrorOf, asError, send } from './request.js'
import type { Store } from './store.js'

/** Requests in flight: one per read key, and one per mutation. Each settles exactly once. */
export class Network implements FlightOwner {
  readonly store: Store
  readonly options: NetworkOptions
  /** The newest read of each key. */
  readonly #reads = new Map<string, Flight>()
  /** Requests in flight. */
  readonly flights: Set<Flight> = new Set()
  /** The sequence number at which the last mutation ended: an explicit read joins no flight that started before it. */
  #fence = 0
  /** The outermost part of mutations, and of reads that may name a row in creation. Created once there are lists. */
  keyReplacer: KeyReplacer<Flight> | undefined
  /** The number of times that all requests were ended. Each reset of the store ends them. */
  epoch = 0

  constructor(store: Store, options: NetworkOptions) {
    this.store = store
    this.options = options
  }

  /** Returns a request of a key in flight: its newest read, or else a request for a page. */
  flightOf(key: string): Flight | undefined {
    const read = this.#reads.get(key)
    if (read !== undefined) return read
    for (const flight of this.flights) if (flight.key === key) return flight
    return undefined
  }

  /** Returns a call with the real key in place of a temporary one, once the real key is known. */
  realCall(call: Call): Call {
    const { endpoint } = call
    const args = call.key.includes('optimistic') ? this.keyReplacer?.realArgs(call.args) : undefined
    return args === undefined || args === call.args ? call : { endpoint, args, key: endpoint.key(...(args as never)) }
  }

  /** Subscribes to the key's read in flight if it may be joined, or else to a new flight. */
  join(call: Call, subscriber: FlightSubscriber): Flight | undefined {
    const { endpoint, key } = call
    const { signal } = subscriber
    if (signal?.aborted) {
      subscriber.fail(abortErrorOf(signal))
      return undefined
    }
    const entry = endpoint.sideEffect === true ? undefined : this.store.entry(key, endpoint.schema)
    let requestKey = key
    if (entry !== undefined)
      try {
        requestKey = requestKeyOf(call, entry.row.pk)
      } catch (cause) {
        const error = new CallbackError('requestKey', key, { cause })
        subscriber.fail(this.refuse({ endpoint, entry }, error, this.store.sequence.next()))
        return undefined
      }
    const pending = entry && this.#reads.get(requestKey)
    const isJoined = pending !== undefined && (subscriber.joinsAny || pending.start > this.#fence)
    const flight = isJoined ? pending : this.#open(call, { entry, requestKey, cause: subscriber.cause })
    flight.subscribers.add(subscriber)
    // In a `RequestInit`, null means no signal.
    if (signal) {
      const onAbort = (): void => {
        subscriber.fail(abortErrorOf(signal))
        this.leave(flight, subscriber, true)
      }
      signal.addEventListener('abort', onAbort)
      subscriber.dispose = () => signal.removeEventListener('abort', onAbort)
    }
    if (flight !== pending) this.#start(flight)
    return flight
  }

  /** Removes a subscriber. Aborts the request after the last one if `must` is true or its endpoint has `abortOnUnused`. */
  leave(flight: Flight, subscriber: FlightSubscriber, must: boolean): void {
    if (!flight.subscribers.delete(subscriber)) return
    subscriber.dispose?.()
    if (flight.isOver || flight.subscribers.size > 0) return
    if (!must && flight.endpoint.abortOnUnused !== true) return
    flight.abort.abort()
    const error = abortErrorOf(flight.abort.signal)
    flight.mayBeDone ||= flight.sentAt !== undefined && flight.wasSent !== false
    this.#close(flight, error)
    this.#rollBack(flight)
    this.#end(flight, error)
  }

  /**
   * Ends all requests and ignores their responses. Waiting callers are rejected after `empty`, so that whatever they do or
   * send then happens on the emptied store.
   */
  abortAll(reasonOf: (flight: Flight) => Error, empty?: () => void): void {
    this.epoch++
    const ended = [...this.flights].map((flight) => [flight, reasonOf(flight)] as const)
    for (const [flight, reason] of ended) this.#close(flight, reason)
    this.#fence = 0
    empty?.()
    for (const [flight, reason] of ended) {
      flight.abort.abort(reason)
      this.#end(flight, reason)
    }
  }

  #open(call: Call, facts: Pick<Flight, 'entry' | 'requestKey' | 'cause'>): Flight {
    const flight = new Flight(this, call, facts)
    const { entry, requestKey } = flight
    this.flights.add(flight)
    if (entry === undefined) return flight
    this.#reads.set(requestKey, flight)
    entry.requestedAt = this.options.clock.mono()
    return flight
  }

  #start(flight: Flight): void {
    this.options.onEvent({ type: 'fetch', flight })
    // A listener may have reset the store, which ends the flight; so may its optimistic response.
    if (flight.isOver) return
    try {
      // This comes first, since the other parts read the arguments.
      if (this.keyReplacer && flight.parts.includes(this.keyReplacer)) this.keyReplacer.hold(flight)
      for (const part of flight.parts) part.prepare?.(flight)
      if (flight.isOver) return
      flight.layer = flight.isMutation ? this.options.layerOf(flight) : undefined
      if (flight.layer !== undefined) {
        this.store.commit({ push: flight.layer, by: flight.start })
        // The layer may have created a row in the first list, so the key replacer is needed now.
        if (this.keyReplacer === undefined) flight.parts = this.partsOf(flight)
      }
      if (flight.layer?.error !== undefined) throw flight.layer.error
      if (flight.isOver) {
        // The layer was created after the request had already been ended.
        this.#rollBack(flight)
        return
      }
    } catch (error) {
      this.#fail(flight, asError(error, flight))
      return
    }
    // The code loads while the request is in flight.
    if (flight.endpoint.schema) this.#loadPages(flight)
    send(flight).then(
      async (data) => {
        const loading = flight.endpoint.schema && this.#loadPages(flight)
        if (loading) await loading
        this.#succeed(flight, data)
      },
      (error: Error) => this.#fail(flight, error),
    )
  }

  /** Loads the code that refreshes lists page by page, if the response may need it. */
  #loadPages({ endpoint }: Flight): Promise<void> | undefined {
    if ('nextPage' in endpoint) return listIn(endpoint.schema)?.engine.loadPages()
    // A request for one page refreshes no others.
    return this.store.table.hasPages && !endpoint.requestKey ? this.store.lists?.loadPages() : undefined
  }

  #succeed(flight: Flight, data: unknown): void {
    if (flight.isOver) return
    const { sequence } = this.store
    if (flight.isMutation) flight.done = sequence.next()
    const { endpoint } = flight
    const response = flight.answer?.response ?? this.#factsOf(flight)
    let change: Change | undefined
    let received: FlightReceived
    let step: PageStep<PageRequest> | undefined
    try {
      change =
        flight.answer?.change ?? this.store.changeOf(flight, data, endpoint.transfers === true || takeTransferred(data))
      if (change === undefined && !flight.isMutation) throw emptyBody(flight.endpoint, flight.key)
      received = { data, response, change }
      if (flight.after !== undefined) for (const list of change?.lists ?? []) list.after = flight.after
      // Only schemas have lists.
      if (change !== undefined && endpoint.schema && flight.entry !== undefined)
        step = this.store.lists?.pageStep?.(flight, change, flight.entry, this.store)
      for (const part of flight.parts) part.read?.(flight, received)
    } catch (error) {
      flight.mayBeDone = true
      this.#fail(flight, asError(error, flight))
      return
    }
    // A user's function may have reset the store.
    if (flight.isOver) return
    try {
      const epoch = this.epoch
      this.#close(flight)
      const removed = change && flight.isMutation ? removedBy(flight, change, this.store) : undefined
      const stored = this.store.batch(() => {
        const result = this.#write(flight, change, response)
        this.#tellParts(flight, (part) => part.wrote?.(flight, received))
        return result
      })
      if (process.env.NODE_ENV !== 'production') {
        warnOfOther(flight, change?.result, this.options.warn)
        if (change) warnOfOtherList(flight, change, this.options.warn)
      }
      const page = flight.endpoint.requestKey && change && this.store.lists?.pageMembers(change)
      const result: FlightResult = { data, stored, isWritten: change !== undefined, page, removed }
      // A subscriber may have reset the store.
      if (epoch === this.epoch && step) this.#fetchFurther(flight, step, result)
      this.#end(flight, undefined, result)
    } catch (error) {
      this.#deliver(flight, asError(error, flight))
    }
  }

  partsOf({ endpoint, cause, isMutation }: Flight): readonly RequestPart[] {
    const parts = partsOf(endpoint, this.options.parts)
    const own = cause.type === 'batch' ? parts.filter(({ forMember }) => !forMember) : parts
    if (isMutation) this.keyReplacer ??= this.store.lists?.temporaryKeys(this.flights)
    return this.keyReplacer && (isMutation || this.keyReplacer.isNeeded) ? [...own, this.keyReplacer] : own
  }

  /** Calls a hook of each part and reports its errors. */
  #tellParts(flight: Flight, tell: (part: RequestPart) => void): void {
    for (const part of flight.parts) guarded(this.store.report, part.name, flight.key, () => tell(part))
  }

  /** Removes the layer and writes the response, in one commit. Returns the stored result. */
  #write(flight: Flight, change: Change | undefined, response: ResponseInfo): unknown {
    const store = this.store
    const { layer: settle, start: by } = flight
    if (change === undefined) {
      const { result, ...optimistic } = storeOptimistic(flight, store)
      store.commit({ settle, response, by, ...optimistic })
      return result
    }
    if (flight.entry === undefined) store.commit({ settle, change, response, by })
    else store.keepRead(flight.entry, change, response, flight)
    return change.result
  }

  /** Requests the next page of a refresh. Subscribers of the list wait for all pages. */
  #fetchFurther(flight: Flight, { next, refresh }: PageStep<PageRequest>, result: FlightResult): void {
    // Only reads have pages.
    const entry = flight.entry as Entry
    const by = refresh.start
    // A later refresh requests all pages itself.
    if (flight.refresh && entry.refresh !== by) return
    entry.refresh = by
    const requestKey = requestKeyOf(next, entry.row.pk)
    const following = this.#open({ ...next, key: entry.key }, { entry, requestKey, cause: { type: 'page', by } })
    following.refresh = refresh
    for (const subscriber of flight.subscribers) {
      following.subscribers.add({
        ...subscriber,
        settle: () => subscriber.settle?.(result),
        dispose: () => subscriber.dispose?.(),
      })
    }
    flight.subscribers.clear()
    this.#start(following)
  }

  #fail(flight: Flight, error: Error): void {
    if (!flight.isOver) this.#deliver(flight, error)
  }

  /** Ends a flight with an error: removes its layer, stores a read's error, and notifies subscribers. */
  #deliver(flight: Flight, error: Error): void {
    const store = this.store
    if (!flight.isOver) this.#close(flight, error)
    let reported = error
    store.batch(() => {
      this.#rollBack(flight)
      if (!isLonePage(flight))
        reported = this.refuse(flight, error, flight.start, !this.#deleteDoubted(flight, error) && isForNobody(flight))
    })
    this.#end(flight, reported)
  }

  /** Deletes a contested row for which the server responded with 404 or 410. Returns true if it did. */
  #deleteDoubted({ cause, endpoint: { schema }, entry, args, start }: Flight, error: Error): boolean {
    if (cause.type !== 'contested' || !isMissing(error)) return false
    const { store } = this
    const row = soleRow(schema, entry?.row.value ?? store.views.lookupQuietly(schema, args), store)
    // A list is not deleted: the status is that of its parent.
    if (!row || row.list) return false
    const change = new Change()
    change.write(row, TOMBSTONE, undefined)
    store.commit({ change, response: readAt(this.options.env, start, 0), by: start })
    return true
  }

  /**
   * Removes the layer of a mutation that has failed. If the server may have applied it all the same, the rows and lists that
   * it names are stale.
   */
  #rollBack(flight: Flight): void {
    const { store } = this
    const { layer, start: by, isMutation, mayBeDone } = flight
    const settle = layer && store.layers.includes(layer) ? layer : undefined
    const stale = isMutation && mayBeDone ? rowsInDoubt(flight, store) : []
    if (settle || stale.length > 0) store.commit({ settle, stale, response: this.#factsOf(flight), by })
  }

  #factsOf(flight: Flight): ResponseInfo {
    const { start, done, isMutation: mutation, heldUntil, endpoint } = flight
    const lifetime = endpoint.dataExpiryLength ?? this.options.dataExpiryLength
    const { journal, sequence } = this.store
    // Only the order of overlapping requests depends on them.
    const overlaps = mutation && (journal.entries.length > 0 || sequence.oldest(start) < done)
    const names = overlaps ? namesIn(flight) : undefined
    return { start, done, mutation, heldUntil, names, ...timesOf(this.options.env, lifetime) }
  }

  /** Stores a read's error, unless there is a newer response; returns the error for the caller. */
  refuse({ endpoint, entry }: Pick<Flight, 'endpoint' | 'entry'>, error: Error, start: number, isSoft = false): Error {
    if (entry === undefined) return error
    let reported = error
    let policy: 'soft' | undefined
    try {
      const softness = isSoft ? 'soft' : policyOf(endpoint, error, entry, partsOf(endpoint, this.options.parts))
      policy = softness && 'soft'
      if (typeof softness === 'object' && entry.response) entry.response.shownUntil = softness.shownUntil
    } catch (broken) {
      // `policyOf` throws only CallbackErrors.
      reported = broken as Error
    }
    const times = timesOf(this.options.env, endpoint.errorExpiryLength ?? this.options.errorExpiryLength)
    this.store.refuse(entry, { error: reported, policy, start, ...times })
    return reported
  }

  /** Removes the flight before anyone is notified, so that a listener may start another one for its key. */
  #close(flight: Flight, error?: Error): void {
    flight.isOver = true
    if (flight.isMutation) flight.done ||= this.store.sequence.next()
    this.flights.delete(flight)
    if (this.#reads.get(flight.requestKey) === flight) this.#reads.delete(flight.requestKey)
    this.store.sequence.end(flight.start)
    this.#fence = Math.max(flight.done, this.#fence)
    // The first page has renewed the list, but this page and those behind it are still old.
    const { entry } = flight
    if (error && flight.refresh && entry) entry.stale = Math.max(entry.stale, flight.start)
    this.#tellParts(flight, (part) => part.settled?.(flight, error))
  }

  /** Gives all subscribers the result or the error, then reports the end of the flight. */
  #end(flight: Flight, ...[error, result]: readonly [Error] | readonly [undefined, FlightResult]): void {
    const subscribers = [...flight.subscribers]
    flight.subscribers.clear()
    for (const subscriber of subscribers) {
      subscriber.dispose?.()
      if (error === undefined) subscriber.settle?.(result)
      else subscriber.fail(error)
    }
    this.store.prune()
    this.options.onEvent({ type: 'settle', flight, error })
  }
}

/**
 * Builds the data that a deletion is about to remove, without the deletion's own optimistic layer; undefined for other
 * schemas. The returned function rethrows an error of building it.
 */
function removedBy({ endpoint, args, start }: Flight, { result }: Change, store: Store): (() => unknown) | undefined {
  const { schema } = endpoint
  if (!isSchemaObject(schema) || schema.deletes !== true) return undefined
  try {
    const view = store.views.show(schema, args, result, undefined, { valueOf: (row) => store.below(row, start) })
    return () => view
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/**
 * Returns the fields that a mutation's body or optimistic response names, with their values, or null for several; undefined
 * without either.
 */
function namesIn({ args, sent, expected }: Flight): ReadonlyMap<string, unknown> | undefined {
  const hasBody = sent === undefined ? args.length > 1 : (sent.body ?? undefined) !== undefined
  if (!hasBody && expected === undefined) return undefined
  const names = new Map<string, unknown>()
  for (const named of [hasBody ? args.at(-1) : undefined, ...(expected?.records ?? [])])
    for (const [name, value] of bodyFields(named))
      names.set(name, names.has(name) && names.get(name) !== value ? null : value)
  return names.size > 0 ? names : undefined
}

/** True for a page of a loaded list: only its caller gets the error, since its key is that of the list. */
function isLonePage({ endpoint, refresh, entry }: Flight): boolean {
  return endpoint.requestKey !== undefined && refresh === undefined && entry?.response !== undefined
}

/**
 * True if all subscribers are polls or refetches of contested rows: a failure then leaves the screen as it is.
 */
function isForNobody({ subscribers }: Flight): boolean {
  for (const { cause } of subscribers) if (cause.type !== 'poll' && cause.type !== 'contested') return false
  return subscribers.size > 0
}

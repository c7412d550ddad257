import { keyOf } from '../client/arguments.js'
import { abortError } from '../endpoint/abort.js'
import type { Exchange, PartRequest, RequestPart } from '../endpoint/options.js'
import { isGone } from '../endpoint/retry.js'
import { Flight, type FlightReceived } from '../engine/flight.js'
import { keptOf, resumeBy } from '../http/kept.js'
import { newUuid } from '../util/env.js'
import { CreationError, DisposedError, ResetError } from '../util/errors.js'
import { isNotDone, toError } from '../util/thrown.js'
import { answerOf, factsOf, meaningOf, pauseAfter, responseOf } from './answers.js'
import type { CourierHost } from './courier-host.js'
import { endFlight, type Item, Items, keptSince, laneOf, markRefused, newItem, rowsOf, untilTold } from './items.js'
import { type Answer, creationsIn, type Mutation, type Step, withRealKeys, withStep } from './mutation.js'
import { askForDeleted, keepDeleted } from './repeated.js'
import { StorageError } from './storage-error.js'

/**
 * Sends the mutations of the outbox: each takes effect once, in order per URL, whatever happens to the page and the
 * network.
 */
export class Courier {
  readonly items: Items = new Items()
  readonly getSnapshot: Items['getSnapshot'] = this.items.getSnapshot
  readonly subscribe: Items['subscribe'] = this.items.subscribe
  readonly #host: CourierHost
  readonly #ofFlight = new WeakMap<object, Item>()
  /** The one whose flight is being opened. */
  #opening: Item | undefined
  /** True after a 401, until `resume`. */
  isPaused = false
  #isOver = false
  #timer: unknown
  /** True once it has requested the lock, and then the function that releases it. */
  #hasAsked = false
  #release: (() => void) | undefined

  constructor(host: CourierHost) {
    this.#host = host
  }

  get env(): PartRequest['env'] {
    return this.#host.registry.runtime.env
  }

  // — as a part of requests —

  readonly part: RequestPart = {
    name: 'outbox',
    prepare: (request) => this.#prepare(request),
    request: (request, next) => this.#send(request, next),
    repeat: (request, next) => {
      const item = this.#ofFlight.get(request)
      return item === undefined ? next() : untilTold(item, request, next)
    },
    exchange: (exchange, next) => this.#exchange(exchange, next),
    read: (request, received) => {
      // Only flights are read and written.
      if (this.#ofFlight.get(request)?.isRepeat) keepDeleted(received as FlightReceived)
    },
    wrote: (request, received) => {
      const item = this.#ofFlight.get(request)
      if (item?.told !== undefined) this.#host.onTold()
      if (item?.isRepeat) askForDeleted(request as Flight, received as FlightReceived)
    },
    settled: (request, error) => this.#settled(request, error),
  }

  #prepare(request: PartRequest): void {
    if (!(request instanceof Flight)) return
    const opening = request.isMutation ? this.#opening : undefined
    const creations = [...creationsIn(request.args)]
    // The real key of a row whose creation is missing will never be known.
    const [, lost] = creations.find(([id]) => this.items.get(id)?.flight === undefined) ?? []
    const error = lost && new CreationError(request.key, lost, 'an earlier page')
    if (error && !opening) throw error
    const name = opening?.mutation.name ?? this.#host.nameOf(request.endpoint)
    if (!request.isMutation || name === undefined) return
    this.#opening = undefined
    const item = opening ?? this.#newItem(name, request)
    item.flight = request
    item.error = item.told = undefined
    this.#ofFlight.set(request, item)
    const { id, at, kept } = item.mutation
    this.#host.flights.note(id, request.start)
    if (error) throw error
    request.label = id
    request.fetchedAt = at
    // Responses that arrive before it is sent lie below it.
    request.heldUntil = Infinity
    // After all parts have prepared it.
    queueMicrotask(() => {
      this.items.changed()
      if (opening === undefined) void this.#store(item, request)
      else if (kept !== undefined) resumeBy(request, kept)
    })
    this.items.changed()
  }

  #newItem(name: string, request: Flight): Item {
    const { args } = request
    const { all } = this.items
    const lane = laneOf(request)
    const waits = this.#isHeld || creationsIn(args).size > 0 || all.some((other) => this.#laneOf(other) === lane)
    // Nobody has to doubt whether it was sent if its first attempt waits for the log.
    const isTried = waits ? false : undefined
    const mutation: Mutation = { id: newUuid(), name, args, at: this.env.now(), attempts: 0, isTried, kept: undefined }
    const item = newItem(mutation, Infinity)
    this.items.add(item)
    return item
  }

  /** It is on disk before its first byte is sent, with the data that its parts need. */
  async #store(item: Item, flight: Flight): Promise<void> {
    item.mutation = { ...item.mutation, kept: keptOf(flight, this.#host.isSecret) }
    item.number = await this.#host.write([['add', item.mutation.id, item.mutation]], true)
    if (item.status === 'storing') item.status = 'waiting'
    this.items.changed()
    this.pump()
  }

  async #send(request: PartRequest, next: () => Promise<unknown>): Promise<unknown> {
    const item = this.#ofFlight.get(request)
    if (item === undefined) return next()
    const flight = request as Flight
    const { store } = flight.owner
    const stopIfOver = (): void => {
      if (flight.isOver || flight.signal.aborted) throw abortError(flight.signal.reason)
    }
    for (let isFirst = true; ; isFirst = false) {
      // Writes made while it waits are over when it is sent, so they never overlap.
      flight.heldUntil = Infinity
      store.sequence.end(flight.start)
      store.prune()
      // Others may have been answered during the last attempt: the next one comes after them.
      if (!isFirst && flight.layer !== undefined) {
        flight.layer.dirty = true
        store.commit({ by: flight.start })
      }
      await this.#turn(item)
      stopIfOver()
      item.isOwn = item.told === undefined
      if (item.isOwn) await this.#count(item)
      // The log may be slow, and another flight may have taken over since.
      stopIfOver()
      const { sentAt } = item
      item.isRepeat = sentAt !== undefined
      flight.heldUntil = store.sequence.now
      item.sentAt ??= flight.heldUntil
      store.sequence.resume(flight.start)
      try {
        // Where all send, another tab may be faster.
        const answer = item.told ?? (await Promise.race([next(), waiting(item)]))
        if (!item.told) return answer
      } catch (error) {
        if (!item.told && item.isRepeat && isGone(request, error)) {
          item.answer = 1
          return null
        }
        if (isNotDone(error)) item.sentAt = sentAt
        // If an attempt fails while another tab reports its own, the failure means nothing.
        if (flight.isOver || !(item.told || this.#maySucceed(item, flight, error))) throw error
      } finally {
        // The answer may be as old as the first attempt that has none.
        flight.heldUntil = item.sentAt ?? Infinity
        // Since a reset it may have another flight, which waits.
        if (item.flight === flight) item.end = undefined
      }
      if (!item.told) continue
      if (item.told instanceof Error) throw item.told
      // Its text is not known, or it has no HTTP response.
      return item.told === 1 ? undefined : next()
    }
  }

  /** Resolves when it may be sent, or when another tab reports how it ended. */
  #turn(item: Item): Promise<void> {
    item.isOwn = false
    if (item.status !== 'storing') item.status = 'waiting'
    const turn = waiting(item)
    this.items.changed()
    if (item.told || item.flight?.signal.aborted) item.end?.()
    else this.pump()
    return turn
  }

  /**
   * The attempt is counted before it is made, so a mutation that crashes the page is eventually refused: the first one
   * of a new mutation meanwhile, if it is sent at once.
   */
  async #count(item: Item): Promise<void> {
    const { id, attempts, isTried } = item.mutation
    if (attempts >= this.#host.maxAttempts)
      throw new StorageError(`has a mutation that was sent ${attempts} times without an answer`)
    const step: Step = ['try', id, attempts + 1, true]
    item.mutation = withStep(item.mutation, step)
    item.status = 'sending'
    item.answer = 1
    this.items.changed()
    const isUnnoted = item.isMade && isTried === undefined
    item.counted = this.#host.write([step], !isUnnoted)
    if (!isUnnoted) await item.counted
  }

  /** True if it is to be sent again, at a time that is noted. */
  #maySucceed(item: Item, flight: Flight, error: unknown): boolean {
    const { isPassing, counts, isSignedOut, wait } = meaningOf(error, this.env.now())
    const { mutation } = item
    // Steps that do not concern this mutation do not count.
    if (!isPassing || (counts && mutation.attempts >= this.#host.maxAttempts)) return false
    item.error = factsOf(error, item.answer)
    const step: Step = ['try', mutation.id, mutation.attempts - (counts ? 0 : 1), item.sentAt !== undefined]
    item.mutation = withStep(mutation, step)
    const steps: Step[] = counts ? [] : [step]
    if (isSignedOut) {
      this.isPaused = true
      steps.push(['pause', mutation.id])
    } else {
      const pause = pauseAfter(item.failures, this.env)
      item.failures += 1
      item.notBefore = this.env.mono() + Math.max(pause, wait)
    }
    void this.#host.write(steps, false)
    flight.repeats(toError(error, flight.key), isSignedOut)
    return true
  }

  async #exchange({ request, init }: Exchange, next: (init: RequestInit) => Promise<Response>): Promise<Response> {
    const item = this.#ofFlight.get(request)
    if (item === undefined) return next(init)
    if (Array.isArray(item.told)) return responseOf(item.told as Exclude<Answer, 0 | 1>)
    const headers = new Headers(init.headers)
    headers.set('idempotency-key', item.mutation.id)
    const response = await next({ ...init, headers })
    await item.counted
    // This tab also records why it was refused.
    item.answer = this.#host.tabs || !response.ok ? await answerOf(response) : 1
    return response
  }

  /** It leaves the outbox in the record that contains its rows. */
  #settled(request: PartRequest, error: Error | undefined): void {
    const item = this.#ofFlight.get(request)
    if (item === undefined || this.items.get(item.mutation.id) !== item) return
    const { id } = item.mutation
    const { createdKeys = [] } = request as Flight
    const isGivenUp = error?.name === 'AbortError'
    item.flight = item.end = undefined
    item.isOwn = false
    if (error instanceof ResetError || error instanceof DisposedError) {
      // It waits for a sign-in, or for the next start.
      item.status = 'waiting'
    } else if (error === undefined || isGivenUp || (item.told && !(item.told instanceof Error))) {
      this.items.delete(item)
      const end: Step = ['end', id, [...createdKeys], isGivenUp ? 0 : item.answer]
      // The tab that reported it has written it.
      if (!item.told) void this.#host.write([end, ...keptSince(this.items, this.#host.isSecret)], false)
    } else this.#refuse(item, error, request as Flight)
    item.over?.()
    this.items.changed()
    this.pump()
  }

  #refuse(item: Item, error: Error, flight?: Flight): void {
    const facts = factsOf(error, item.answer)
    const rows = rowsOf(flight)
    markRefused(item, facts, rows)
    if (item.told) return
    void this.#host.write([['refuse', item.mutation.id, facts, rows]], false)
    if (flight && item.sentAt !== undefined) flight.mayBeDone = true
  }

  // — whose turn it is —

  get #isHeld(): boolean {
    return this.isPaused || !this.env.isOnline()
  }

  /** Those whose turn it is go on. */
  readonly pump = (): void => {
    if (this.#isOver) return
    const env = this.env
    const takesTurns = this.#host.tabs?.alone !== undefined
    env.clearTimeout(this.#timer)
    const { all } = this.items
    // A mutation that is sent again may precede another one in flight.
    const busy = new Set<string | undefined>(
      all.flatMap(({ flight, isOwn }) => (flight && isOwn ? laneOf(flight) : [])),
    )
    const isHeld = this.#isHeld
    let next = Infinity
    let needsLock = false
    for (const item of all) {
      if (item.told) continue
      const lane = this.#laneOf(item)
      const isFree = !busy.has(lane)
      busy.add(lane)
      if (item.flight === undefined) continue
      needsLock ||= takesTurns && (item.isOwn || (item.end !== undefined && !isHeld))
      if (item.isOwn || item.end === undefined || isHeld || !isFree || item.number > this.#host.positions.known)
        continue
      if (takesTurns && this.#release === undefined) continue
      if (item.notBefore > env.mono()) next = Math.min(next, item.notBefore)
      else {
        const { end } = item
        item.end = undefined
        item.isOwn = true
        end()
      }
    }
    if (next < Infinity) this.#timer = env.setTimeout(this.pump, next - env.mono(), true)
    if (!needsLock) {
      this.#release?.()
      // Mutations that become ready in the same turn ask again.
      this.#release = undefined
    } else if (!this.#hasAsked) this.#ask()
  }

  /** A mutation set aside by a reset goes before later ones of its URL; a refused one is not sent. */
  #laneOf({ flight, status, mutation }: Item): string | undefined {
    if (flight !== undefined) return laneOf(flight)
    const endpoint = status === 'waiting' ? this.#host.endpointOf(mutation.name) : undefined
    return endpoint && laneOf({ endpoint, args: withRealKeys(mutation, this.items.realKeys).args, key: '' })
  }

  /** One tab sends, and only while mutations wait, because a page that holds a lock cannot enter the back/forward cache. */
  #ask(): void {
    this.#hasAsked = true
    this.#host.tabs?.alone?.(async () => {
      // The previous tab may have sent and reported them all.
      if (!this.#isOver) await this.#host.readOn()
      await new Promise<void>((release) => {
        this.#release = release
        if (this.#isOver) release()
        else this.pump()
      })
      this.#release = undefined
      // How they ended is in the log before another tab reads it.
      if (!this.#isOver) await this.#host.readOn()
      this.#hasAsked = false
      // New mutations may have arrived.
      queueMicrotask(this.pump)
    })
  }

  // — what the log has, and what the application wants —

  /** Notes what other tabs may have sent by now, which a record has told. */
  noteTried(now: number): void {
    this.items.noteTried(now, this.#release !== undefined)
  }

  /** Takes over one that the log has, at a place among the others, and sends it; unless `shows`, only after `resume`. */
  admit(mutation: Mutation, number: number, shows = true, place?: number): void {
    const item = newItem(withRealKeys(mutation, this.items.realKeys), number)
    this.items.add(item, place)
    if (shows && item.status === 'waiting') this.#open(item)
  }

  /** Opens a flight, which shows its optimistic change at once. */
  #open(item: Item): void {
    const { mutation } = item
    if (this.items.isAside(mutation)) return
    const endpoint = this.#host.endpointOf(mutation.name)
    const { network, store } = this.#host.registry.runtime
    try {
      if (endpoint === undefined)
        throw new StorageError(`has a mutation of ${mutation.name}, which the outbox does not name`)
      const call = { endpoint, args: mutation.args, key: keyOf(endpoint, mutation.args) }
      this.items.queue(item, this.#laneOf(item))
      // Layers are in log order in all tabs: one of this tab may be later in the log, or not there yet.
      const { all } = this.items
      const later = all.slice(all.indexOf(item)).find(({ flight }) => flight !== undefined)?.flight
      const startsAt = later && this.items.startBefore(later.start)
      if (startsAt) for (const layer of store.layers) layer.dirty ||= layer.start > startsAt
      this.#opening = item
      network.join(startsAt ? { ...call, startsAt } : call, {
        // A flight that names a row that was never created fails before it is prepared.
        fail: (error) => this.#opening === item && this.#refuse(item, error),
        cause: { type: 'call' },
      })
    } catch (error) {
      // A later version of the application may know what to do with it.
      item.status = 'refused'
      item.error = factsOf(error)
      if (error instanceof StorageError) this.#host.report(error)
    } finally {
      this.#opening = undefined
    }
  }

  resume(isTold = false): void {
    this.isPaused = false
    if (!isTold && this.#host.tabs) void this.#host.write([['resume', '']], false)
    for (const item of this.items.all) if (item.flight === undefined && item.status === 'waiting') this.#open(item)
    this.items.changed()
    this.pump()
  }

  /** Sends a refused one again, with those that were refused because of it, or that it needs. */
  retry(id: string): void {
    for (const item of this.items.below(id, true)) {
      if (item.status !== 'refused') continue
      this.again(item, Infinity)
      void this.#host.write([['retry', item.mutation.id]], false).then((record) => {
        item.number = record
        this.pump()
      })
    }
    this.items.changed()
  }

  /** Sends a refused one again, after all mutations made until now. */
  again(item: Item, number: number): void {
    item.number = number
    this.items.delete(item)
    this.items.add(item)
    item.mutation = withStep(item.mutation, ['retry', item.mutation.id])
    item.failures = item.notBefore = 0
    item.status = 'waiting'
    this.#open(item)
  }

  /** Discards one, with those that name the row that it creates. */
  discard(id: string): void {
    for (const item of [...this.items.below(id)].reverse()) {
      const { flight, mutation } = item
      // A flight that ends leaves the outbox by itself.
      endFlight(item)
      if (flight !== undefined) continue
      this.items.delete(item)
      void this.#host.write([['end', mutation.id, [], 0]], false)
    }
    this.items.changed()
    this.pump()
  }

  stop(): void {
    this.#isOver = true
    this.env.clearTimeout(this.#timer)
    this.#release?.()
  }
}

/** Resolves or rejects when the waiting of a mutation is ended. */
function waiting(item: Item): Promise<void> {
  return new Promise((resolve, reject) => {
    item.end = (error) => (error === undefined ? resolve() : reject(error))
  })
}

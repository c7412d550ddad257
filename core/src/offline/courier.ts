import { keyOf } from '../client/given.js'
import type { Registry } from '../client/registry.js'
import { abortError } from '../endpoint/abort.js'
import type { EndpointInterface, PartRequest, RequestPart } from '../endpoint/options.js'
import { retryAfter } from '../endpoint/retry.js'
import { Flight } from '../engine/flight.js'
import { keptOf, resumeBy } from '../http/kept.js'
import { newUuid } from '../util/env.js'
import { DisposedError, ResetError, TimeoutError, TransportError } from '../util/errors.js'
import { type ErrorFacts, type Mutation, namesCreationOf, type Outbox, relatedTo, type Step } from './outbox.js'
import { rowName } from './row-name.js'
import { StorageError } from './storage-error.js'

/** A mutation of the outbox, as an application sees it. */
export interface OutboxEntry {
  /** A UUID for life, which the server gets as the `Idempotency-Key`. */
  readonly id: string
  /** The name of its endpoint among the option `outbox`. */
  readonly name: string
  readonly args: readonly unknown[]
  /**
   * `storing`: it is not on the disk yet. `waiting`: for the network, a pause, one before it, or a sign-in. `sending`: it is in flight.
   * `refused`: the server does not want it, and its optimistic change is gone: `retry` or `discard` it.
   */
  readonly status: 'storing' | 'waiting' | 'sending' | 'refused'
  /** How often it was sent without an answer that counts. */
  readonly attempts: number
  /** Why it was refused, or why its last attempt failed. */
  readonly error: ErrorFacts | undefined
  /** When it was made: wall clock in ms. */
  readonly at: number
  /** The rows that its optimistic change writes: the key of their entity, a space, and their primary key. */
  readonly rows: readonly string[]
}

/** What the courier needs of the manager. */
export interface CourierHost {
  readonly registry: Registry
  readonly maxAttempts: number
  /** The endpoint of a name, and the name of an endpoint. */
  endpointOf(name: string): EndpointInterface | undefined
  nameOf(endpoint: EndpointInterface): string | undefined
  /** Writes steps, in the record of the rows that are new; true when they are on the disk. */
  write(steps: readonly Step[], isDurable: boolean): Promise<boolean>
  report(error: StorageError): void
}

/** A mutation of this page. */
interface Item {
  mutation: Mutation
  status: OutboxEntry['status']
  error: ErrorFacts | undefined
  /** The flight that shows and sends it; undefined while it is refused. */
  flight: Flight | undefined
  /** When it may be sent, in monotonic ms. */
  notBefore: number
  failures: number
  /** Ends its waiting; not there while it does not wait. */
  go?: (() => void) | undefined
  fail?: ((error: Error) => void) | undefined
  isStored: boolean
}

/** The first pause after a failure, and the longest one, in ms. */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 60_000

/** Statuses of servers that are not ready, or not reached: such an attempt does not count. */
const NOT_READY: readonly unknown[] = [408, 425, 429, 502, 503, 504]

/** Sends the mutations of the outbox, each once for the server, in the order of each URL, whatever happens to page and network. */
export class Courier {
  readonly #host: CourierHost
  /** In the order in which they were made. */
  #items = new Map<string, Item>()
  readonly #ofFlight = new WeakMap<object, Item>()
  /** The one whose flight is being opened. */
  #opening: Item | undefined
  /** True after a 401 and after a reset, until `resume`. */
  #isPaused = false
  #isOver = false
  #timer: unknown
  readonly #listeners = new Set<() => void>()
  #snapshot: readonly OutboxEntry[] | undefined

  constructor(host: CourierHost) {
    this.#host = host
  }

  get #env(): PartRequest['env'] {
    return this.#host.registry.runtime.env
  }

  // — as a part of requests —

  readonly part: RequestPart = {
    name: 'outbox',
    prepare: (request) => this.#prepare(request),
    request: (request, next) => this.#send(request, next),
    exchange: ({ request, init }, next) => this.#exchange(request, init, next),
    settled: (request, error) => this.#settled(request, error),
  }

  #prepare(request: PartRequest): void {
    if (!(request instanceof Flight) || !request.isMutation) return
    const opening = this.#opening
    this.#opening = undefined
    const name = opening?.mutation.name ?? this.#host.nameOf(request.endpoint)
    if (name === undefined) return
    const item = opening ?? this.#newItem(name, request)
    item.flight = request
    item.error = undefined
    this.#ofFlight.set(request, item)
    const { id, at, kept } = item.mutation
    request.label = id
    request.fetchedAt = at
    if (opening === undefined) void this.#store(item, request)
    else {
      item.status = 'waiting'
      // After all parts have prepared it.
      queueMicrotask(() => {
        this.#changed()
        if (kept !== undefined) resumeBy(request, kept)
      })
    }
    this.#changed()
  }

  #newItem(name: string, { args }: Flight): Item {
    const mutation: Mutation = { id: newUuid(), name, args, at: this.#env.now(), attempts: 0, kept: undefined }
    const item = newItem(mutation, 'storing')
    this.#items.set(mutation.id, item)
    return item
  }

  /** Before its first byte is sent, it is on the disk, with what its parts must know of it. */
  async #store(item: Item, flight: Flight): Promise<void> {
    // After all parts have prepared it.
    await undefined
    this.#changed()
    item.mutation = { ...item.mutation, kept: keptOf(flight) }
    item.isStored = await this.#host.write([['add', item.mutation]], true)
    if (item.status === 'storing') item.status = 'waiting'
    this.#changed()
    this.#pump()
  }

  async #send(request: PartRequest, next: () => Promise<unknown>): Promise<unknown> {
    const item = this.#ofFlight.get(request)
    if (item === undefined) return next()
    // Only flights are among them.
    const flight = request as Flight
    const { sequence } = flight.owner.store
    for (;;) {
      // What happens while it waits is over when it is sent: nobody has to compare the two.
      sequence.end(flight.start)
      flight.owner.store.prune()
      await this.#turn(item)
      if (flight.isOver) throw abortError(flight.signal.reason)
      await this.#count(item)
      flight.heldUntil = sequence.now
      sequence.resume(flight.start)
      try {
        return await next()
      } catch (error) {
        if (flight.isOver || !this.#maySucceed(item, error)) throw error
      }
    }
  }

  /** Resolves when it may be sent. */
  #turn(item: Item): Promise<void> {
    if (item.status !== 'storing') item.status = 'waiting'
    return new Promise<void>((go, fail) => {
      item.go = go
      item.fail = fail
      this.#changed()
      this.#pump()
    })
  }

  /** The attempt is counted before it is made: so what kills the page ends. */
  async #count(item: Item): Promise<void> {
    const { id, attempts } = item.mutation
    if (attempts >= this.#host.maxAttempts)
      throw new StorageError(`has a mutation that was sent ${attempts} times without an answer`)
    item.mutation = { ...item.mutation, attempts: attempts + 1 }
    item.status = 'sending'
    this.#changed()
    if (item.isStored) await this.#host.write([['try', id, attempts + 1]], true)
  }

  /** True if it is to be sent again, at a time that is noted. */
  #maySucceed(item: Item, error: unknown): boolean {
    const status = statusOf(error)
    const isUnreached = status === undefined && (error instanceof TransportError || error instanceof TimeoutError)
    const wait = retryAfter(error, this.#env.now())
    const isPassing = isUnreached || NOT_READY.includes(status) || Number(status) >= 500 || (status === 409 && wait > 0)
    if (!isPassing && status !== 401) return false
    item.error = factsOf(error)
    const { mutation } = item
    // What says nothing of this mutation does not count.
    if (status !== undefined && isPassing && !NOT_READY.includes(status)) {
      if (mutation.attempts >= this.#host.maxAttempts) return false
    } else {
      item.mutation = { ...mutation, attempts: mutation.attempts - 1 }
      if (item.isStored) void this.#host.write([['try', mutation.id, mutation.attempts - 1]], false)
    }
    if (status === 401) this.#isPaused = true
    else {
      const pause = this.#env.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** item.failures)
      item.failures += 1
      item.notBefore = this.#env.mono() + Math.max(pause, wait)
    }
    return true
  }

  #exchange(
    request: PartRequest,
    init: RequestInit,
    next: (init: RequestInit) => Promise<Response>,
  ): Promise<Response> {
    const item = this.#ofFlight.get(request)
    if (item === undefined) return next(init)
    const headers = new Headers(init.headers)
    headers.set('idempotency-key', item.mutation.id)
    return next({ ...init, headers })
  }

  /** It leaves the outbox in the record of the rows that it brings. */
  #settled(request: PartRequest, error: Error | undefined): void {
    const item = this.#ofFlight.get(request)
    if (item === undefined || !this.#items.has(item.mutation.id)) return
    const { id } = item.mutation
    const { createdKeys = [] } = request as Flight
    item.flight = undefined
    item.go = item.fail = undefined
    if (error instanceof ResetError || error instanceof DisposedError) {
      // It waits for a sign-in, or for the next start.
      item.status = 'waiting'
    } else if (error === undefined || error.name === 'AbortError') {
      this.#items.delete(id)
      void this.#host.write([['end', id, [...createdKeys]], ...this.#keptSince()], false)
    } else {
      item.status = 'refused'
      item.error = factsOf(error)
      const rows = rowsOf(request as Flight)
      item.mutation = { ...item.mutation, error: item.error, rows }
      if (item.isStored) void this.#host.write([['refuse', id, item.error, rows]], false)
    }
    this.#changed()
    this.#pump()
  }

  /** What others must know has changed with one that is over: they were made on what it has changed. */
  #keptSince(): readonly Step[] {
    const steps: Step[] = []
    for (const item of this.#items.values()) {
      const { flight, mutation } = item
      if (flight === undefined || !item.isStored) continue
      const kept = keptOf(flight)
      if (JSON.stringify(kept) === JSON.stringify(mutation.kept)) continue
      item.mutation = { ...mutation, kept }
      steps.push(['keep', mutation.id, kept])
    }
    return steps
  }

  // — whose turn it is —

  /** Those whose turn it is go on. */
  #pump(): void {
    if (this.#isOver) return
    const env = this.#env
    env.clearTimeout(this.#timer)
    const busy = new Set<string>()
    let next = Infinity
    for (const item of this.#items.values()) {
      if (item.flight === undefined) continue
      const lane = laneOf(item.flight)
      const isFree = !busy.has(lane)
      busy.add(lane)
      const { go } = item
      if (go === undefined || !isFree || item.status === 'storing' || this.#isPaused || !env.isOnline()) continue
      if (item.notBefore > env.mono()) next = Math.min(next, item.notBefore)
      else {
        item.go = item.fail = undefined
        go()
      }
    }
    if (next < Infinity) this.#timer = env.setTimeout(() => this.#pump(), next - env.mono(), true)
  }

  /** The network may be back. */
  readonly online = (): void => this.#pump()

  // — what the log has, and what the application wants —

  /** Takes over what the log has, and sends it; unless `shows`, only after `resume`. */
  restore(outbox: Outbox, shows: boolean): void {
    const made = this.#items
    this.#items = new Map()
    const items = Array.from(outbox.values(), (mutation): Item => {
      const item = newItem(mutation, mutation.error === undefined ? 'waiting' : 'refused')
      item.isStored = true
      item.error = mutation.error
      this.#items.set(mutation.id, item)
      return item
    })
    for (const [id, item] of made) this.#items.set(id, item)
    for (const item of items) if (shows && item.status === 'waiting') this.#open(item)
    this.#changed()
  }

  /** Opens a flight, which shows its optimistic change at once. */
  #open(item: Item): void {
    const { mutation } = item
    const endpoint = this.#host.endpointOf(mutation.name)
    try {
      if (endpoint === undefined)
        throw new StorageError(`has a mutation of ${mutation.name}, which the outbox does not name`)
      const call = { endpoint, args: mutation.args, key: keyOf(endpoint, mutation.args) }
      this.#opening = item
      this.#host.registry.runtime.network.join(call, { fail: () => {}, cause: { type: 'call' } })
    } catch (error) {
      // A later version of the application may know what to do with it.
      item.status = 'refused'
      item.error = factsOf(error)
      if (error instanceof StorageError) this.#host.report(error)
    } finally {
      this.#opening = undefined
    }
  }

  resume(): void {
    this.#isPaused = false
    for (const item of [...this.#items.values()])
      if (item.flight === undefined && item.status === 'waiting') this.#open(item)
    this.#changed()
    this.#pump()
  }

  /** Sends a refused one again, with those that were refused because of it, or that it needs. */
  retry(id: string): void {
    const related = this.#related(id)
    for (const item of [...this.#items.values()]) {
      if (!related.has(item.mutation.id) || item.status !== 'refused') continue
      item.mutation = { ...item.mutation, error: undefined, rows: undefined, attempts: 0 }
      item.failures = item.notBefore = 0
      item.status = 'waiting'
      void this.#host.write([['retry', item.mutation.id]], false)
      this.#open(item)
    }
    this.#changed()
  }

  /** Gives one up, with those that name the row that it creates. */
  discard(id: string): void {
    const all = [...this.#items.values()]
    const given = new Set([id])
    for (const one of given)
      for (const { mutation } of all) if (namesCreationOf(mutation.args, one)) given.add(mutation.id)
    for (const item of all.reverse()) if (given.has(item.mutation.id)) this.#drop(item)
    this.#changed()
    this.#pump()
  }

  #drop(item: Item): void {
    const { flight, mutation } = item
    // A flight that ends leaves the outbox by itself.
    end(item)
    if (flight !== undefined) return
    this.#items.delete(mutation.id)
    void this.#host.write([['end', mutation.id, []]], false)
  }

  /** All of it is forgotten: what is in flight is aborted. */
  clear(): void {
    const all = [...this.#items.values()].reverse()
    this.#items.clear()
    this.#isPaused = false
    for (const item of all) end(item)
    this.#changed()
  }

  stop(): void {
    this.#isOver = true
    this.#env.clearTimeout(this.#timer)
  }

  #related(id: string): ReadonlySet<string> {
    return relatedTo(
      [...this.#items.values()].map(({ mutation }) => mutation),
      id,
    )
  }

  // — as an observer —

  readonly subscribe = (onChange: () => void): (() => void) => {
    const own = (): void => onChange()
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  readonly getSnapshot = (): readonly OutboxEntry[] => {
    this.#snapshot ??= Array.from(this.#items.values(), ({ mutation, status, error, flight }) => {
      const { id, name, attempts, at } = mutation
      const rows = flight === undefined ? (mutation.rows ?? []) : rowsOf(flight)
      return { id, name, args: flight?.args ?? mutation.args, status, attempts, error, at, rows }
    })
    return this.#snapshot
  }

  #changed(): void {
    this.#snapshot = undefined
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Ends the flight of a mutation, as its caller's signal would. */
function end({ flight, fail }: Item): void {
  const error = abortError('It was discarded.')
  if (fail !== undefined) fail(error)
  else flight?.abort.abort(error)
}

/** The rows of entities that the optimistic layer of a mutation writes. */
function rowsOf({ layer }: Flight): readonly string[] {
  const rows = [...(layer?.writes ?? [])].filter((row) => row.list === undefined)
  return rows.map(({ home, pk }) => rowName(home.key, pk))
}

function newItem(mutation: Mutation, status: Item['status']): Item {
  return { mutation, status, error: undefined, flight: undefined, notBefore: 0, failures: 0, isStored: false }
}

/** Those of one URL are sent one after the other, whatever their methods. */
function laneOf({ endpoint, args, key }: Flight): string {
  let now = key
  try {
    now = endpoint.key(...(args as never))
  } catch {
    // The one that it was made with.
  }
  return now.replace(/^[A-Z]+ /, '')
}

function statusOf(error: unknown): unknown {
  return (error as { readonly status?: unknown } | undefined)?.status
}

function factsOf(error: unknown): ErrorFacts {
  const { name, message, code, status } = error as Error & { readonly code?: unknown; readonly status?: unknown }
  return {
    name: `${name}`,
    message: `${message}`,
    code: typeof code === 'string' ? code : undefined,
    status: typeof status === 'number' ? status : undefined,
  }
}

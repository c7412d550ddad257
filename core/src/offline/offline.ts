import type { Controller, Manager } from '../client/controller.js'
import type { Observer } from '../client/observer.js'
import { Registry } from '../client/registry.js'
import type { EndpointInterface, RequestPart } from '../endpoint/options.js'
import type { Flight, FlightReceived } from '../engine/flight.js'
import { headerOf } from '../rest/response.js'
import { describe } from '../util/describe.js'
import { CallbackError, OptionError } from '../util/errors.js'
import { Courier, type OutboxEntry } from './courier.js'
import { registerCourier } from './couriers.js'
import type { LogEntry, OfflineLog } from './log.js'
import type { Step } from './outbox.js'
import { contentsOf, restore } from './reader.js'
import { type Content, encode, encodeStep } from './record.js'
import { StorageError } from './storage-error.js'
import { outboxOf, summarize } from './summary.js'
import { type News, Writer } from './writer.js'

/** The options of `offline`. */
export interface OfflineOptions {
  /** Where it is stored: `indexedDbLog(name)`, `fileLog(path)` of `@roundtable/core/offline/file`, `memoryLog()`. One for each user. */
  readonly log: OfflineLog
  /**
   * The version of the application's data: what another version has stored is not read. Change it when the same key has other fields.
   *
   * @default ''
   */
  readonly version?: string | undefined
  /**
   * Returns what is stored: it is called with the keys of entities and Collections, and with fetch keys.
   *
   * @default all
   */
  readonly include?: ((name: string) => boolean) | undefined
  /**
   * The mutations that are stored until the server has answered: resources and endpoints, by names that stay, since a later version of the
   * application sends what this one has stored.
   *
   * @default none
   */
  readonly outbox?: Readonly<Record<string, object>> | undefined
  /**
   * How often a mutation is sent that the server answers with a status of 500, or whose sending ends the page each time. After that it is
   * refused.
   *
   * @default 10
   */
  readonly maxAttempts?: number | undefined
}

/** What `offline` returns: a manager, and what an application does with it. */
export interface OfflineStore extends Manager {
  /** Resolves when what was stored is in the store. It never rejects: what cannot be read is reported, and fetched. */
  readonly ready: Promise<void>
  /** Writes what is not stored yet, and resolves when it is: for a test, or before a process ends. It never rejects. */
  flush(): Promise<void>
  /** The mutations that wait, in the order in which they were made. */
  readonly outbox: Observer<readonly OutboxEntry[]>
  /** Sends a refused mutation again, with those that depend on it or that it depends on. */
  retry(id: string): void
  /** Gives a mutation up, with those that depend on the row that it creates. Its promise rejects with an `AbortError`. */
  discard(id: string): void
  /** Sends what waits since the server has answered 401, or since the store was reset: call it after a sign-in. */
  resume(): void
  /** Deletes all that is stored on this device, also mutations. Do so when a user signs out of a device of somebody else. */
  forget(): Promise<void>
}

/**
 * Creates a manager that stores what the server has told on this device: at the next start it is there without a request.
 *
 * @remarks
 * It stores rows, lists and results, and when they go out of date; never an optimistic change, nor what came with `Cache-Control: no-store`.
 * At the next start they count as a read that is older than everything else, so a late start replaces nothing. Give each user a log of
 * their own. `resetEntireStore` and `LogoutManager` delete what is stored too. On a server it does nothing.
 *
 * @example
 * ```ts
 * const store = offline({ log: indexedDbLog('board:42') })
 * const controller = new Controller({ managers: [store, revalidate()] })
 * await store.ready // render now: rows are there
 * ```
 * @throws OptionError for an invalid option, or if the same store is given to two controllers
 */
export function offline(options: OfflineOptions): OfflineStore {
  if (process.env.NODE_ENV !== 'production') checkOptions(options)
  let run: Run | undefined
  let begin = (_: Promise<void> | undefined): void => {}
  const ready = new Promise<void>((resolve) => {
    begin = resolve as typeof begin
  })
  return {
    ready,
    start(controller, internals) {
      if (!(internals instanceof Registry))
        throw new OptionError('managers', 'lost an argument: who wraps offline() passes on both of start().')
      if (run !== undefined)
        throw new OptionError('managers', 'has an offline() that another controller has: make one for each.')
      if (internals.runtime.isServer) {
        begin(undefined)
        return () => {}
      }
      const own = new Run(controller, internals, options)
      run = own
      begin(own.ready)
      return () => own.stop()
    },
    outbox: {
      getSnapshot: () => run?.courier.getSnapshot() ?? NOTHING_WAITS,
      subscribe: (onChange) => run?.courier.subscribe(onChange) ?? (() => {}),
    },
    retry: (id) => run?.courier.retry(id),
    discard: (id) => run?.courier.discard(id),
    resume: () => run?.courier.resume(),
    flush: async () => void (await run?.flush()),
    forget: async () => run?.forget(),
  }
}

const NOTHING_WAITS: readonly OutboxEntry[] = Object.freeze([])

/** So many ms pass at least between two records. */
const PAUSE = 50

/** After a failure so many ms pass before the next attempt. */
const PAUSE_AFTER_FAILURE = 10_000

/** Of the time, storing takes one part in so many. */
const SHARE = 100

/** A log is summarized when it is so many times as long as its last summary, but not while it is shorter than this. */
const GROWTH = 3
const SHORT = 16_384

/** Steps that wait to be written, and who waits for that. */
interface Waiting {
  readonly steps: readonly Step[]
  readonly isDurable: boolean
  settle(isWritten: boolean): void
}

/** What is done for one controller. */
class Run {
  readonly ready: Promise<void>
  readonly #host: Registry
  readonly #log: OfflineLog
  readonly #version: string
  readonly #writer: Writer
  readonly courier: Courier
  #waiting: Waiting[] = []
  readonly #reported = new Set<string>()
  readonly #stops: (() => void)[]
  /** One after the other. */
  #tail: Promise<unknown>
  #timer: unknown
  #isScheduled = false
  /** When the next record may be written, in monotonic ms. */
  #next = 0
  #isOver = false
  /** The lengths of the last summary and of the log. */
  #summaryLength = 0
  #length = 0

  constructor(controller: Controller, host: Registry, options: OfflineOptions) {
    const { log, version = '', include = () => true, outbox = {}, maxAttempts = 10 } = options
    this.#host = host
    this.#log = log
    this.#version = version
    const guarded = (name: string): boolean => {
      try {
        return include(name)
      } catch (cause) {
        this.#report(new CallbackError('include', name, { cause }))
        return false
      }
    }
    this.#writer = new Writer(controller, host, {
      include: guarded,
      onNews: () => this.#schedule(),
      onOdd: (name) => this.#report(new StorageError(`lacks data of ${name}, which has values that are not JSON`)),
    })
    this.courier = new Courier({
      registry: host,
      maxAttempts,
      ...namesOf(outbox),
      write: (steps, isDurable) => this.#write(steps, isDurable),
      report: this.#report,
    })
    registerCourier(host, this.courier)
    const { network, env } = host.runtime
    const parts = [this.#part(), this.courier.part]
    network.options.parts = [...parts, ...network.options.parts]
    this.#stops = [
      controller.on('reset', () => this.#reset()),
      // A page that is hidden may never be seen again.
      env.onChange(() => {
        if (!env.isVisible()) void this.flush()
        this.courier.online()
      }),
      () => {
        network.options.parts = network.options.parts.filter((other) => !parts.includes(other))
      },
    ]
    this.ready = this.#restore()
    this.#tail = this.ready
  }

  /** Notes which responses must not be stored. */
  #part(): RequestPart {
    const secret = new WeakSet<object>()
    return {
      name: 'offline',
      exchange: async ({ request, init }, next) => {
        const response = await next(init)
        if (/\bno-store\b/i.test(headerOf(response, 'cache-control') ?? '')) secret.add(request)
        else secret.delete(request)
        return response
      },
      read(request, { response }) {
        if (secret.has(request)) response.noStore = true
      },
      wrote: (request, received) => {
        if (received.response.noStore !== true) return
        // Only flights write.
        const { store } = (request as Flight).owner
        const { change } = received as FlightReceived
        if (change === undefined) return
        this.#writer.keepSecret([
          ...change.rows,
          ...change.lists.map(({ row }) => row),
          ...[...change.results.keys()].map((key) => store.resultRow(key)),
        ])
      },
    }
  }

  async #restore(): Promise<void> {
    const { table } = this.#host.runtime.store
    await this.#guard('could not be read', async () => {
      const records = await this.#log.read(0)
      for (const { text } of records) this.#grew(text)
      const contents = contentsOf(records, this.#report)
      if (this.#isOver) return
      // After a logout nobody wants to see it.
      const isCurrent = this.#host.runtime.store.table === table
      if (isCurrent) restore(this.#host, contents, this.#version, this.#report)
      this.courier.restore(outboxOf(contents), isCurrent)
    })
    if (this.#isOver) return
    // Nothing that was restored has to be followed.
    this.#writer.listen()
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isOver) return
    this.#isScheduled = true
    const { env } = this.#host.runtime
    const pause = Math.max(PAUSE, this.#next - env.mono())
    // A process may end before: only what is durable keeps it alive.
    this.#timer = env.setTimeout(() => void this.flush(), pause, true)
  }

  /** Writes steps in the record of the rows that are new by then. */
  #write(steps: readonly Step[], isDurable: boolean): Promise<boolean> {
    try {
      for (const step of steps) encodeStep(step, [])
    } catch (cause) {
      this.#report(new StorageError('lacks a mutation', { cause }))
      return Promise.resolve(false)
    }
    const written = new Promise<boolean>((settle) => {
      this.#waiting.push({ steps, isDurable, settle })
    })
    void this.flush()
    return written
  }

  flush(): Promise<unknown> {
    const { env } = this.#host.runtime
    env.clearTimeout(this.#timer)
    this.#isScheduled = true
    this.#tail = this.#tail.then(() => this.#append())
    return this.#tail
  }

  async #append(): Promise<void> {
    this.#isScheduled = false
    const { env } = this.#host.runtime
    const started = env.mono()
    const waiting = this.#waiting
    this.#waiting = []
    const isWritten = await this.#guard('could not be written', async () => {
      const news = this.#writer.take()
      if (news === undefined && waiting.length === 0) return
      const steps = waiting.flatMap((each) => each.steps)
      const entry: LogEntry = encode({ ...this.#contentOf(news), steps })
      this.#pay(started)
      await this.#log.append(
        entry,
        waiting.some(({ isDurable }) => isDurable),
      )
      this.#grew(entry.text)
    })
    for (const { settle } of waiting) settle(isWritten)
    if (!isWritten) {
      this.#writer.renew()
      this.#next = env.mono() + PAUSE_AFTER_FAILURE
      this.#schedule()
    } else if (this.#length > Math.max(SHORT, GROWTH * this.#summaryLength)) await this.#summarize()
  }

  /** Time was spent: for so long nothing else is written that the share stays. */
  #pay(started: number): void {
    const now = this.#host.runtime.env.mono()
    this.#next = Math.max(this.#next, now) + SHARE * (now - started)
  }

  /** The log has one more record. A summary would be about as long as the longest one. */
  #grew({ length }: string): void {
    this.#length += length
    this.#summaryLength = Math.max(this.#summaryLength, length)
  }

  #contentOf(news: News | undefined): Content {
    return { ...news, version: this.#version, at: this.#host.runtime.env.now() }
  }

  /** Makes one record of all; `last` comes after them. */
  #summarize(last: readonly Content[] = []): Promise<boolean> {
    return this.#guard('could not be summarized', () =>
      this.#log.rewrite((records) => {
        const started = this.#host.runtime.env.mono()
        let isLater = false
        const contents = contentsOf(records, (error) => {
          isLater ||= /version/.test(error.reason)
        })
        // A later version of this library, in another tab, knows what this one does not.
        if (isLater) return undefined
        const entry = encode(summarize([...contents, ...last], this.#version))
        this.#pay(started)
        this.#summaryLength = entry.text.length
        this.#length = entry.text.length
        return entry
      }),
    )
  }

  /** Whatever was stored is another user's, or is not to be shown any more. */
  #reset(): void {
    this.#writer.renew()
    const content: Content = { version: this.#version, at: this.#host.runtime.env.now(), isReset: true }
    this.#tail = this.#tail.then(async () => void (await this.#summarize([content])))
  }

  forget(): Promise<void> {
    this.#writer.renew()
    this.courier.clear()
    this.#tail = this.#tail.then(async () => {
      await this.#guard('could not be deleted', () => this.#log.clear())
      this.#length = this.#summaryLength = 0
    })
    return this.#tail.then(() => {})
  }

  stop(): void {
    void this.flush()
    this.#isOver = true
    this.#writer.stop()
    this.courier.stop()
    for (const stop of this.#stops) stop()
  }

  /** Runs what may fail; true if it did not. */
  async #guard(reason: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (cause) {
      this.#report(new StorageError(reason, { cause }))
      return false
    }
  }

  /** Of each kind of failure there is one report. */
  readonly #report = (error: StorageError | CallbackError): void => {
    const { message } = error
    if (this.#reported.has(message)) return
    this.#reported.add(message)
    this.#host.runtime.report(error)
  }
}

/** The endpoints of the outbox by their names, and the other way round. Resources make theirs when these are first read. */
function namesOf(outbox: Readonly<Record<string, object>>): {
  endpointOf(name: string): EndpointInterface | undefined
  nameOf(endpoint: EndpointInterface): string | undefined
} {
  let names: Map<unknown, string> | undefined
  return {
    nameOf(endpoint) {
      if (names === undefined) {
        names = new Map()
        for (const [name, of] of Object.entries(outbox)) {
          if (typeof of === 'function') names.set(of, name)
          else for (const [member, value] of Object.entries(of)) names.set(value, `${name}.${member}`)
        }
      }
      return names.get(endpoint)
    },
    endpointOf(name) {
      const [first = '', member] = name.split('.')
      const of = Object.hasOwn(outbox, first) ? outbox[first] : undefined
      // Names are those of the members of a resource.
      const endpoint = member === undefined ? of : (of as Readonly<Record<string, object | undefined>>)?.[member]
      return typeof endpoint === 'function' ? (endpoint as EndpointInterface) : undefined
    },
  }
}

const rules: { readonly [Name in keyof Required<OfflineOptions>]: (value: unknown) => boolean } = {
  log: (value) => typeof (value as Partial<OfflineLog> | undefined)?.append === 'function',
  version: (value) => typeof value === 'string',
  include: (value) => typeof value === 'function',
  outbox: (value) => typeof value === 'object' && value !== null,
  maxAttempts: (value) => Number(value) >= 1,
}

function checkOptions(options: OfflineOptions): void {
  for (const name of new Set(['log', ...Object.keys(options)])) {
    const value = options[name as keyof OfflineOptions] as unknown
    const isValid = rules[name as keyof OfflineOptions] as ((value: unknown) => boolean) | undefined
    if ((value === undefined && name !== 'log') || isValid?.(value)) continue
    const found = value === undefined ? 'is missing' : `cannot be ${describe(value)}`
    const reason = isValid === undefined ? 'is unknown' : found
    throw new OptionError(`offline.${name}`, `${reason}. The options are ${Object.keys(rules).join(', ')}.`)
  }
}

import type { Controller, Transport } from '@roundtable/core'
import { type InspectedReader, Inspection } from '@roundtable/core/inspect'
import { EventLog } from './event-log.js'
import { type Recording, VERSION } from './recording.js'
import { type LogEvent, messageOf, type Step, Story } from './story.js'

/** The number of events that a session holds. */
const EVENTS = 1_000
/** The maximum number of rows per kind in an export. */
const EXPORTED_ROWS = 1_000

/** The options of `connect`. */
export interface ConnectOptions {
  /**
   * The name of the session, for pages with several controllers. If another controller has it, a number is added.
   *
   * @default 'default'
   */
  readonly name?: string
  /**
   * True to name readers after their components, which are found in the stack of each read. For development only:
   * production builds have no meaningful names. Components that have already rendered are named when they render again.
   *
   * @default false
   */
  readonly stacks?: boolean
}

/** A simulated network for the requests of `RestEndpoint`s. */
export interface Simulation {
  /** The delay of each response, in ms. */
  readonly delay?: number
  /** The status of every response; no request is sent. */
  readonly status?: number
  /** True to let every request fail as without a network. */
  readonly offline?: boolean
}

/** The members of `Inspection` that a recording has, too. */
type Inspected = Pick<
  Inspection,
  | 'isDisposed'
  | 'tables'
  | 'primaryKeys'
  | 'row'
  | 'results'
  | 'requests'
  | 'layers'
  | 'readers'
  | 'outbox'
  | 'refetch'
  | 'invalidate'
  | 'edit'
  | 'dropLayer'
>

/** The developer tools of one controller: its `Inspection`, with a log of its events. */
export interface Session extends Inspected {
  readonly name: string
  /** The controller; undefined for a recording. */
  readonly controller: Controller | undefined
  /** False for a recording. */
  readonly isLive: boolean
  /** The last 1,000 events, oldest first. */
  events(): readonly LogEvent[]
  /** Returns everything that led to an event and followed from it, in order. */
  explain(event: LogEvent): readonly Step[]
  /** Returns the readers that a commit notified. */
  readersOf(event: LogEvent): readonly InspectedReader[]
  /** Simulates another network; undefined restores the real one. */
  simulate(simulation: Simulation | undefined): void
  /** Removes all events. */
  clear(): void
  /** Returns the session as plain data, for `parseRecording`. It contains the application's data. */
  export(): Recording
  /** Calls the listener after each event, and after each change of the outbox. */
  subscribe(listener: () => void): () => void
  /** Ends the session. */
  disconnect(): void
}

declare global {
  /** The sessions of a page by name, for consoles and agents. */
  var __ROUNDTABLE__: Map<string, Session> | undefined
}

/**
 * Starts to record the events of a controller. The session is also in `globalThis.__ROUNDTABLE__`, by its name. Connecting a
 * controller again by the same name returns the same session.
 *
 * @remarks
 * For development: load this package behind a condition that your bundler removes, so that production builds do not contain
 * it.
 *
 * @example
 * ```ts
 * if (import.meta.env.DEV) {
 *   const { connect, openDevtools } = await import('@roundtable/devtools')
 *   openDevtools(connect(controller, { stacks: true }))
 * }
 * ```
 */
export function connect(controller: Controller, { name = 'default', stacks }: ConnectOptions = {}): Session {
  globalThis.__ROUNDTABLE__ ??= new Map()
  const sessions = globalThis.__ROUNDTABLE__
  for (let count = 2, free = name; ; free = `${name} ${count++}`) {
    const other = sessions.get(free)
    if (other?.controller === controller) return other
    if (other !== undefined) continue
    const session = new LiveSession(controller, free, stacks === true)
    sessions.set(free, session)
    return session
  }
}

class LiveSession extends Inspection implements Session {
  readonly name: string
  readonly controller: Controller
  readonly isLive = true
  readonly #log: EventLog
  #story: { readonly count: number; readonly story: Story } | undefined = undefined

  constructor(controller: Controller, name: string, stacks: boolean) {
    super(controller, { stacks })
    this.name = name
    this.controller = controller
    this.#log = new EventLog(controller, EVENTS, (id) => this.callersOf(id))
  }

  events(): readonly LogEvent[] {
    return this.#log.list()
  }

  explain(event: LogEvent): readonly Step[] {
    const { count } = this.#log
    if (this.#story?.count !== count) this.#story = { count, story: new Story(this.#log.list()) }
    return this.#story.story.explain(event)
  }

  readersOf(event: LogEvent): readonly InspectedReader[] {
    return event.type === 'commit' ? this.describeReaders(event.facts.notified) : []
  }

  simulate(simulation: Simulation | undefined): void {
    this.replaceTransport(simulation && ((before) => pretend(simulation, before)))
  }

  clear(): void {
    this.#log.clear()
  }

  export(): Recording {
    const rows = this.tables().flatMap(({ kind }) =>
      this.primaryKeys(kind)
        .slice(0, EXPORTED_ROWS)
        .flatMap((pk) => this.row(kind, pk) ?? []),
    )
    const events = this.events().map((event) => {
      if (event.type !== 'commit') return event
      const { causes, readers, rowCount, rows: changed } = event.facts
      return { ...event, facts: { causes, readers, rowCount, changed: changed(), told: this.readersOf(event) } }
    })
    // Errors have no enumerable fields, and observers cannot be exported.
    const text = JSON.stringify(
      {
        format: 'roundtable-devtools',
        version: VERSION,
        name: this.name,
        date: Date.now(),
        events,
        rows,
        results: this.results(),
        requests: this.requests(),
        layers: this.layers(),
        readers: this.readers(),
        outbox: this.outbox?.getSnapshot(),
      },
      (key, value: unknown) =>
        key === 'observer' ? undefined : value instanceof Error ? { message: messageOf(value) } : asJson(value),
    )
    return JSON.parse(text) as Recording
  }

  subscribe(listener: () => void): () => void {
    const stops = [this.#log.subscribe(listener), this.outbox?.subscribe(listener)]
    return () => {
      for (const stop of stops) stop?.()
    }
  }

  disconnect(): void {
    this.#log.end()
    this.stop()
    if (globalThis.__ROUNDTABLE__?.get(this.name) === this) globalThis.__ROUNDTABLE__.delete(this.name)
  }
}

/** Converts bigints, which JSON lacks. */
function asJson(value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value
}

function pretend({ delay = 0, status, offline }: Simulation, before: Transport): Transport {
  return async (...call) => {
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    if (offline) throw new TypeError('Failed to fetch (simulated by Roundtable’s devtools)')
    if (status === undefined) return before(...call)
    return Response.json({ message: 'simulated by Roundtable’s devtools' }, { status })
  }
}

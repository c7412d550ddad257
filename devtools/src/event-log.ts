import type { ActionEvent, CommitEvent, CommitFacts, ControllerEvents } from '@roundtable/core'
import type { InspectedCaller } from '@roundtable/core/inspect'
import { type LogEvent, messageOf, type QuietPolls } from './story.js'

/** The events that are logged. */
const LOGGED = ['fetch', 'retry', 'settle', 'action', 'commit', 'reset', 'error'] as const
type Name = (typeof LOGGED)[number]
const FETCH = LOGGED.indexOf('fetch')
const RETRY = LOGGED.indexOf('retry')
const SETTLE = LOGGED.indexOf('settle')
const ACTION = LOGGED.indexOf('action')
const COMMIT = LOGGED.indexOf('commit')
const ERROR = LOGGED.indexOf('error')
/** Replaces the name of an event that a later event represents. */
const FOLDED = 255
/** An emitted event of the controller, with its name. */
type Emitted = { [One in Name]: readonly [name: One, event: ControllerEvents[One]] }[Name]

/** The emitter of the events. */
interface Source {
  on<One extends Name>(name: One, listener: (event: ControllerEvents[One]) => void): () => void
}

/** A poll in flight, or the last poll of a key that changed nothing. */
interface Poll {
  readonly key: string
  /** The numbers of the poll's events. */
  readonly events: number[]
  /** True if it has changed something or an attempt has failed. */
  isNews: boolean
}

/**
 * The last events, of which the oldest are dropped for new ones. Emitted events are only stored, in columns and without a
 * copy, and are converted to events of the log on demand. Consecutive polls of a key that change nothing are stored as one.
 */
export class EventLog {
  readonly #size: number
  /** The events' numbers, ascending. The columns have room for half as many more, so that they are seldom compacted. */
  readonly #numbers: Float64Array
  /** The events' names as indexes in `LOGGED`. */
  readonly #names: Uint8Array
  readonly #times: Float64Array
  /** The emitted events, or the key of an action. */
  readonly #emitted: unknown[]
  /** The numbers and the types of actions. */
  readonly #ids: Float64Array
  readonly #types: (ActionEvent['type'] | undefined)[]
  /** The converted events, by their numbers. */
  readonly #made = new Map<number, LogEvent>()
  /** The used length of the columns. */
  #length = 0
  #count = 0
  /** Polls in flight, by the `id` of their request. */
  readonly #polls = new Map<number, Poll>()
  /** The last poll of each key, if it changed nothing. */
  readonly #quiet = new Map<string, Poll>()
  /** The polls that the event of a request represents, by the event's number. */
  readonly #quietPolls = new Map<number, QuietPolls>()
  readonly #callersOf: (id: number) => readonly InspectedCaller[]
  readonly #listeners = new Set<() => void>()
  readonly #stops: readonly (() => void)[]

  constructor(source: Source, size: number, callersOf: (id: number) => readonly InspectedCaller[] = () => []) {
    const room = Math.ceil(size * 1.5)
    this.#size = size
    this.#callersOf = callersOf
    this.#numbers = new Float64Array(room)
    this.#names = new Uint8Array(room)
    this.#times = new Float64Array(room)
    this.#emitted = Array.from({ length: room })
    this.#ids = new Float64Array(room)
    this.#types = Array.from({ length: room })
    this.#stops = LOGGED.map((name, index) => {
      if (name === 'action') return source.on(name, (event) => this.#addAction(event))
      if (name === 'commit') return source.on(name, (event) => this.#addCommit(event))
      return source.on(name, (event: object) => this.#add(index, event, Date.now()))
    })
  }

  /** The number of all events so far, including dropped ones. */
  get count(): number {
    return this.#count
  }

  #addAction({ id, type, key }: ActionEvent): void {
    if (this.#length === this.#names.length) this.#makeRoom()
    this.#ids[this.#length] = id
    this.#types[this.#length] = type
    this.#add(ACTION, key, Date.now())
  }

  #addCommit(event: CommitEvent): void {
    // The commit of an action follows at once, and reading the clock would take longer than everything else here.
    const last = this.#length - 1
    const isAtOnce = this.#names[last] === ACTION && event.causes?.[0] === this.#ids[last]
    this.#add(COMMIT, event, isAtOnce ? (this.#times[last] as number) : Date.now())
  }

  #add(name: number, emitted: unknown, time: number): void {
    // The event of a failed request already reports its error.
    if (name === ERROR && (emitted as ControllerEvents['error']).request !== undefined) return
    if (this.#length === this.#names.length) this.#makeRoom()
    const at = this.#length++
    this.#numbers[at] = ++this.#count
    this.#names[at] = name
    this.#times[at] = time
    this.#emitted[at] = emitted
    if (name === FETCH) this.#startPoll(emitted as ControllerEvents['fetch'])
    else if (this.#polls.size > 0) this.#followPoll(name, emitted)
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener()
  }

  /** Moves the remaining events to the front. */
  #makeRoom(): void {
    const left = this.#places()
    for (const [to, from] of left.entries()) {
      this.#numbers[to] = this.#numbers[from] as number
      this.#names[to] = this.#names[from] as number
      this.#times[to] = this.#times[from] as number
      this.#emitted[to] = this.#emitted[from]
      this.#ids[to] = this.#ids[from] as number
      this.#types[to] = this.#types[from]
    }
    this.#length = left.length
    this.#emitted.fill(undefined, this.#length)
    const first = this.#numbers[0] as number
    for (const n of this.#made.keys()) if (n < first) this.#made.delete(n)
    for (const n of this.#quietPolls.keys()) if (n < first) this.#quietPolls.delete(n)
    for (const [key, { events }] of this.#quiet) if ((events[0] as number) < first) this.#quiet.delete(key)
  }

  // — polls that change nothing —

  #startPoll({ id, key, cause }: ControllerEvents['fetch']): void {
    if (cause.type === 'poll') this.#polls.set(id, { key, events: [this.#count], isNews: false })
  }

  #followPoll(name: number, emitted: unknown): void {
    if (name === COMMIT) {
      const { causes = [], readers = 0, rowCount = 0 } = emitted as CommitEvent
      for (const cause of causes) {
        const poll = this.#polls.get(cause)
        if (poll === undefined) continue
        poll.events.push(this.#count)
        poll.isNews ||= readers > 0 || rowCount > 0
      }
      return
    }
    if (name !== SETTLE && name !== RETRY) return
    const { id, error } = emitted as ControllerEvents['settle']
    const poll = this.#polls.get(id)
    if (poll === undefined) return
    poll.events.push(this.#count)
    poll.isNews ||= error !== undefined
    if (name === SETTLE) this.#endPoll(id, poll)
  }

  #endPoll(id: number, poll: Poll): void {
    this.#polls.delete(id)
    if (poll.isNews) {
      this.#quiet.delete(poll.key)
      return
    }
    const request = poll.events[0] as number
    const { events = [] } = this.#quiet.get(poll.key) ?? {}
    const before = this.#quietPolls.get(events[0] as number)
    for (const n of events) this.#fold(n)
    this.#quiet.set(poll.key, poll)
    this.#quietPolls.set(request, { count: (before?.count ?? 0) + 1, since: before?.since ?? this.#timeOf(request) })
    // The event may have been converted while the request was in flight.
    this.#made.delete(request)
  }

  #timeOf(n: number): number {
    return this.#times[this.#numbers.lastIndexOf(n, this.#length - 1)] ?? Date.now()
  }

  #fold(n: number): void {
    this.#made.delete(n)
    this.#quietPolls.delete(n)
    const at = this.#numbers.lastIndexOf(n, this.#length - 1)
    if (at >= 0) this.#names[at] = FOLDED
  }

  // — reading —

  /** Returns the positions of the remaining events, oldest first. */
  #places(): number[] {
    const places: number[] = []
    for (let at = this.#length - 1; at >= 0 && places.length < this.#size; at--)
      if (this.#names[at] !== FOLDED) places.push(at)
    return places.reverse()
  }

  /** Returns the remaining events, oldest first. */
  list(): LogEvent[] {
    return this.#places().map((at) => this.#event(at))
  }

  #event(at: number): LogEvent {
    const n = this.#numbers[at] as number
    const seen = this.#made.get(n)
    if (seen !== undefined) return seen
    const name = LOGGED[this.#names[at] as number]
    const event =
      name === 'action' ? { id: this.#ids[at], type: this.#types[at], key: this.#emitted[at] } : this.#emitted[at]
    const place = { n, at: this.#times[at] as number }
    // Both were added together, so the event has the type of its name.
    const made = logged([name, event] as unknown as Emitted, place, this.#callersOf, this.#quietPolls.get(n))
    this.#made.set(n, made)
    return made
  }

  clear(): void {
    this.#length = 0
    this.#emitted.fill(undefined)
    this.#made.clear()
    this.#quiet.clear()
    this.#quietPolls.clear()
    for (const listener of this.#listeners) listener()
  }

  subscribe(listener: () => void): () => void {
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }

  end(): void {
    for (const stop of this.#stops) stop()
  }
}

function logged(
  [name, event]: Emitted,
  place: { readonly n: number; readonly at: number },
  callersOf: (id: number) => readonly InspectedCaller[],
  quietPolls: QuietPolls | undefined,
): LogEvent {
  switch (name) {
    case 'fetch': {
      const { id, key, cause, endpoint } = event
      const edits = endpoint.sideEffect === true
      return { ...place, type: name, id, key, cause, edits, callers: callersOf(id), ...(quietPolls && { quietPolls }) }
    }
    case 'retry':
      return { ...place, type: name, id: event.id, key: event.key, error: messageOf(event.error) }
    case 'settle': {
      const { id, key, done, error } = event
      return { ...place, type: name, id, key, done, error: error && messageOf(error) }
    }
    case 'action':
      return { ...place, type: name, id: event.id, key: event.key, action: event.type, callers: callersOf(event.id) }
    case 'commit':
      // A commit of an inspected controller has all facts.
      return { ...place, type: name, keys: event.keys, facts: event as CommitFacts }
    case 'reset':
      return { ...place, type: name }
    case 'error':
      return { ...place, type: name, error: messageOf(event.error) }
  }
}

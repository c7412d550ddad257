import type { ActionEvent, CommitEvent, CommitFacts, ControllerEvents } from '@roundtable/core'
import { type LogEvent, messageOf } from './story.js'

/** The events that are logged. */
const LOGGED = ['fetch', 'retry', 'settle', 'action', 'commit', 'reset', 'error'] as const
type Name = (typeof LOGGED)[number]
const ACTION = LOGGED.indexOf('action')
const COMMIT = LOGGED.indexOf('commit')
const ERROR = LOGGED.indexOf('error')
/** What a controller has told: its name and the event, as it is. */
type Told = { [One in Name]: readonly [name: One, event: ControllerEvents[One]] }[Name]

/** Where a log listens. */
interface Source {
  on<One extends Name>(name: One, listener: (event: ControllerEvents[One]) => void): () => void
}

/**
 * The last events, in a ring: the oldest make room for new ones. What happens is only kept, in columns and without a copy; it is made
 * into the events of the log when somebody looks.
 */
export class EventLog {
  readonly #size: number
  /** The events' names, by their places in `LOGGED`. */
  readonly #names: Uint8Array
  readonly #times: Float64Array
  /** The events; of an action only its key. */
  readonly #told: unknown[]
  /** The numbers and the types of actions. */
  readonly #ids: Float64Array
  readonly #types: (ActionEvent['type'] | undefined)[]
  /** The events of the log that were looked at. */
  readonly #made = new Map<number, LogEvent>()
  #count = 0
  /** How many there were when the log was cleared. */
  #cleared = 0
  readonly #listeners = new Set<() => void>()
  readonly #stops: readonly (() => void)[]

  constructor(source: Source, size: number) {
    this.#size = size
    this.#names = new Uint8Array(size)
    this.#times = new Float64Array(size)
    this.#told = Array.from({ length: size })
    this.#ids = new Float64Array(size)
    this.#types = Array.from({ length: size })
    this.#stops = LOGGED.map((name, index) => {
      if (name === 'action') return source.on(name, (event) => this.#addAction(event))
      if (name === 'commit') return source.on(name, (event) => this.#addCommit(event))
      return source.on(name, (event: object) => this.#add(index, event, Date.now()))
    })
  }

  /** How many there have been. */
  get count(): number {
    return this.#count
  }

  #addAction({ id, type, key }: ActionEvent): void {
    const at = this.#count % this.#size
    this.#ids[at] = id
    this.#types[at] = type
    this.#add(ACTION, key, Date.now())
  }

  #addCommit(event: CommitEvent): void {
    // What an action changes is committed at once, and to read the clock takes longer than all else here.
    const last = (this.#count + this.#size - 1) % this.#size
    const isAtOnce = this.#names[last] === ACTION && event.causes?.[0] === this.#ids[last]
    this.#add(COMMIT, event, isAtOnce ? (this.#times[last] as number) : Date.now())
  }

  #add(name: number, told: unknown, time: number): void {
    // Callbacks of requests have failed as these.
    if (name === ERROR && (told as ControllerEvents['error']).request !== undefined) return
    const at = this.#count++ % this.#size
    this.#names[at] = name
    this.#times[at] = time
    this.#told[at] = told
    if (this.#made.size > 0) this.#made.delete(at)
    if (this.#listeners.size > 0) for (const listener of this.#listeners) listener()
  }

  /** The events that are left, oldest first. */
  list(): LogEvent[] {
    const length = Math.min(this.#count - this.#cleared, this.#size)
    const first = this.#count - length
    return Array.from({ length }, (_, i) => this.#event(first + i))
  }

  #event(index: number): LogEvent {
    const at = index % this.#size
    const known = this.#made.get(at)
    if (known !== undefined) return known
    const name = LOGGED[this.#names[at] as number]
    const event = name === 'action' ? { id: this.#ids[at], type: this.#types[at], key: this.#told[at] } : this.#told[at]
    // They were added together, so the event is that of its name.
    const made = logged([name, event] as unknown as Told, { n: index + 1, at: this.#times[at] as number })
    this.#made.set(at, made)
    return made
  }

  clear(): void {
    this.#told.fill(undefined)
    this.#made.clear()
    this.#cleared = this.#count
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

function logged([name, event]: Told, place: { readonly n: number; readonly at: number }): LogEvent {
  switch (name) {
    case 'fetch': {
      const { id, key, cause, endpoint } = event
      return { ...place, type: name, id, key, cause, edits: endpoint.sideEffect === true }
    }
    case 'retry':
      return { ...place, type: name, id: event.id, key: event.key, error: messageOf(event.error) }
    case 'settle': {
      const { id, key, done, error } = event
      return { ...place, type: name, id, key, done, error: error && messageOf(error) }
    }
    case 'action':
      return { ...place, type: name, id: event.id, key: event.key, action: event.type }
    case 'commit':
      // While it is inspected, a commit has all facts.
      return { ...place, type: name, keys: event.keys, facts: event as CommitFacts }
    case 'reset':
      return { ...place, type: name }
    case 'error':
      return { ...place, type: name, error: messageOf(event.error) }
  }
}

import type { CommitFacts, ControllerEvents } from '@roundtable/core'
import { type LogEvent, messageOf } from './story.js'

/** The events that are logged. */
const LOGGED = ['fetch', 'retry', 'settle', 'action', 'commit', 'reset', 'error'] as const
type Name = (typeof LOGGED)[number]
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
  readonly #names: Name[] = []
  readonly #told: object[] = []
  readonly #times: number[] = []
  readonly #made: (LogEvent | undefined)[] = []
  #count = 0
  /** How many there were when the log was cleared. */
  #cleared = 0
  readonly #listeners = new Set<() => void>()
  readonly #stops: readonly (() => void)[]

  constructor(source: Source, size: number) {
    this.#size = size
    this.#stops = LOGGED.map((name) => source.on(name, (event: object) => this.#add(name, event)))
  }

  /** How many there have been. */
  get count(): number {
    return this.#count
  }

  #add(name: Name, event: object): void {
    // Callbacks of requests have failed as these.
    if (name === 'error' && (event as ControllerEvents['error']).request !== undefined) return
    const at = this.#count++ % this.#size
    this.#names[at] = name
    this.#told[at] = event
    this.#times[at] = Date.now()
    this.#made[at] = undefined
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
    // They were added together, so the event is that of its name.
    const told = [this.#names[at], this.#told[at]] as unknown as Told
    const made = this.#made[at] ?? logged(told, { n: index + 1, at: this.#times[at] as number })
    this.#made[at] = made
    return made
  }

  clear(): void {
    for (const column of [this.#names, this.#told, this.#times, this.#made]) column.length = 0
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

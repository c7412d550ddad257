import { LiveObserver } from '../client/live-observer.js'
import { Registry } from '../client/registry.js'
import { Hydration } from './hydration.js'
import type { ReadState } from './read-state.js'

/** The time in ms in which a page should have been hydrated: until then readers get the snapshots that the server rendered. */
const TAKEOVER = 60_000

/** The states that a server has rendered pages of, for readers that take these over. */
export class Rendered {
  readonly #host: Registry
  readonly #hydration: Hydration
  /** The states whose pages may still be taken over, and a store of nothing else, for readers that differ by now. */
  #states: ReadState[] = []
  #store: Registry | undefined = undefined
  #counterparts = new Map<LiveObserver, LiveObserver>()
  /** The timers that drop a state once its page should have been hydrated. */
  readonly #timers = new Set<unknown>()

  constructor(host: Registry, hydration: Hydration) {
    this.#host = host
    this.#hydration = hydration
  }

  /** The snapshot that a reader showed on the server, or the one that it shows now. */
  snapshotOf(observer: LiveObserver, shown: unknown): unknown {
    if (this.#states.length === 0) return shown
    // Nothing was requested or written here since.
    const { sequence } = this.#host.runtime.store
    if (sequence.now === 0 && !this.#hydration.hasStored && !observer.isPending) return shown
    this.#store ??= this.#newStore()
    const existing = this.#counterparts.get(observer)
    const counterpart = existing ?? counterpartOf(observer, this.#store)
    this.#counterparts.set(observer, counterpart)
    const rendered = counterpart.getSnapshot()
    return counterpart.isPending ? shown : rendered
  }

  #newStore(): Registry {
    const registry = new Registry({ server: true, onError: () => {} })
    const hydration = new Hydration(registry)
    for (const state of this.#states) hydration.add(state, { read: () => state, age: 0, since: 0, isRendering: false })
    return registry
  }

  /** Remembers a state until its page should have been hydrated. */
  keep(state: ReadState): void {
    const { env, isServer, closed } = this.#host.runtime
    if (isServer || closed !== undefined) return
    this.#setStates([...this.#states, state])
    const timer = env.setTimeout(
      () => {
        this.#timers.delete(timer)
        const left = this.#states.filter((other) => other !== state)
        if (left.length === 0) this.#setStates(left)
        else this.#states = left
      },
      TAKEOVER,
      true,
    )
    this.#timers.add(timer)
  }

  /** Drops the store: the next read builds it from these states. */
  #setStates(states: ReadState[]): void {
    this.#states = states
    this.#store = undefined
    this.#counterparts.clear()
  }

  /** Nothing will be taken over any more. */
  dispose(): void {
    for (const timer of this.#timers) this.#host.runtime.env.clearTimeout(timer)
    this.#timers.clear()
    this.#setStates([])
  }
}

/** The same reader of another store. */
function counterpartOf({ role, subject, query }: LiveObserver, host: Registry): LiveObserver {
  return new LiveObserver(
    host,
    role,
    query === undefined ? subject : { ...subject, endpoint: query.endpoint, args: query.args },
  )
}

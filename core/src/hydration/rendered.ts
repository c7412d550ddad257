import { LiveObserver } from '../client/live-observer.js'
import { Registry } from '../client/registry.js'
import { Hydration } from './hydration.js'
import type { ReadState } from './read-state.js'

/** The time in ms during which a page is being hydrated, and its readers get the server-rendered snapshots. */
const TAKEOVER = 60_000

/** The states of server-rendered pages, for readers that hydrate them. */
export class Rendered {
  readonly #host: Registry
  readonly #hydration: Hydration
  /** The states whose pages are being hydrated, and a store of only these, for readers whose data has changed. */
  #states: ReadState[] = []
  #store: Registry | undefined
  #counterparts = new Map<LiveObserver, LiveObserver>()
  /** The timers that drop states after `TAKEOVER` ms. */
  readonly #timers = new Set<unknown>()

  constructor(host: Registry, hydration: Hydration) {
    this.#host = host
    this.#hydration = hydration
  }

  /** Returns the snapshot that a reader showed on the server, or `shown` if the server had no data for it. */
  snapshotOf(observer: LiveObserver, shown: unknown): unknown {
    if (this.#states.length === 0) return shown
    // Nothing was requested or written here, so the current snapshot is that of the server.
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
    for (const state of this.#states) hydration.add(state, { read: () => state })
    return registry
  }

  /** Keeps a state for `TAKEOVER` ms. */
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

  /** Replaces the states and drops the store, which the next read builds again. */
  #setStates(states: ReadState[]): void {
    this.#states = states
    this.#store = undefined
    this.#counterparts.clear()
  }

  /** Drops all states. */
  dispose(): void {
    for (const timer of this.#timers) this.#host.runtime.env.clearTimeout(timer)
    this.#timers.clear()
    this.#setStates([])
  }
}

/** Creates the same reader in another store. */
function counterpartOf({ role, subject, query }: LiveObserver, host: Registry): LiveObserver {
  return new LiveObserver(
    host,
    role,
    query === undefined ? subject : { ...subject, endpoint: query.endpoint, args: query.args },
  )
}

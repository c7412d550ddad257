import type { Env } from '../util/env.js'
import type { Store } from './store.js'
import type { KeyUsers, Sweep } from './sweep.js'

/** Collects rows and results that no mounted query, pending layer or request has needed for a while. */
export class Retention {
  readonly #env: Env
  readonly #store: Store
  readonly #users: KeyUsers
  readonly #after: number
  #timer: unknown
  #sweep: Sweep | undefined

  constructor(env: Env, store: Store, users: KeyUsers, after: number) {
    this.#env = env
    this.#store = store
    this.#users = users
    this.#after = after
  }

  /** Schedules a sweep, since something may no longer be needed. */
  scheduleSweep(): void {
    if (this.#sweep !== undefined) this.#sweep.isLeft = true
    else if (this.#timer === undefined && this.#after !== Infinity)
      this.#timer = this.#env.setTimeout(() => this.#begin(), this.#after, true)
  }

  /** Stops the timer and abandons an unfinished sweep. */
  dispose(): void {
    this.#env.clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sweep?.stop()
    this.#sweep = undefined
  }

  async #begin(): Promise<void> {
    const timer = this.#timer
    // Loading fails without a network, and after a deployment that removed the file: the next call tries again.
    const loaded = await loadSweep().catch(() => undefined)
    if (this.#timer !== timer) return
    this.#timer = undefined
    if (loaded === undefined) return this.scheduleSweep()
    const onEnd = (isLeft: boolean): void => {
      this.#sweep = undefined
      if (isLeft) this.scheduleSweep()
    }
    const since = this.#env.mono() - this.#after
    this.#sweep = new loaded.Sweep({ env: this.#env, store: this.#store, users: this.#users, since, onEnd })
    this.#sweep.run()
  }
}

/** Loads the code of sweeps, which no page needs before the first one is due. */
export function loadSweep(): Promise<typeof import('./sweep.js')> {
  return import('./sweep.js')
}

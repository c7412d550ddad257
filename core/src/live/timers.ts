import type { Env } from '../util/env.js'

/** Named timers. Setting a timer again restarts it. */
export class Timers<Name extends string> {
  readonly #env: Env
  readonly #running = new Map<Name, unknown>()

  constructor(env: Env) {
    this.#env = env
  }

  has(name: Name): boolean {
    return this.#running.has(name)
  }

  set(name: Name, ms: number, run: () => void): void {
    this.clear(name)
    const fire = (): void => {
      this.#running.delete(name)
      run()
    }
    this.#running.set(name, this.#env.setTimeout(fire, ms))
  }

  /** Stops the timers with these names; all, if there are none. */
  clear(...names: readonly Name[]): void {
    for (const name of names.length > 0 ? names : [...this.#running.keys()]) {
      this.#env.clearTimeout(this.#running.get(name))
      this.#running.delete(name)
    }
  }
}

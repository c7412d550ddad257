import type { Env } from '../util/env.js'

/** Timers by their names. One that is set again begins anew. */
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

  /** Stops those of these names, or all. */
  clear(...names: readonly Name[]): void {
    for (const name of names.length > 0 ? names : [...this.#running.keys()]) {
      this.#env.clearTimeout(this.#running.get(name))
      this.#running.delete(name)
    }
  }
}

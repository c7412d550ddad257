import type { Sweep, SweepOptions } from './sweep.js'

/** The options of retention: those of its sweeps, and how long unused data stays, in ms. */
export interface RetentionOptions extends Pick<SweepOptions, 'env' | 'store' | 'users'> {
  readonly after: number
}

/** Collects rows and results that no mounted query, pending layer or request has needed for a while. */
export class Retention {
  readonly #options: RetentionOptions
  #timer: unknown
  #sweep: Sweep | undefined

  constructor(options: RetentionOptions) {
    this.#options = options
  }

  /** Schedules a sweep, since something may no longer be needed. */
  scheduleSweep(): void {
    const { env, after } = this.#options
    if (this.#sweep !== undefined) this.#sweep.isLeft = true
    else if (this.#timer === undefined && after !== Infinity)
      this.#timer = env.setTimeout(() => this.#begin(), after, true)
  }

  /** Stops the timer and abandons an unfinished sweep. */
  dispose(): void {
    this.#options.env.clearTimeout(this.#timer)
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
    const { env, after } = this.#options
    this.#sweep = new loaded.Sweep({ ...this.#options, since: env.mono() - after, onEnd })
    this.#sweep.run()
  }
}

/** Loads the code of sweeps, which no page needs before the first one is due. */
export function loadSweep(): Promise<typeof import('./sweep.js')> {
  return import('./sweep.js')
}

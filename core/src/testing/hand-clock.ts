import { loadPages } from '../collections/collection.js'
import { loadSweep } from '../engine/retention.js'
import { browserEnv, type Env } from '../util/env.js'

/**
 * A manual clock, and the state of a page. As the `env` of a controller it controls when timers fire, the time, whether
 * there is a network and whether the page is visible.
 *
 * @example
 * ```ts
 * const clock = new HandClock()
 * const controller = new Controller({ env: clock })
 * await clock.advance(60_000) // a minute passes: polls are sent, responses arrive, data becomes stale
 * ```
 */
export class HandClock implements Env {
  /**
   * True while there is a network. Change it with `announce`, which notifies listeners.
   *
   * @default true
   */
  online = true
  /**
   * True while the page is visible. Change it with `announce`, which notifies listeners.
   *
   * @default true
   */
  visible = true
  /**
   * The value that `random` returns, from 0 to 1.
   *
   * @default 0.5
   */
  randomValue = 0.5
  /**
   * The difference between the wall clock and the monotonic clock, in ms. Change it to simulate a jump of the wall clock.
   *
   * @default 1_000_000
   */
  wallOffset = 1_000_000
  #mono = 0
  #lastId = 0
  readonly #timers = new Map<number, Timer>()
  readonly #listeners = new Set<() => void>()

  // Arrow functions, since the platform's functions also work without their object.
  readonly now = (): number => this.#mono + this.wallOffset
  readonly mono = (): number => this.#mono
  readonly random = (): number => this.randomValue
  readonly isOnline = (): boolean => this.online
  readonly isVisible = (): boolean => this.visible

  readonly setTimeout = (run: () => void, ms: number): unknown => {
    const id = ++this.#lastId
    if (ms !== Infinity) this.#timers.set(id, { id, at: this.#mono + ms, run })
    return id
  }

  readonly clearTimeout = (timer: unknown): void => {
    // A timer is the number that `setTimeout` returned.
    this.#timers.delete(timer as number)
  }

  /** A frame takes 16 ms, and 250 ms while the page is hidden. */
  readonly frame = (run: () => void): void => {
    this.setTimeout(run, this.visible ? 16 : 250)
  }

  readonly afterRender = (run: () => void): void => {
    let isDone = false
    const once = (): void => {
      waiting.delete(once)
      if (!isDone) run()
      isDone = true
    }
    waiting.add(once)
    // For tests that wait for the page instead of `settle`.
    browserEnv().afterRender(once)
  }

  readonly onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The number of pending timers. */
  get pending(): number {
    return this.#timers.size
  }

  /** Sets `online` and `visible`, and notifies all listeners. */
  announce(change: { readonly online?: boolean; readonly visible?: boolean }): void {
    this.online = change.online ?? this.online
    this.visible = change.visible ?? this.visible
    for (const listener of [...this.#listeners]) listener()
  }

  /** Advances the clock by `ms`, fires due timers in their order, and lets promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms
    await settle()
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers.delete(timer.id)
      this.#mono = Math.max(this.#mono, timer.at)
      timer.run()
      await settle()
    }
    this.#mono = end
    await settle()
  }

  /** Returns the first timer that is due by `end`; of two that are due together, the older one. */
  #next(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers.values()) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer
    }
    return first
  }
}

interface Timer {
  readonly id: number
  readonly at: number
  readonly run: () => void
}

/** Work that runs after frameworks have rendered, in the order of its registration. */
const waiting = new Set<() => void>()

/** The number of turns of the microtask queue that the longest chain of promises in the engine and a test needs. */
const TURNS = 50

/**
 * Waits until pending promise callbacks have run and the requests that they cause were sent.
 *
 * @example
 * ```ts
 * controller.watch(getTodo, { id: 1 }).subscribe(() => {})
 * await settle() // the request was sent
 * ```
 */
export async function settle(): Promise<void> {
  // A page loads these modules for the first sweep, or for a list with several pages. Tests load them before they are
  // needed.
  await loadSweep().catch(() => {})
  await loadPages()
  for (;;) {
    for (let turn = 0; turn < TURNS; turn++) await Promise.resolve()
    if (waiting.size === 0) return
    for (const run of [...waiting]) run()
  }
}

import type { Env } from '@roundtable/core'
import { loadPages } from '../../core/src/collections/collection.js'
import { loadSweep } from '../../core/src/engine/retention.js'

interface Timer {
  readonly id: number
  readonly at: number
  readonly run: () => void
}

/** Time that moves when it is told to. The wall clock may jump; the monotonic one never does. */
export class Clock implements Env {
  /** How far the wall clock is ahead of the monotonic one, in ms. */
  wallOffset: number
  #mono = 0
  #isOnline = true
  #isVisible = true
  #lastId = 0
  /** Earliest first; of two at one moment, the one that was set first. */
  readonly #timers: Timer[] = []
  readonly #listeners = new Set<() => void>()

  constructor(wallOffset: number) {
    this.wallOffset = wallOffset
  }

  readonly now = (): number => this.#mono + this.wallOffset
  readonly mono = (): number => this.#mono
  readonly random = (): number => 0.5
  readonly isOnline = (): boolean => this.#isOnline
  readonly isVisible = (): boolean => this.#isVisible

  readonly setTimeout = (run: () => void, ms: number): unknown => {
    const timer = { id: ++this.#lastId, at: this.#mono + ms, run }
    if (ms === Number.POSITIVE_INFINITY) return timer.id
    const place = this.#timers.findIndex(({ at }) => at > timer.at)
    this.#timers.splice(place < 0 ? this.#timers.length : place, 0, timer)
    return timer.id
  }

  readonly clearTimeout = (id: unknown): void => {
    const at = this.#timers.findIndex((timer) => timer.id === id)
    if (at >= 0) this.#timers.splice(at, 1)
  }

  /** Nothing is rendered here. */
  readonly afterRender = (run: () => void): void => queueMicrotask(run)

  readonly onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Timers that wait. */
  get waiting(): number {
    return this.#timers.length
  }

  /** The network goes, or comes back. */
  goOnline(isOnline: boolean): void {
    this.#isOnline = isOnline
    for (const listener of [...this.#listeners]) listener()
  }

  /** The page is hidden, or seen again. */
  show(isVisible: boolean): void {
    this.#isVisible = isVisible
    for (const listener of [...this.#listeners]) listener()
  }

  /** Time passes, timer by timer. */
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms
    await settle()
    for (let next = this.#timers[0]; next !== undefined && next.at <= end; next = this.#timers[0]) {
      this.#timers.shift()
      this.#mono = Math.max(this.#mono, next.at)
      next.run()
      await settle()
    }
    this.#mono = end
  }
}

/** Lets everything that waits for nothing but promises go on. */
export async function settle(): Promise<void> {
  // On a page these come with the first sweep and with the first list of several pages, which takes time.
  await loadSweep()
  await loadPages()
  for (let i = 0; i < 24; i++) await undefined
}

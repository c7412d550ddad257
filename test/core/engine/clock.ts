import type { Env } from '@roundtable/core'

/** A clock that only moves when it is told to, with the state of a page beside it. */
export class HandClock implements Env {
  online = true
  visible = true
  randomValue = 0.5
  /** How far the wall clock is off the monotonic one. */
  wallOffset = 1_000_000
  #mono = 0
  #nextId = 1
  readonly #timers = new Map<number, { at: number; run: () => void }>()
  readonly #listeners = new Set<() => void>()

  now = (): number => this.#mono + this.wallOffset
  mono = (): number => this.#mono
  random = (): number => this.randomValue
  isOnline = (): boolean => this.online
  isVisible = (): boolean => this.visible
  setTimeout = (run: () => void, ms: number): unknown => {
    const id = this.#nextId++
    if (ms !== Infinity) this.#timers.set(id, { at: this.#mono + ms, run })
    return id
  }
  clearTimeout = (timer: unknown): void => {
    this.#timers.delete(timer as number)
  }
  onChange = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Timers that wait. */
  get pending(): number {
    return this.#timers.size
  }

  /** Says that the page went away or came back. */
  announce(change: { online?: boolean; visible?: boolean }): void {
    this.online = change.online ?? this.online
    this.visible = change.visible ?? this.visible
    for (const listener of [...this.#listeners]) listener()
  }

  /** Turns the clock on, timer by timer, letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms
    await settle()
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next.id)
      this.#mono = Math.max(this.#mono, next.at)
      next.run()
      await settle()
    }
    this.#mono = end
    await settle()
  }

  #next(end: number): { id: number; at: number; run: () => void } | undefined {
    let first: { id: number; at: number; run: () => void } | undefined
    for (const [id, timer] of this.#timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = { id, ...timer }
    }
    return first
  }
}

/** Lets everything that waits for promises only go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 30; i++) await Promise.resolve()
}

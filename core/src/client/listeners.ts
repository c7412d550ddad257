import { CallbackError } from '../util/errors.js'

/** Listeners of something that is watched, each guarded from the others. */
export class Listeners {
  readonly #report: (error: Error) => void
  readonly #listeners = new Set<() => void>()

  constructor(report: (error: Error) => void) {
    this.#report = report
  }

  get size(): number {
    return this.#listeners.size
  }

  /** Adds a listener; the returned function removes it, once. */
  add(onChange: () => void, onLeave: () => void): () => void {
    const listener = (): void => onChange()
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener)) onLeave()
    }
  }

  tell(): void {
    for (const listener of [...this.#listeners]) {
      // One that left while others were told is not called any more.
      if (!this.#listeners.has(listener)) continue
      try {
        listener()
      } catch (cause) {
        this.#report(new CallbackError('A listener', 'a subscription', { cause }))
      }
    }
  }
}

import { Listeners } from './listeners.js'
import type { Observer } from './observer.js'

/** Whether a request of a key is under way. */
export class Fetching implements Observer<boolean> {
  readonly #listeners: Listeners
  readonly #isUnderWay: () => boolean
  readonly #onEmpty: () => void
  #last: boolean

  constructor(report: (error: Error) => void, isUnderWay: () => boolean, onEmpty: () => void) {
    this.#listeners = new Listeners(report)
    this.#isUnderWay = isUnderWay
    this.#onEmpty = onEmpty
    this.#last = isUnderWay()
  }

  /** As a controller's. */
  get __v_skip(): true {
    return true
  }

  getSnapshot(): boolean {
    return this.#isUnderWay()
  }

  subscribe(onChange: () => void): () => void {
    this.#last = this.#isUnderWay()
    return this.#listeners.add(onChange, () => {
      if (this.#listeners.size === 0) this.#onEmpty()
    })
  }

  /** A request began or ended. */
  update(): void {
    const now = this.#isUnderWay()
    if (now === this.#last) return
    this.#last = now
    this.#listeners.tell()
  }
}

import type { Desk } from './desk.js'
import { Listeners } from './listeners.js'
import type { Observer } from './observer.js'
import type { Back, Shelved } from './shelf.js'

/** Whether a request of a key is under way. */
export class Fetching implements Observer<boolean>, Shelved {
  readonly schema: undefined
  readonly #desk: Desk
  readonly #key: string
  readonly #back: Back<Fetching>
  readonly #listeners: Listeners
  #last: boolean
  #isGone = false
  used: number

  constructor(desk: Desk, key: string, back: Back<Fetching>) {
    this.#desk = desk
    this.#key = key
    this.#back = back
    this.#listeners = new Listeners(desk.report)
    this.used = desk.clock.mono()
    this.#last = this.getSnapshot()
  }

  get isHeld(): boolean {
    return this.#listeners.size > 0
  }

  /** As a controller's. */
  get __v_skip(): true {
    return true
  }

  getSnapshot(): boolean {
    return this.#desk.network.isUnderWay(this.#key)
  }

  subscribe(onChange: () => void): () => void {
    if (this.#isGone) this.#back(this)
    this.#isGone = false
    this.#last = this.getSnapshot()
    return this.#listeners.add(onChange, () => {
      this.used = this.#desk.clock.mono()
      this.#desk.release()
    })
  }

  /** A request began or ended. */
  update(): void {
    const now = this.getSnapshot()
    if (now === this.#last) return
    this.#last = now
    this.#listeners.tell()
  }

  dispose(): void {
    this.#isGone = true
  }
}

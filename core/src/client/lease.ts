import type { Env } from '../util/env.js'

/** How long a read that suspended waits for its component to mount, in ms. */
const LENGTH = 30_000
/** How long an error that it suspended for, or anything on a server, is held, in ms: enough to show it. */
const AFTER = 1_000

/** Holds a read that somebody waits for who cannot subscribe yet. On a server it ends with the controller. */
export class Lease {
  readonly #env: Env
  readonly #isServer: boolean
  readonly #onEnd: () => void
  #timer: unknown = undefined
  #isHeld = false

  constructor(env: Env, isServer: boolean, onEnd: () => void) {
    this.#env = env
    this.#isServer = isServer
    this.#onEnd = onEnd
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  take(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#endAfter(LENGTH)
  }

  /** The read came to its end, and whoever comes later shall not meet an old one. */
  settled(): void {
    if (this.#isHeld) this.#endAfter(AFTER)
  }

  #endAfter(ms: number): void {
    if (this.#isServer) return
    this.#env.clearTimeout(this.#timer)
    const end = (): void => {
      this.#isHeld = false
      this.#onEnd()
    }
    this.#timer = this.#env.setTimeout(end, ms, true)
  }

  end(): void {
    if (this.#isHeld && !this.#isServer) this.#env.clearTimeout(this.#timer)
    this.#isHeld = false
  }
}

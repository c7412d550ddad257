import type { Env } from '../tools/env.js'

/** How long a read that suspended waits for its component to mount, in ms. */
const LENGTH = 30_000

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
    if (this.#isServer) return
    this.#timer = this.#env.setTimeout(
      () => {
        this.#isHeld = false
        this.#onEnd()
      },
      LENGTH,
      true,
    )
  }

  end(): void {
    if (this.#isHeld && !this.#isServer) this.#env.clearTimeout(this.#timer)
    this.#isHeld = false
  }
}

import type { Observer } from '@roundtable/core'
import type { Mount } from './mount.js'
import { same, text } from './same.js'
import { must, Wrong } from './wrong.js'

/** Somebody who watches without asking for anything: it is told of every change once, and of nothing else. */
export class Watch {
  readonly #name: string
  readonly #observer: Observer<unknown>
  /** Throws if what is shown is not what must be. */
  readonly #compare: (shown: unknown) => void
  readonly #stop: () => void
  readonly #onWrong: (wrong: Error) => void
  #last: unknown
  #isLeft = false
  /** As a mount's. */
  wasRead = false
  /** True if it is told of more than what it shows. */
  mayRepeat = false
  /** The query that it shows, if it shows one. */
  read: Pick<Mount, 'target' | 'shown'> | undefined

  constructor(
    name: string,
    observer: Observer<unknown>,
    compare: (shown: unknown) => void,
    onWrong: (wrong: Error) => void,
  ) {
    this.#name = name
    this.#observer = observer
    this.#compare = compare
    this.#onWrong = onWrong
    this.#stop = observer.subscribe(() => this.#told())
    this.#last = observer.getSnapshot()
  }

  leave(): void {
    this.#isLeft = true
    this.#stop()
  }

  /** After each step. */
  check(): void {
    const now = this.#observer.getSnapshot()
    must(now === this.#last, () => `${this.#name} changed and nobody was told: ${text(this.#last)} → ${text(now)}`)
    this.#compare(now)
  }

  #told(): void {
    const before = this.#last
    const now = this.#observer.getSnapshot()
    this.#last = now
    // What a listener throws would be caught by the library.
    if (this.#isLeft) this.#onWrong(new Wrong(`${this.#name} was told after it had left`))
    else if (!this.wasRead && !this.mayRepeat && same(now, before) && text(now) === text(before))
      this.#onWrong(new Wrong(`${this.#name} was told of nothing: ${text(now)}`))
  }
}

import type { LiveQuery, QuerySnapshot } from '@roundtable/core'
import type { Target } from './domain.js'
import { copyOf, same, text } from './same.js'
import { must, Wrong } from './wrong.js'

type Shown = QuerySnapshot<unknown>

/** A component that shows a query: it checks that it is told of every change once, and of nothing else. */
export class Mount {
  readonly target: Target
  readonly query: LiveQuery<unknown>
  readonly #stop: () => void
  readonly #onWrong: (wrong: Error) => void
  /** What was handed out, beside a copy of what it was then. */
  readonly #handedOut: { readonly shown: Shown; readonly copy: unknown }[] = []
  #last: Shown
  /** What was last compared with the model. */
  compared: Shown | undefined
  #isLeft = false
  /** How often it was told of something. */
  told = 0
  /** True while somebody may have read what it shows between two changes, of which the second took the first back. */
  wasRead = false
  /** True if it shows what it does because its row was deleted here. */
  isOfDeleted = false

  constructor(target: Target, query: LiveQuery<unknown>, onWrong: (wrong: Error) => void) {
    this.target = target
    this.query = query
    this.#onWrong = onWrong
    this.#stop = query.subscribe(() => this.#told())
    this.#last = query.getSnapshot()
    this.#keep()
  }

  /** What is on the screen: what it was last told of. */
  get shown(): Shown {
    return this.#last
  }

  leave(): void {
    this.#isLeft = true
    this.#stop()
  }

  /** After each step: nothing changed that was not told. */
  check(): void {
    const now = this.query.getSnapshot()
    must(now === this.#last, () => `${this.#name} changed and nobody was told: ${text(this.#last)} → ${text(now)}`)
  }

  /** At the end: what was handed out is as it was. */
  checkHandedOut(): void {
    for (const { shown, copy } of this.#handedOut) {
      must(same(shown, copy), () => `${this.#name} changed what it had handed out: ${text(copy)} → ${text(shown)}`)
    }
  }

  get #name(): string {
    return text(this.target)
  }

  #told(): void {
    const before = this.#last
    const now = this.query.getSnapshot()
    this.#last = now
    this.told++
    this.#keep()
    // What a listener throws would be caught by the library.
    if (this.#isLeft) this.#onWrong(new Wrong(`${this.#name} was told after it had left`))
    else if (now === before) this.#onWrong(new Wrong(`${this.#name} was told of nothing: ${text(now)}`))
    // After a reset the wait begins anew, and who shows something else meanwhile has to know.
    else if (now.status !== 'pending' && !this.wasRead && same(now, before) && text(now) === text(before))
      this.#onWrong(new Wrong(`${this.#name} was told of what looks the same: ${text(now)}`))
  }

  #keep(): void {
    this.#handedOut.push({ shown: this.#last, copy: copyOf(this.#last) })
  }
}

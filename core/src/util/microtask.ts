/** Runs something once in the next microtask, however often it is asked for until then. */
export class Microtask {
  readonly #run: () => void
  #isAsked = false

  constructor(run: () => void) {
    this.#run = run
  }

  ask(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    queueMicrotask(() => {
      this.#isAsked = false
      this.#run()
    })
  }
}

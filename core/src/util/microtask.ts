/** Runs a function once in the next microtask, however often it is scheduled until then. */
export class Microtask {
  readonly #run: () => void
  #isScheduled = false

  constructor(run: () => void) {
    this.#run = run
  }

  schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      this.#run()
    })
  }
}

/** Runs a function once in the next microtask, or when `queue` says so, however often it is scheduled until then. */
export class Microtask {
  readonly #run: () => void
  readonly #queue: (run: () => void) => void
  #isScheduled = false

  constructor(run: () => void, queue: (run: () => void) => void = queueMicrotask) {
    this.#run = run
    this.#queue = queue
  }

  schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const queue = this.#queue
    queue(() => {
      this.#isScheduled = false
      this.#run()
    })
  }
}

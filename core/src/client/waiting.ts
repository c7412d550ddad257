/** A promise for all who wait for one thing; after it settled, the next to wait get a new one. */
export class Waiting {
  #promise: Promise<void> | undefined = undefined
  #resolve: () => void = () => {}

  /** True while somebody waits. */
  get isWanted(): boolean {
    return this.#promise !== undefined
  }

  join(): Promise<void> {
    this.#promise ??= new Promise<void>((resolve) => {
      this.#resolve = resolve
    })
    return this.#promise
  }

  end(): void {
    this.#promise = undefined
    this.#resolve()
  }
}

import type { Place } from './description-error.js'
import { pointerOf } from './pointer.js'

/** Collects parts that could not be written as rows, or only incompletely. */
export class Report {
  readonly #file: string
  readonly #places = new Map<string, Place>()

  constructor(file: string) {
    this.#file = file
  }

  /** Notes a message once, for the place with this path. */
  note(path: readonly string[], message: string): void {
    const at = `${this.#file}${pointerOf(path)}`
    this.#places.set(`${at} ${message}`, { at, message })
  }

  /** All notes, in the order of the description. */
  get places(): readonly Place[] {
    return [...this.#places.values()]
  }
}

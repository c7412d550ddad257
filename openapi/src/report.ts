import type { Place } from './description-error.js'
import { pointerOf } from './pointer.js'

/** Collects what could not be written as rows, or not as fully as one would wish. */
export class Report {
  readonly #file: string
  readonly #places = new Map<string, Place>()

  constructor(file: string) {
    this.#file = file
  }

  /** Notes something once, at the place that these names lead to. */
  note(path: readonly string[], message: string): void {
    const at = `${this.#file}${pointerOf(path)}`
    this.#places.set(`${at} ${message}`, { at, message })
  }

  /** All that was noted, in the order of the description. */
  get places(): readonly Place[] {
    return [...this.#places.values()]
  }
}

import { DepthError } from '../tools/errors.js'

/** Nested deeper than this, data is refused: the walk uses the call stack. */
const DEEPEST = 1_200
/** From this depth on values that contain themselves are looked for. */
const SUSPICIOUS = 100

/** How deep in a payload the walk is. */
export class Depth {
  at = 0
  /** Values that enclose the present one, once the walk is suspiciously deep. */
  #enclosing: Set<object> | undefined = undefined

  /** @throws DepthError */
  down(): void {
    if (++this.at > DEEPEST) throw new DepthError(DEEPEST)
  }

  up(): void {
    this.at--
  }

  /** Goes into a value, unless it encloses itself, which only values that are no JSON can. */
  enter(value: object): boolean {
    if (this.at > SUSPICIOUS) {
      this.#enclosing ??= new Set()
      if (this.#enclosing.has(value)) return false
      this.#enclosing.add(value)
    }
    this.down()
    return true
  }

  leave(value: object): void {
    this.at--
    this.#enclosing?.delete(value)
  }
}

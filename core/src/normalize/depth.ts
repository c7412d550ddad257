import { DepthError } from '../util/errors.js'

/** Nested deeper than this, data is refused: the walk uses the call stack. */
const DEEPEST = 1_200

/** How deep in a payload the walk is. */
export class Depth {
  at = 0
  /** How deep it was at most. */
  deepest = 0

  /** @throws DepthError */
  down(): void {
    if (++this.at > this.deepest) this.deepest = this.at
    if (this.at > DEEPEST) throw new DepthError(DEEPEST)
  }

  up(): void {
    this.at--
  }
}

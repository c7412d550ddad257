import type { AgeTuple } from './state.js'

/** A response whose place among the others is not known yet. */
export interface OpenResponse {
  readonly order: number
  readonly tuple: AgeTuple
  at: number
}

/** Tuples as a state has them: once the responses have their places, each is replaced by its index. */
export function closed<Tuple>(tuples: readonly (readonly [unknown, OpenResponse, ...unknown[]])[]): Tuple[] {
  // All other items have the right type already.
  return tuples.map(([first, { at }, ...rest]) => [first, at, ...rest] as Tuple)
}

import type { AgeTuple } from './state.js'

/** A response whose index among the others is not known yet. */
export interface OpenResponse {
  readonly order: number
  readonly tuple: AgeTuple
  at: number
}

/** Returns tuples in the form of a state, with the index of each response in place of the response. */
export function closed<Tuple>(tuples: readonly (readonly [unknown, OpenResponse, ...unknown[]])[]): Tuple[] {
  // All other items already have the right type.
  return tuples.map(([first, { at }, ...rest]) => [first, at, ...rest] as Tuple)
}

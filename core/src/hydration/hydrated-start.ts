import type { Sequence } from '../engine/sequence.js'

/** The number of responses that fit into each half of the interval between two sequence numbers. */
const HALF = 1_048_576

/**
 * Returns the start of a hydrated response: between `since` and the next number, in order of arrival, and in the first half
 * if this device has stored it. Responses of an earlier state, and those beyond `HALF`, share a start, and the later one
 * wins.
 */
export function hydratedStart(sequence: Sequence, since: number, isStored = false): number {
  if (since > sequence.hydratedSince) {
    sequence.hydratedSince = since
    sequence.hydrated = 0
  }
  const count = since < sequence.hydratedSince ? HALF - 1 : Math.min(++sequence.hydrated, HALF - 1)
  return since + (isStored ? count : count + HALF) / (2 * HALF)
}

/** True for a response that this device has stored, whose start lies in the first half between two numbers. */
export function isStoredStart(start: number): boolean {
  return start % 1 > 0 && start % 1 < 0.5
}

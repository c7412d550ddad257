import type { Env } from './env.js'

/** The longest pause after failures, in ms. */
const LONGEST_PAUSE = 60_000

/**
 * Returns the pause in ms before a background request. After failures it is random, so that clients do not return together,
 * and grows with each consecutive failure, but is never shorter than the usual pause.
 *
 * @example growingPause(5_000, 0, env) // 5000
 */
export function growingPause(usual: number, failures: number, env: Pick<Env, 'random'>): number {
  if (failures === 0 || usual >= LONGEST_PAUSE) return usual
  return Math.max(usual, env.random() * Math.min(LONGEST_PAUSE, usual * 2 ** failures))
}

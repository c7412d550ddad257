import type { Env } from './env.js'

/** The longest pause that failures lead to, in ms. */
const LONGEST_PAUSE = 60_000

/**
 * The pause in ms before something is asked for again that nobody waits for: random, so that clients do not return together, and longer
 * with each failure in a row, but never shorter than the usual one.
 *
 * @example growingPause(5_000, 0, env) // 5000
 */
export function growingPause(usual: number, failures: number, env: Pick<Env, 'random'>): number {
  if (failures === 0 || usual >= LONGEST_PAUSE) return usual
  return Math.max(usual, env.random() * Math.min(LONGEST_PAUSE, usual * 2 ** failures))
}

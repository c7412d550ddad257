import type { Cause } from './cause.js'

/** The facts of a key that determine what its reader shows. */
export interface Facts {
  /** True if there is data, from the key's own response or from rows to which its arguments refer. */
  readonly hasData: boolean
  /** True if the data was invalidated after its request had started. */
  readonly isInvalid: boolean
  /** True if the data was marked as stale, independent of its expiry. */
  readonly isStale: boolean
  /** Wall clock in ms after which the data is stale. */
  readonly expiresAt: number
  /** True if stale data may not be shown. */
  readonly invalidIfStale: boolean
  /** The last error, if it is newer than the data and than the last invalidation. */
  readonly error: { readonly policy: 'soft' | undefined; readonly expiresAt: number } | undefined
  /**
   * Set if the reader has shown a row that this client has deleted, which the server no longer has: `recently` while the
   * deletion is pending and for a second after it, for readers that are about to unmount.
   */
  readonly deleted?: 'recently' | 'before' | undefined
  /** True when a response or an error has just arrived: it is fresh then even if its lifetime is 0. */
  readonly justArrived: boolean
  /** The action or mutation that made the data invalid or stale, if any. */
  readonly mark?: Cause | undefined
}

/** The decision what to show and whether to fetch. */
export interface Judgement {
  readonly show: 'data' | 'error' | 'wait'
  readonly fetch: boolean
  /** True if the last shown data stays on the screen. */
  readonly isLast?: true
  /** True if existing data stays next to the error. */
  readonly keepsData?: true
}

/** A stored response or error: when it arrived by both clocks, and when it expires by the wall clock. */
export interface Dated {
  readonly date: number
  readonly expiresAt: number
  /** Monotonic ms. */
  readonly at: number
}

/**
 * Returns the wall clock in ms after which a response or error has expired; 0 if it has expired by the monotonic clock. That
 * clock never jumps, but may stop while a machine sleeps, and the wall clock may be set back, so the first of the two that
 * reaches the end decides.
 */
export function expiryOf({ date, expiresAt, at }: Dated, mono: number): number {
  return mono - at > expiresAt - date ? 0 : expiresAt
}

const DATA: Judgement = { show: 'data', fetch: false }
const DATA_AND_FETCH: Judgement = { show: 'data', fetch: true }
const ERROR: Judgement = { show: 'error', fetch: false }
const ERROR_AND_DATA: Judgement = { show: 'error', fetch: false, keepsData: true }
const LAST: Judgement = { show: 'data', fetch: false, isLast: true }
const WAIT: Judgement = { show: 'wait', fetch: true }

/**
 * The only function that decides what to show and whether to fetch. The first matching row applies:
 *
 * | facts | show | fetch |
 * |---|---|---|
 * | its row was deleted here less than a second ago | the last data | no |
 * | its row was deleted here before that | error | no |
 * | a recent error, policy `'soft'`, and data that may be shown | data | no |
 * | a recent error otherwise | error, together with data that may be shown | no |
 * | no data, or invalidated data | wait | yes |
 * | fresh data | data | no |
 * | stale data with `invalidIfStale` | wait | yes |
 * | stale data | data | yes |
 */
export function freshness(facts: Facts, now: number): Judgement {
  const { error, deleted } = facts
  if (deleted !== undefined) return deleted === 'recently' ? LAST : ERROR
  if (error !== undefined && (facts.justArrived || now < error.expiresAt)) {
    if (!outlivesError(facts, now)) return ERROR
    return error.policy === 'soft' && facts.hasData ? DATA : ERROR_AND_DATA
  }
  if (!facts.hasData || facts.isInvalid) return WAIT
  if (!facts.isStale && (facts.justArrived || now < facts.expiresAt)) return DATA
  return facts.invalidIfStale ? WAIT : DATA_AND_FETCH
}

/** True if data may still be shown after its refetch has failed: instead of the error, or next to it. */
function outlivesError(facts: Facts, now: number): boolean {
  // An error that has just arrived does not make the data newer.
  return !facts.isInvalid && (!facts.invalidIfStale || (!facts.isStale && now < facts.expiresAt))
}

/** Returns the sequence number of the mark that made the data stale or invalid; 0 if none did. */
export function markOf({ mark }: Partial<Facts> = {}): number {
  return (mark !== undefined && 'by' in mark && mark.by) || 0
}

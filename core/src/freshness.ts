/** What is known of a key when somebody asks what to show. */
export interface Facts {
  /** True if there is something to show, of the key's own answer or of rows that its arguments name. */
  readonly hasData: boolean
  /** True if the data was invalidated after it was asked for. */
  readonly isInvalid: boolean
  /** True if the data is known to be out of date, whatever the clock says. */
  readonly isStale: boolean
  /** Wall clock in ms after which the data is out of date. */
  readonly expiresAt: number
  /** True if out of date data may not be shown. */
  readonly invalidIfStale: boolean
  /** The last error, if it is newer than the data and than the last invalidation. */
  readonly error: { readonly policy: 'soft' | undefined; readonly expiresAt: number } | undefined
  /** True at the moment of an answer or an error: it counts as in date even if its lifetime is 0. */
  readonly justArrived: boolean
}

/** What to show, and whether to fetch. */
export interface Verdict {
  readonly show: 'data' | 'error' | 'wait'
  readonly fetch: boolean
  /** True if data, should there be any, stays beside the error. */
  readonly keepsData?: true
}

/** Something that is kept for a while: when it came by both clocks, and until when it is in date by the wall clock. */
export interface Dated {
  readonly date: number
  readonly expiresAt: number
  /** Monotonic ms. */
  readonly at: number
}

/**
 * Wall clock in ms after which something is out of date; 0 if its life is over by the monotonic clock. That one never jumps, but may
 * stand still while a machine sleeps; the wall clock may be set back. Whichever says so first is believed.
 */
export function expiryOf({ date, expiresAt, at }: Dated, mono: number): number {
  return mono - at > expiresAt - date ? 0 : expiresAt
}

const DATA: Verdict = { show: 'data', fetch: false }
const DATA_AND_FETCH: Verdict = { show: 'data', fetch: true }
const ERROR: Verdict = { show: 'error', fetch: false }
const ERROR_AND_DATA: Verdict = { show: 'error', fetch: false, keepsData: true }
const WAIT: Verdict = { show: 'wait', fetch: true }

/**
 * The only judge of show, wait or fail, and of fetch or not. The first row that fits counts:
 *
 * | what is known | show | fetch |
 * |---|---|---|
 * | an error in date, policy `'soft'`, and data that may be shown | data | no |
 * | an error in date otherwise | error; data that may be shown stays beside it | no |
 * | nothing, or invalidated | wait | yes |
 * | data in date | data | no |
 * | data out of date, `invalidIfStale` | wait | yes |
 * | data out of date | data | yes |
 */
export function freshness(facts: Facts, now: number): Verdict {
  const { error } = facts
  if (error !== undefined && (facts.justArrived || now < error.expiresAt)) {
    if (!outlivesError(facts, now)) return ERROR
    return error.policy === 'soft' && facts.hasData ? DATA : ERROR_AND_DATA
  }
  if (!facts.hasData || facts.isInvalid) return WAIT
  if (!facts.isStale && (facts.justArrived || now < facts.expiresAt)) return DATA
  return facts.invalidIfStale ? WAIT : DATA_AND_FETCH
}

/** True if data that is there may still be shown where asking for it again has failed: instead of the error, or beside it. */
function outlivesError(facts: Facts, now: number): boolean {
  // That an error has just arrived makes no data younger.
  return !facts.isInvalid && (!facts.invalidIfStale || (!facts.isStale && now < facts.expiresAt))
}

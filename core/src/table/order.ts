/**
 * What is known of one field (of a row's presence, of a member's presence in a list, of a whole result): sequence numbers of
 * the answers that carried it. 0 is none.
 */
export interface FieldOrder {
  /** Start of the newest read that carried it. */
  readonly read: number
  /** Start of the newest-started mutation that wrote it. */
  readonly started: number
  /** Completion of the last mutation that carried it: a fence against reads that started before. */
  readonly done: number
}

/** An answer's place in the one order of the store. */
export interface Version {
  /** Sequence number of the request's start. */
  readonly start: number
  /** Sequence number of a mutation's completion; a read's is not looked at. */
  readonly done: number
  readonly mutation: boolean
}

/**
 * How an answer's value of a field stands to what is there.
 * - `newer`: it replaces what is there.
 * - `contested`: it replaces it, but the server may have applied the two in the other order, so where they differ the results
 *   that stand on it are stale.
 * - `overtaken`: a mutation was faster; it only fills a gap, and where it differs the results are stale.
 * - `older`: a later read was faster; it only fills a gap, and nothing follows.
 */
export type Verdict = 'newer' | 'contested' | 'overtaken' | 'older'

/**
 * The one rule of order. Rows ask it for each field, and so do results, memberships and tombstones.
 *
 * | answer | what is there | verdict |
 * |---|---|---|
 * | read | a mutation completed after its start carried it | overtaken |
 * | read | a read that started later carried it | older |
 * | read | otherwise | newer |
 * | mutation | a mutation that started later wrote it | overtaken |
 * | mutation | a mutation completed, or a read started, after its start | contested |
 * | mutation | otherwise | newer |
 */
export function judge(answer: Version, known: FieldOrder): Verdict {
  const { start } = answer
  if (!answer.mutation) {
    if (start < known.done) return 'overtaken'
    return start < known.read ? 'older' : 'newer'
  }
  if (known.started > start) return 'overtaken'
  return known.done > start || known.read > start ? 'contested' : 'newer'
}

/** What is known of a field after an answer carried it. A mutation raises the fence also where it lost. */
export function carried(answer: Version, known: FieldOrder): FieldOrder {
  if (!answer.mutation) return answer.start > known.read ? { ...known, read: answer.start } : known
  return {
    read: known.read,
    started: Math.max(known.started, answer.start),
    done: Math.max(known.done, answer.done),
  }
}

/** The moment that overtook what an answer said: a fetch that started later than this knows better. */
export function overtook(answer: Version, known: FieldOrder): number {
  return answer.mutation ? Math.max(answer.done, known.done) : known.done
}

/** Nothing is known yet. */
export const UNKNOWN: FieldOrder = Object.freeze({ read: 0, started: 0, done: 0 })

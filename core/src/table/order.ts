/**
 * The order of one field (or of a row's presence, a member's presence in a list, a whole result): sequence numbers of the
 * responses that contained it. 0 is none.
 */
export interface FieldOrder {
  /**
   * Start of the newest read that contained it. A mutation that only repeats it counts as a read from when it was sent. So does
   * one that names only other fields, for a mutation that names this one.
   */
  readonly read: number
  /** Start of the newest-started mutation that wrote it; Infinity for one that names it, if the response does not. */
  readonly started: number
  /** Completion of the last mutation that wrote it. */
  readonly written: number
  /** Completion of the last mutation that contained it: a fence against reads that started before. */
  readonly done: number
}

/** A response's position in the order of the store. */
export interface Version {
  /** Sequence number of the request's start. */
  readonly start: number
  /** Sequence number of a mutation's completion; for a read in a mutation's response (`also`), that of the mutation. */
  readonly done: number
  readonly mutation: boolean
  /**
   * For a mutation that had to wait, the newest number when it was sent; Infinity while it waits. The server applies it
   * after all requests that had ended by then.
   */
  readonly heldUntil?: number | undefined
  /**
   * The fields that a mutation's last argument names, or its optimistic response contains, with their values until the response
   * is written; undefined if its response has none of them beside keys, since a body with only a reason does not tell what the
   * mutation changes.
   */
  names?: { has(field: string): boolean; get?(field: string): unknown } | undefined
}

/**
 * Compares a response's value of a field with the stored value.
 * - `newer`: it replaces the stored value.
 * - `conflict`: it replaces the stored value, but the server may have applied the two in the other order, so if they differ,
 *   the results that depend on the field become stale.
 * - `overtaken`: a mutation was faster: it only fills a gap, and if the values differ, the results become stale.
 * - `older`: a later read was faster: it only fills a gap.
 */
export type Verdict = 'newer' | 'conflict' | 'overtaken' | 'older'

/**
 * The only function that orders responses: for each field of a row, for results, memberships and tombstones.
 *
 * | response | already stored | verdict |
 * |---|---|---|
 * | read | a mutation other than its own completed after its start, and wrote it or was sent after it | overtaken |
 * | read | a read that started later contained it | older |
 * | read | a mutation that was sent before its start completed after that, and only repeated it | conflict |
 * | read | otherwise | newer |
 * | mutation | a mutation that started later wrote it, and had not ended when this one was sent | overtaken |
 * | mutation that does not name it | a mutation that names it wrote it, and had not ended when this one was sent | overtaken |
 * | mutation that only repeats it | a mutation that wrote it completed, or a read started, after it was sent | overtaken |
 * | mutation | a mutation that wrote it completed, or a read started, after it was sent | conflict |
 * | mutation | otherwise | newer |
 *
 * @param repeats - true for a mutation that only repeats the field
 */
export function judge(response: Version, before: FieldOrder, repeats = false): Verdict {
  const { start, heldUntil: sent = start } = response
  if (!response.mutation) {
    const isMissing = start < before.done && before.done !== response.done
    if (isMissing && start < Math.max(before.written, before.read)) return 'overtaken'
    if (start < before.read) return 'older'
    return isMissing ? 'conflict' : 'newer'
  }
  if (Math.max(before.written, before.read) <= sent) return 'newer'
  return repeats || isOvertaken(start, sent, before) ? 'overtaken' : 'conflict'
}

/** True if a mutation that started later wrote it, and had not ended when the one with this start was sent. */
export function isOvertaken(
  start: number,
  sent: number,
  { started, written }: Pick<FieldOrder, 'started' | 'written'>,
): boolean {
  return started > start && written > sent
}

/** Returns the sequence number that overtook a response: a fetch that starts later gets a newer value. */
export function overtook(response: Version, before: FieldOrder): number {
  return response.mutation ? Math.max(response.done, before.done) : before.done
}

/** The order of a field before any response. */
export const UNKNOWN: FieldOrder = Object.freeze<FieldOrder>({ read: 0, started: 0, written: 0, done: 0 })

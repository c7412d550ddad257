import type { RowRecord } from '../schema/schema.js'
import type { Change, MemberWrite } from '../table/change.js'
import { type FieldOrder, isOvertaken, UNKNOWN, type Version } from '../table/order.js'
import type { EntityRow, Row } from '../table/row.js'
import { type RecordValue, TOMBSTONE } from '../table/value.js'

const NO_FIELDS: RowRecord = Object.freeze({})

/** The effects of one response, for requests in flight that may not include it. */
export class JournalEntry {
  readonly version: Version
  /** Its position relative to requests in flight: a mutation's completion, or a read's start. */
  readonly at: number
  readonly change: Change
  /** The membership changes that it made. */
  readonly members: MemberWrite[] = []
  /** The lists that it named: those that its rows entered or left, and those that may contain them. */
  readonly lists: Set<Row> = new Set()
  /** Fields of rows that the call's body has and the response lacks. */
  readonly bodies: Map<EntityRow, RowRecord> = new Map()
  /** The results that it wrote. */
  readonly results: Row[] = []
  /** The rows that it changed, with their values before. */
  readonly changed: Map<EntityRow, RecordValue> = new Map()
  /**
   * The fields of rows that a mutation is taken to repeat: its call names others, and they are as they were when it was sent.
   * Servers respond with whole rows.
   */
  readonly repeated: Map<Row, ReadonlySet<string | undefined>> = new Map()
  #carried: Map<Row, RowRecord | typeof TOMBSTONE> | undefined

  constructor(version: Version, change: Change) {
    this.version = version
    this.at = version.mutation ? version.done : version.start
    this.change = change
  }

  /** Returns the fields of a row in the response; undefined if the response did not contain the row. */
  of(row: Row): RowRecord | typeof TOMBSTONE | undefined {
    this.#carried ??= this.#read()
    return this.#carried.get(row)
  }

  /** Like `of`, with the fields of the call's body that the response lacks. */
  said(row: Row, carried: RowRecord | typeof TOMBSTONE | undefined = this.of(row)): typeof carried {
    const bodies: ReadonlyMap<Row, RowRecord> = this.bodies
    const body = bodies.get(row)
    return body === undefined || carried === TOMBSTONE ? carried : { ...carried, ...body }
  }

  /** True if a mutation only repeats a field. */
  repeats(row: Row, field: string | undefined): boolean {
    return this.repeated.get(row)?.has(field) === true
  }

  #read(): Map<Row, RowRecord | typeof TOMBSTONE> {
    const { rows, records, lists } = this.change
    const carried = new Map<Row, RowRecord | typeof TOMBSTONE>()
    for (const [i, row] of rows.entries()) carried.set(row, records[i] ?? TOMBSTONE)
    for (const { row } of lists) carried.set(row, NO_FIELDS)
    for (const row of this.results) carried.set(row, NO_FIELDS)
    return carried
  }
}

/**
 * The responses written since the oldest request in flight started. The order of a field, row, list or result follows from
 * those that contained it; all earlier responses are older than any response to come.
 */
export class Journal {
  entries: readonly JournalEntry[] = []

  add(entry: JournalEntry): void {
    this.entries = [...this.entries, entry]
  }

  /** Returns the entries that a response may not include. */
  since({ start, done }: Version): readonly JournalEntry[] {
    // The journal is usually empty.
    return this.entries.length === 0 ? this.entries : this.entries.filter(({ at }) => at > start && at !== done)
  }

  /** Yields a row once per mutation that has changed it, and the lists that the mutation named. */
  *namedWith(row: Row): Generator<Row, void> {
    for (const entry of this.entries) {
      if (!entry.version.mutation || entry.said(row) === undefined) continue
      yield row
      yield* entry.lists
    }
  }

  /** Returns the membership changes of a kind's lists, from all entries or from some. */
  members(key: string, entries: readonly JournalEntry[] = this.entries): readonly MemberWrite[] {
    return entries.flatMap(({ members }) => members.filter(({ change }) => change.list.key === key))
  }

  /** Drops entries that only finished requests could have needed. */
  prune(oldest: number): void {
    // A mutation that started later than one that stays overrides it, so it must stay, too.
    let first = Infinity
    for (const { at, version } of this.entries) if (at >= oldest) first = Math.min(first, version.start)
    this.entries = this.entries.filter(({ at, version }) => at >= oldest || (version.mutation && version.start > first))
  }
}

/**
 * Returns the order of a row, or of one of its fields, by these entries. Of two overlapping mutations, one that names the field
 * comes after one that names only others.
 *
 * @param by - the response that is compared with them
 */
export function orderIn(
  entries: readonly JournalEntry[],
  row: Row,
  field: string | undefined,
  by: Pick<Version, 'names'> & { readonly sent: number; readonly layer?: Pick<Version, 'start'> | undefined },
): FieldOrder {
  let { read, started, written, done } = UNKNOWN
  const isNamed = field === undefined ? undefined : by.names?.has(field)
  for (const entry of entries) {
    const carried = entry.of(row)
    if (carried === undefined) continue
    // A deletion decides about all fields.
    if (field !== undefined && carried !== TOMBSTONE && !Object.hasOwn(carried, field)) continue
    const { version } = entry
    const { start, heldUntil: sent = start } = version
    if (!version.mutation) read = Math.max(read, start)
    else {
      done = Math.max(done, version.done)
      const names = isNamed === undefined || carried === TOMBSTONE ? undefined : version.names?.has(`${field}`)
      // One that another tab has sent may still wait in this one.
      if ((isNamed && names === false) || entry.repeats(row, field)) read = Math.max(read, Math.min(sent, version.done))
      else {
        started = Math.max(started, isNamed === false && names && version.done > by.sent ? Infinity : start)
        written = Math.max(written, version.done)
      }
      // A layer asks only whether it is overtaken.
      if (by.layer && isOvertaken(by.layer.start, by.sent, { started, written })) break
    }
  }
  return { read, started, written, done }
}

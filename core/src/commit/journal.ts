import type { RowRecord } from '../schema/schema.js'
import type { Change, MemberWrite } from '../table/change.js'
import { type FieldOrder, UNKNOWN, type Version } from '../table/order.js'
import type { EntityRow, Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'

const NO_FIELDS: RowRecord = Object.freeze({})

/** The effects of one response, for requests in flight that may not know of it. */
export class JournalEntry {
  readonly version: Version
  /** Its place against requests in flight: a mutation's completion, or a read's start. */
  readonly at: number
  readonly change: Change
  /** The membership changes that it made. */
  readonly members: MemberWrite[] = []
  /** The lists that it named: those that its rows entered or left, and those that they may be in. */
  readonly lists: Set<Row> = new Set()
  /** Fields of rows that the call's body has and the response lacks. */
  readonly bodies: Map<EntityRow, RowRecord> = new Map()
  /** The results that it wrote. */
  readonly results: Row[] = []
  #carried: Map<Row, RowRecord | typeof TOMBSTONE> | undefined = undefined

  constructor(version: Version, change: Change) {
    this.version = version
    this.at = version.mutation ? version.done : version.start
    this.change = change
  }

  /** Returns the fields of a row that the response carried; undefined if it did not carry the row. */
  of(row: Row): RowRecord | typeof TOMBSTONE | undefined {
    this.#carried ??= this.#read()
    return this.#carried.get(row)
  }

  /** The same, with the fields of the call's body that the response lacks. */
  said(row: Row, carried: RowRecord | typeof TOMBSTONE | undefined = this.of(row)): typeof carried {
    const bodies: ReadonlyMap<Row, RowRecord> = this.bodies
    const body = bodies.get(row)
    return body === undefined || carried === TOMBSTONE ? carried : { ...carried, ...body }
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
 * The responses that were written since the oldest request in flight started. A field, row, list or result is judged by those of them that
 * carried it: all others are older than every response that is still to come.
 */
export class Journal {
  entries: readonly JournalEntry[] = []

  add(entry: JournalEntry): void {
    this.entries = [...this.entries, entry]
  }

  /** The entries that a response does not know of. */
  since({ start, done }: Version): readonly JournalEntry[] {
    // Mostly nothing else is in flight.
    return this.entries.length === 0 ? this.entries : this.entries.filter(({ at }) => at > start && at !== done)
  }

  /** A row that mutations have changed, and the lists that they named. */
  *namedWith(row: Row): Generator<Row, void> {
    for (const entry of this.entries) {
      if (!entry.version.mutation || entry.said(row) === undefined) continue
      yield row
      yield* entry.lists
    }
  }

  /** The membership changes of the lists of a kind, of all entries or of some. */
  members(key: string, entries: readonly JournalEntry[] = this.entries): readonly MemberWrite[] {
    return entries.flatMap(({ members }) => members.filter(({ change }) => change.list.key === key))
  }

  /** Drops entries that only finished requests could have needed. */
  prune(oldest: number): void {
    // A mutation that started after one that stays wins over it, so it stays too.
    let first = Infinity
    for (const { at, version } of this.entries) if (at >= oldest) first = Math.min(first, version.start)
    this.entries = this.entries.filter(({ at, version }) => at >= oldest || (version.mutation && version.start > first))
  }
}

/** The order of a field among these entries, or of the row itself. */
export function orderIn(entries: readonly JournalEntry[], row: Row, field?: string): FieldOrder {
  let { read, started, done } = UNKNOWN
  for (const entry of entries) {
    const carried = entry.of(row)
    if (carried === undefined) continue
    // A deletion decides on all fields.
    if (field !== undefined && carried !== TOMBSTONE && !Object.hasOwn(carried, field)) continue
    const { version } = entry
    if (version.mutation) {
      started = Math.max(started, version.start)
      done = Math.max(done, version.done)
    } else read = Math.max(read, version.start)
  }
  return { read, started, done }
}

import { deserializer } from '../schema/deserializer.js'
import type { RowRecord } from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { Plan, Relation } from '../table/plan.js'
import { isThere, type Row, TOMBSTONE } from '../table/row.js'
import { equal } from '../tools/equal.js'
import { joinFields } from '../tools/join-fields.js'
import { copyPlain, seal } from '../tools/plain.js'
import { copyLike, copyOf } from './copies.js'
import type { NormalizeOptions } from './normalize-options.js'
import type { Place } from './place.js'

/** What an answer says of entities, one after another: each record is one for the table to keep, and copied only where it must be. */
export class Records {
  readonly outcome: Change = new Change()
  /** True once a row may have been met twice. */
  mayRepeat = false
  /** True if nobody else has the answer, nor any part of it. */
  readonly isOwn: boolean
  readonly #options: NormalizeOptions
  readonly #place: Place

  constructor(options: NormalizeOptions, place: Place, isOwn: boolean) {
    this.#options = options
    this.#place = place
    this.isOwn = isOwn
  }

  /** What a row holds with what the answer said so far; undefined if it is missing or deleted. */
  known(row: Row): RowRecord | undefined {
    const held = this.outcome.said(row) ?? this.#options.valueOf(row)
    // What stands in an entity's row and is no tombstone is a record.
    return isThere(held) ? (held as RowRecord) : undefined
  }

  /** Says a record without relations; where the table holds just that already, it is the table's own record. */
  sayPlain(plan: Plan, row: Row, fields: RowRecord): void {
    const said = this.outcome.said(row)
    if (said === undefined) {
      const known = this.known(row)
      this.outcome.add(row, known === undefined ? this.#own(plan, fields) : this.#knownOr(plan, fields, known), plan)
    } else {
      this.mayRepeat = true
      if (said === TOMBSTONE || !plan.plainMerge || !plan.holdsJust(said, fields)) this.#join(plan, row, said, fields)
    }
  }

  /** Says a record in which relations are keys. */
  say(plan: Plan, row: Row, record: RowRecord): void {
    const said = this.outcome.said(row)
    if (said === undefined) {
      this.outcome.add(row, record, plan)
      return
    }
    this.mayRepeat = true
    this.#join(plan, row, said, record)
  }

  /** The same row twice in one answer: the later one joins the earlier. */
  #join(plan: Plan, row: Row, said: RowRecord | typeof TOMBSTONE, record: RowRecord): void {
    const joined =
      said === TOMBSTONE
        ? copyOf(plan, record)
        : plan.plainMerge
          ? joinFields(said, record)
          : this.#merge(plan, said, record)
    this.outcome.say(row, joined, plan)
  }

  #merge(plan: Plan, said: RowRecord, record: RowRecord): RowRecord {
    const merged = this.#place.guard(() => plan.entity.merge(said, record))
    return copyOf(plan, merged)
  }

  /** What a record is whose relations all stayed as they were: the known one where nothing else differs either. */
  whole(plan: Plan, value: RowRecord, known: RowRecord | undefined): RowRecord {
    if (known === undefined) return seal(value)
    const record = this.#knownOr(plan, value, known)
    return record === value ? copyLike(plan, value, known, plan.relations.length) : record
  }

  /** The known record where it holds just that; a class that merges by itself is given what came. */
  #knownOr(plan: Plan, fields: RowRecord, known: RowRecord): RowRecord {
    return plan.plainMerge && plan.plainOrder && plan.holdsJust(known, fields) ? known : fields
  }

  /** Tries a deserializer, so that an answer which it cannot read is refused. */
  tryLeaf({ field, schema }: Relation, known: unknown, raw: unknown): void {
    if (raw === undefined || raw === null || equal(known, raw)) return
    // A leaf is a function that is no entity.
    const read = deserializer(schema as (value: never) => unknown)
    const outer = this.#place.enter(field)
    this.#place.guard(() => read(raw))
    this.#place.leave(outer)
  }

  #own(plan: Plan, fields: RowRecord): RowRecord {
    return this.isOwn ? seal(fields) : copyOf(plan, fields)
  }

  /** What an answer holds beside entities, for the table to keep. */
  plain(value: unknown): unknown {
    return this.isOwn ? value : copyPlain(value)
  }
}

import { deserializer } from '../schema/deserializer.js'
import type { RowRecord } from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { EntityInfo, Relation } from '../table/entity-info.js'
import { isThere, type Row, TOMBSTONE } from '../table/row.js'
import { equal } from '../util/equal.js'
import { type Copies, copyPlain, freezeInDevelopment, joinFields } from '../util/plain.js'
import { copyLike, copyOf } from './copies.js'
import type { NormalizeOptions } from './normalize-options.js'
import type { Place } from './place.js'
import type { Way } from './way.js'

/**
 * So many values may speak of a row before it is noted which did. Parsed JSON holds no value twice; what does, need not be taken apart
 * more often than this.
 */
const MANY = 32

/** What an answer says of entities, one after another: each record is one for the table to keep, and copied only where it must be. */
export class Records {
  readonly outcome: Change = new Change()
  /** True once a row may have been met twice. */
  mayRepeat = false
  /** True if nobody else has the answer, nor any part of it. */
  readonly isOwn: boolean
  readonly #options: NormalizeOptions
  readonly #place: Place
  readonly #copies: Copies = new Map()
  /** How often rows were said again, by their slots. */
  readonly #times: number[] = []
  /** What values said of rows of which many others spoke, too. */
  readonly #earlier = new Map<Way, Map<object, RowRecord>>()
  /** From where values were met again whose classes may look at that. */
  readonly #origins = new Map<object, Set<string>>()

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

  /**
   * True if this very value said the row before: parts that stand in several places are taken apart once. Classes with a `process`
   * of their own may look at the place, so for them it counts, too.
   */
  isRepeat(
    way: Way,
    info: EntityInfo,
    row: Row,
    input: object,
    owner: Row | undefined,
    field: string | undefined,
  ): boolean {
    const said = this.outcome.said(row)
    if (said === undefined || said === TOMBSTONE) return false
    const isLast = way.inputs[row.slot] === input
    const earlier = isLast ? undefined : this.#earlier.get(way)?.get(input)
    if (!isLast && earlier === undefined) return false
    if (!info.plainProcess && this.#isFirstFrom(input, JSON.stringify([owner?.home.key, owner?.pk, field])))
      return false
    this.mayRepeat = true
    // Others spoke of the row in between.
    if (earlier !== undefined) {
      this.#join(info, row, said, earlier)
      way.inputs[row.slot] = input
    }
    return true
  }

  #isFirstFrom(input: object, origin: string): boolean {
    const origins = this.#origins.get(input) ?? new Set()
    this.#origins.set(input, origins)
    return origins.size < origins.add(origin).size
  }

  /** Says a record without relations; where the table holds just that already, it is the table's own record. */
  sayPlain(info: EntityInfo, row: Row, fields: RowRecord): void {
    const said = this.outcome.said(row)
    if (said === undefined) {
      const known = this.known(row)
      this.outcome.add(row, known === undefined ? this.#own(info, fields) : this.#knownOr(info, fields, known), info)
    } else {
      this.mayRepeat = true
      if (said === TOMBSTONE || !info.plainMerge || !info.holdsJust(said, fields)) this.#join(info, row, said, fields)
    }
  }

  /** Says a record in which relations are keys. */
  say(way: Way, info: EntityInfo, row: Row, record: RowRecord, input: object): void {
    const said = this.outcome.said(row)
    if (said === undefined) this.outcome.add(row, record, info)
    else {
      this.mayRepeat = true
      this.#again(way, row, said, record, input)
      this.#join(info, row, said, record)
    }
    way.inputs[row.slot] = input
  }

  /** Many values speak of a row: what each said is kept from now on, since any of them may be met again. */
  #again(way: Way, row: Row, said: RowRecord | typeof TOMBSTONE, record: RowRecord, input: object): void {
    const { slot } = row
    const times = (this.#times[slot] ?? 0) + 1
    this.#times[slot] = times
    if (times < MANY) return
    const before = way.inputs[slot]
    if (before !== undefined && said !== TOMBSTONE) this.#note(way, before, said)
    this.#note(way, input, record)
  }

  #note(way: Way, input: object, record: RowRecord): void {
    const known = this.#earlier.get(way)
    if (known === undefined) this.#earlier.set(way, new Map([[input, record]]))
    else if (!known.has(input)) known.set(input, record)
  }

  /** The same row twice in one answer: the later one joins the earlier. */
  #join(info: EntityInfo, row: Row, said: RowRecord | typeof TOMBSTONE, record: RowRecord): void {
    const joined =
      said === TOMBSTONE
        ? this.copy(info, record)
        : info.plainMerge
          ? joinFields(said, record)
          : this.#merge(info, said, record)
    this.outcome.say(row, joined, info)
  }

  #merge(info: EntityInfo, said: RowRecord, record: RowRecord): RowRecord {
    const merged = this.#place.guard(() => info.entity.merge(said, record))
    return this.copy(info, merged)
  }

  /** What a record is whose relations all stayed as they were: the known one where nothing else differs either. */
  whole(info: EntityInfo, value: RowRecord, known: RowRecord | undefined): RowRecord {
    if (known === undefined) return freezeInDevelopment(value)
    const record = this.#knownOr(info, value, known)
    return record === value ? copyLike(info, value, known, info.relations.length) : record
  }

  /** The known record where it holds just that; a class that merges by itself is given what came. */
  #knownOr(info: EntityInfo, fields: RowRecord, known: RowRecord): RowRecord {
    return info.plainMerge && info.plainOrder && info.holdsJust(known, fields) ? known : fields
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

  #own(info: EntityInfo, fields: RowRecord): RowRecord {
    return this.isOwn ? freezeInDevelopment(fields) : this.copy(info, fields)
  }

  /** A copy for the table to keep. What a `process` made may be changed and handed on again: of that each record has its own. */
  copy(info: EntityInfo, record: RowRecord): Record<string, unknown> {
    return copyOf(info, record, info.plainProcess ? this.#copies : new Map())
  }

  /** What an answer holds beside entities, for the table to keep. */
  plain(value: unknown): unknown {
    return this.isOwn ? value : copyPlain(value, this.#copies)
  }
}

import type { RowRecord } from '../schema/schema.js'
import type { EntityInfo } from '../table/entity-info.js'
import { TOMBSTONE } from '../table/value.js'
import { type Copies, copyPlain, freezeInDevelopment, joinFields, put } from '../util/plain.js'

/** Makes the values that the table keeps of a response: copies, where somebody else has it. */
export class Records {
  /** True if nobody else has the response, nor any part of it. */
  readonly #isOwn: boolean
  readonly #copies: Copies = new Map()
  /** Joined records that nothing refers to but the change. */
  readonly #joined = new Set<RowRecord>()

  constructor(isOwn: boolean) {
    this.#isOwn = isOwn
  }

  /** A value that is no entity. */
  plain(value: unknown): unknown {
    return this.#isOwn ? value : copyPlain(value, this.#copies)
  }

  /** A record. One with relations is the visitor's already. */
  own(info: EntityInfo, record: RowRecord): RowRecord {
    if (this.#isOwn) return freezeInDevelopment(record)
    return info.relations.length > 0 ? record : this.#copy(info, record)
  }

  /** The record of a row with relations, which are replaced by keys. */
  parted(info: EntityInfo, fields: RowRecord): Record<string, unknown> {
    return this.#isOwn ? info.copy(fields) : this.#copy(info, fields)
  }

  /** The same row twice in one response: the later record joins the earlier. */
  join(info: EntityInfo, written: RowRecord | typeof TOMBSTONE, record: RowRecord): RowRecord {
    if (written === TOMBSTONE) return this.own(info, record)
    if (!info.plainMerge) return this.#copy(info, info.entity.merge(written, record))
    const joined = joinFields(written, record, this.#joined.has(written))
    if (joined !== written) this.#joined.add(joined)
    return joined
  }

  /** A joined record will be needed as it is now. */
  keep(joined: RowRecord): void {
    this.#joined.delete(joined)
  }

  /** A copy that later changes to the response do not reach. Relations stay as they are. */
  #copy(info: EntityInfo, record: RowRecord): Record<string, unknown> {
    // The result of a `process` may be changed and passed on again, so each record has its own copy.
    const copies = info.plainProcess ? this.#copies : new Map()
    const copy = info.copy(record)
    for (const field in copy) {
      const value = copy[field]
      if (typeof value === 'object' && value !== null && !info.isLink.has(field))
        put(copy, field, copyPlain(value, copies))
    }
    return copy
  }
}

import type { RowRecord } from '../schema/schema.js'
import type { Row } from '../table/row.js'
import { type RecordValue, TOMBSTONE } from '../table/value.js'
import { closed, type OpenResponse } from './open-response.js'
import type { Dehydrated } from './state.js'
import { encodeValue, isStorable } from './values.js'

/** Rows with the same fields from one response: the key and the values of each row in turn. */
type RowGroup = [kind: string, response: OpenResponse, shape: number | null, values: unknown[]]

/**
 * The rows of a draft. Consecutive rows from one response share a tuple, which keeps their order and names their fields only
 * once. An array for each row would account for half of all allocations.
 */
export class ShapedRows {
  /** Indexes of shapes, by their fields as text. */
  readonly #shapes = new Map<string, number>()
  readonly #groups: RowGroup[] = []
  #open: RowGroup | undefined = undefined
  /** The fields of the rows of the open group. */
  #fields: readonly string[] = []
  /** Called with rows that have values which JSON cannot represent. If it is set, such rows are left out. */
  readonly #onOdd: ((row: Row) => void) | undefined

  constructor(onOdd?: (row: Row) => void) {
    this.#onOdd = onOdd
  }

  get isEmpty(): boolean {
    return this.#groups.every(([, , , values]) => values.length === 0)
  }

  add(row: Row, record: RecordValue, response: OpenResponse): void {
    const { key } = row.home
    const isGone = record === TOMBSTONE || record === undefined
    let group = this.#open
    if (group?.[0] !== key || group[1] !== response || (group[2] === null) !== isGone)
      group = this.#begin(key, response, isGone ? null : record)
    if (isGone) group[3].push(row.pk)
    else if (!this.#addValues(group[3], row, record))
      this.#addValues(this.#begin(key, response, record)[3], row, record)
  }

  /** Adds the values of a record. Returns false if its fields differ from those of the group. */
  #addValues(values: unknown[], row: Row, record: RowRecord): boolean {
    const fields = this.#fields
    const start = values.length
    let count = 0
    let isOdd = false
    values.push(row.pk)
    for (const field in record) {
      if (field !== fields[count]) {
        // Inherited fields of a class come last.
        if (!Object.hasOwn(record, field)) continue
        values.length = start
        return false
      }
      count++
      const value = record[field]
      // Most values are texts.
      if (typeof value === 'string') values.push(value)
      else {
        if (this.#onOdd !== undefined && !isStorable(value)) isOdd = true
        values.push(encodeValue(value))
      }
    }
    if (isOdd || count < fields.length) values.length = start
    if (isOdd) this.#onOdd?.(row)
    return count === fields.length
  }

  #begin(key: string, response: OpenResponse, record: RowRecord | null): RowGroup {
    this.#fields = record === null ? [] : Object.keys(record)
    this.#open = [key, response, record === null ? null : this.#shapeOf(this.#fields), []]
    this.#groups.push(this.#open)
    return this.#open
  }

  #shapeOf(fields: readonly string[]): number {
    const text = JSON.stringify(fields)
    const shape = this.#shapes.get(text) ?? this.#shapes.size
    this.#shapes.set(text, shape)
    return shape
  }

  close(): Pick<Dehydrated, 'shapes' | 'rows'> {
    return {
      shapes: [...this.#shapes.keys()].map((fields) => JSON.parse(fields)),
      rows: closed(this.#groups.filter(([, , , values]) => values.length > 0)),
    }
  }
}

import type { RowRecord } from '../schema/schema.js'
import type { Row } from '../table/row.js'
import { type RecordValue, TOMBSTONE } from '../table/value.js'
import { closed, type OpenResponse } from './open-response.js'
import type { Dehydrated } from './state.js'
import { encodeValue, isStorable } from './values.js'

/** Rows with the same fields from one response: of each its key and its values, one after the other. */
type RowGroup = [kind: string, response: OpenResponse, shape: number | null, values: unknown[]]

/**
 * The rows of a state in the making. Those that follow each other and came together share a tuple: their order stays, and their fields are
 * named once. An array for each row would be half of what is allocated.
 */
export class ShapedRows {
  /** Indexes of shapes, by their fields as text. */
  readonly #shapes = new Map<string, number>()
  readonly #groups: RowGroup[] = []
  #open: RowGroup | undefined = undefined
  /** The fields of the rows of the open group. */
  #fields: readonly string[] = []
  /** Hears of rows with values that JSON does not keep, which are left out then. */
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

  /** False if the record has other fields than the others. */
  #addValues(values: unknown[], row: Row, record: RowRecord): boolean {
    const fields = this.#fields
    const start = values.length
    let count = 0
    let isOdd = false
    values.push(row.pk)
    for (const field in record) {
      if (field !== fields[count]) {
        // A class may have inherited ones, which come last.
        if (!Object.hasOwn(record, field)) continue
        values.length = start
        return false
      }
      count++
      const value = record[field]
      // Most are texts.
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

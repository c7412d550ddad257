import type { Store } from '../engine/store.js'
import type { EntityRow, Row } from '../table/row.js'
import { isThere } from '../table/value.js'
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
  /** Called with rows that have values which JSON cannot represent. If it is set, such rows are left out. */
  readonly #onOdd: ((row: Row) => void) | undefined

  constructor(onOdd?: (row: Row) => void) {
    this.#onOdd = onOdd
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0
  }

  /** Adds rows of one kind. */
  add(rows: readonly EntityRow[], base: Store['base'], response: OpenResponse): void {
    for (let at = 0; at < rows.length; ) {
      const first = rows[at] as EntityRow
      const record = base(first)
      const fields = isThere(record) ? Object.keys(record) : null
      const values: unknown[] = []
      at = this.#addAlike(values, rows, at, base, fields)
      if (values.length > 0) this.#groups.push([first.home.key, response, fields && this.#shapeOf(fields), values])
    }
  }

  /** Adds the rows from `at` on that have these fields, and returns the index of the next row. */
  #addAlike(
    values: unknown[],
    rows: readonly EntityRow[],
    at: number,
    base: Store['base'],
    fields: readonly string[] | null,
  ): number {
    for (let i = at; i < rows.length; i++) {
      const row = rows[i] as EntityRow
      const record = base(row)
      if (!isThere(record) || fields === null) {
        if (isThere(record) || fields !== null) return i
        values.push(row.pk)
        continue
      }
      const start = values.length
      let count = 0
      let isOdd = false
      values.push(row.pk)
      for (const field in record) {
        if (field !== fields[count]) {
          // Inherited fields of a class come last.
          if (!Object.hasOwn(record, field)) continue
          values.length = start
          return i
        }
        count++
        const value = record[field]
        // Most values are texts.
        const encoded = typeof value === 'string' ? value : this.#encode(value)
        if (encoded === ODD) isOdd = true
        values.push(encoded)
      }
      if (count < fields.length) {
        values.length = start
        return i
      }
      if (isOdd) {
        values.length = start
        this.#onOdd?.(row)
      }
    }
    return rows.length
  }

  #encode(value: unknown): unknown {
    if (value === null || typeof value === 'boolean') return value
    return this.#onOdd !== undefined && !isStorable(value) ? ODD : encodeValue(value)
  }

  #shapeOf(fields: readonly string[]): number {
    const text = JSON.stringify(fields)
    const shape = this.#shapes.get(text) ?? this.#shapes.size
    this.#shapes.set(text, shape)
    return shape
  }

  close(): Pick<Dehydrated, 'shapes' | 'rows'> {
    return { shapes: [...this.#shapes.keys()].map((fields) => JSON.parse(fields)), rows: closed(this.#groups) }
  }
}

/** Stands for a value that JSON cannot represent. */
const ODD = Symbol('odd')

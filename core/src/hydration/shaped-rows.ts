import type { Store } from '../engine/store.js'
import type { EntityRow, Row } from '../table/row.js'
import { type ResponseInfo, TOMBSTONE } from '../table/value.js'
import { closed, type OpenResponse } from './open-response.js'
import type { Dehydrated } from './state.js'
import { encodeValue, isStorable } from './values.js'

/** Consecutive rows of one kind that are attributed to the same response. */
export interface RowRun {
  readonly info: ResponseInfo
  readonly isStale: boolean
}

/** Returns the run of a row, which is often that of the row before; undefined for a row that is left out. */
export type RunOf = (row: Row, value: unknown) => RowRun | undefined

/** Rows with the same fields from one response: their keys, and the values of each row; none for deleted rows. */
type RowGroup = [kind: string, response: OpenResponse, shape: number | null, pks: string[], records: unknown[][]]

/**
 * The rows of a draft. Consecutive rows from one response share a tuple, which keeps their order and names their fields only
 * once. The loop here usually runs once, and half of its time is that the engine compiles it: so it is the only one over the
 * rows, and it calls no other function for each field.
 */
export class ShapedRows {
  /** Indexes of shapes, by their fields as text. */
  readonly #shapes = new Map<string, number>()
  readonly #groups: RowGroup[] = []
  readonly #base: Store['base']
  readonly #responseOf: (run: RowRun) => OpenResponse
  /** Called with rows that have values which JSON cannot represent. If it is set, such rows are left out. */
  readonly #onOdd: ((row: Row) => void) | undefined

  constructor(base: Store['base'], responseOf: (run: RowRun) => OpenResponse, onOdd?: (row: Row) => void) {
    this.#base = base
    this.#responseOf = responseOf
    this.#onOdd = onOdd
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0
  }

  /** Adds the rows of one kind that have a run. */
  add(rows: Iterable<EntityRow>, runOf: RunOf): void {
    let before: RowRun | undefined
    let fields: readonly string[] | null = null
    let [pks, records]: [string[], unknown[][]] = [[], []]
    // The engine compiles this loop in less time over an array.
    const all = [...rows]
    for (let i = 0; i < all.length; i++) {
      const row = all[i] as EntityRow
      const value = this.#base(row)
      const run = runOf(row, value)
      if (run === undefined || value === undefined) continue
      const names = value === TOMBSTONE ? null : Object.keys(value)
      const record: unknown[] = value === TOMBSTONE ? [] : Object.values(value)
      let isAlike = run === before && names?.length === fields?.length
      let isOdd = false
      for (let at = 0; at < record.length; at++) {
        if (isAlike && names?.[at] !== fields?.[at]) isAlike = false
        const item = record[at]
        // Calls for these would take longer than everything else.
        if (typeof item === 'string' || typeof item === 'boolean' || item === null) continue
        if (typeof item === 'number' && item - item === 0) continue
        if (this.#onOdd !== undefined && !isStorable(item)) isOdd = true
        else record[at] = encodeValue(item)
      }
      if (isOdd) {
        this.#onOdd?.(row)
        continue
      }
      if (!isAlike) {
        before = run
        fields = names
        ;[pks, records] = [[], []]
        this.#groups.push([row.home.key, this.#responseOf(run), names && this.#shapeOf(names), pks, records])
      }
      pks.push(row.pk)
      if (names !== null) records.push(record)
    }
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

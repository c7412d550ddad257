import { orderIn } from '../commit/journal.js'
import { summaryOf } from '../commit/write.js'
import type { Store } from '../engine/store.js'
import type { FieldOrder } from '../table/order.js'
import type { Row } from '../table/row.js'

/** The values of a row by the layers that wrote it, server state first. */
export function levelsOf(store: Store, row: Row): readonly { readonly by: number; readonly value: unknown }[] {
  const by = store.layers.filter(({ below }) => below.has(row)).map(({ start }) => start)
  return by.length === 0
    ? []
    : [0, ...by].map((start, i) => ({ by: start, value: store.below(row, by[i] ?? Infinity) }))
}

/** The order of a field. */
export function orderOf(store: Store, row: Row, field: string): FieldOrder {
  const noted = orderIn(store.journal.entries, row, field)
  return noted.read + noted.started > 0 ? noted : summaryOf(row)
}

// As a namespace, so that a commit without `countBy` can be bundled for a comparison.
import * as core from '@roundtable/core'
import { type FlatRow, flatRows } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { endpoints, env, OURS, Row } from '../peers/ours.js'
import { mountedRows, TANSTACK_DB } from '../peers/tanstack-db.js'
import { copyAndPush } from './long-lists.js'

/** A filter and a change of a row that it holds or does not hold, the first rows in an order, or counts. */
export type SelectionKind = 'inside' | 'outside' | 'sorted' | 'counted'

/** Made when they are measured: earlier commits cannot. */
function selectionOf(kind: SelectionKind) {
  if (kind === 'sorted') return new core.All(Row, { compare: (a, b) => a.rank - b.rank, limit: 50 })
  if (kind === 'counted') return core.countBy(new core.All(Row), ({ isOpen }) => String(isOpen))
  return new core.All(Row, { belongs: ({ isOpen }) => isOpen })
}

/** One row changes while a selection from so many rows is mounted and read. */
export function selectionChange(kind: SelectionKind, size: number): Contender[] {
  const controller = new core.Controller({ env })
  const rows = flatRows(size)
  controller.setResponse(endpoints.flat.whole, rows)
  const selection = controller.view(selectionOf(kind))
  selection.subscribe(() => {})
  selection.getSnapshot()
  const db = mountedRows(rows, {
    isFiltered: kind === 'inside' || kind === 'outside',
    ...(kind === 'sorted' && { isSorted: true, limit: 50 }),
    isCounted: kind === 'counted',
  })
  const row = rows.find(({ isOpen }, i) => i >= size >> 1 && isOpen === (kind === 'inside')) ?? (rows[0] as FlatRow)
  const shown = rows.filter(({ isOpen }) => isOpen).length
  return [
    copyAndPush(kind === 'sorted' ? 50 : kind === 'inside' ? shown : 1),
    {
      name: OURS,
      most: 100,
      prepare: changes(kind, row, (next) => {
        controller.setResponse(endpoints.flat.one, { id: next.id }, next)
        selection.getSnapshot()
      }),
    },
    {
      name: TANSTACK_DB,
      most: 100,
      prepare: changes(kind, row, (next) => {
        db.write(next)
        db.read()
      }),
    },
  ]
}

/** Runs that change the row as the kind of selection says. */
function changes(kind: SelectionKind, row: FlatRow, write: (row: FlatRow) => void): () => () => void {
  let version = 0
  return () => {
    version++
    const changed = { sorted: { rank: version % 2 === 0 ? -1 : 2_000 }, counted: { isOpen: version % 2 === 0 } }
    const next = {
      ...row,
      title: `title ${version}`,
      ...(kind === 'sorted' || kind === 'counted' ? changed[kind] : {}),
    }
    return () => write(next)
  }
}

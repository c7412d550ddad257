import { type Collection, count, createCollection, createLiveQueryCollection, eq, type SyncConfig } from '@tanstack/db'
import type { FlatRow } from '../data/flat.js'

/** What TanStack DB is called in tables. */
export const TANSTACK_DB = 'TanStack DB'

/** A live query of TanStack DB over rows, mounted. */
export interface LiveRows {
  /** One row as the server sends it. */
  write(row: FlatRow): void
  /** The array that a component gets. */
  read(): readonly unknown[]
}

/** What the live query does with the rows. */
export interface LiveQueryOptions {
  /** Rows that are open only. */
  readonly isFiltered?: boolean
  /** By `rank`, all or as many as `limit` says. */
  readonly isSorted?: boolean
  readonly limit?: number
  /** The number of open and of closed rows instead of rows. */
  readonly isCounted?: boolean
}

/** A collection of rows that its server writes, and a live query with a subscriber on it. */
export function mountedRows(rows: readonly FlatRow[], options: LiveQueryOptions): LiveRows {
  type Sync = Parameters<SyncConfig<FlatRow, string>['sync']>[0]
  let server: Sync | undefined
  const write = (type: 'insert' | 'update', values: readonly FlatRow[]): void => {
    server?.begin()
    for (const value of values) server?.write({ type, value })
    server?.commit()
  }
  const collection = createCollection<FlatRow, string>({
    getKey: ({ id }) => id,
    startSync: true,
    sync: {
      rowUpdateMode: 'full',
      sync: (params) => {
        server = params
        write('insert', rows)
        params.markReady()
      },
    },
  })
  const live = liveQuery(collection, options)
  // As a component does: the array is made when something has changed.
  let shown: readonly unknown[] | undefined
  live.subscribeChanges(() => {
    shown = undefined
  })
  return {
    write: (row) => write('update', [row]),
    read: () => {
      shown ??= live.toArray
      return shown
    },
  }
}

function liveQuery(
  collection: Collection<FlatRow, string>,
  { isFiltered = false, isSorted = false, isCounted = false, limit = Infinity }: LiveQueryOptions,
) {
  return createLiveQueryCollection({
    startSync: true,
    query: (q) => {
      const all = q.from({ row: collection })
      if (isCounted)
        return all.groupBy(({ row }) => row.isOpen).select(({ row }) => ({ isOpen: row.isOpen, rows: count(row.id) }))
      const some = isFiltered ? all.where(({ row }) => eq(row.isOpen, true)) : all
      const sorted = isSorted ? some.orderBy(({ row }) => row.rank) : some
      // The builder's type differs for each clause; only the rows of the result count here.
      return (limit === Infinity ? sorted : sorted.limit(limit)) as never
    },
  })
}

import { Collection, Controller, Endpoint } from '@roundtable/core'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { type FlatRow, flatRows } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { env, nothing, OURS, Row } from '../peers/ours.js'
import { type LiveRows, mountedRows, TANSTACK_DB } from '../peers/tanstack-db.js'

/** A copy of the shown array and one push: no immutable list changes for less. */
export const COPY = 'limit: copy and push'

/** What is done to a long list. Every second run undoes it. */
export type ListChange = 'push' | 'remove' | 'move'

interface ListArgs {
  readonly author: string
}

type OfList = (args: ListArgs) => Promise<unknown>
type OfMember = (args: ListArgs & { readonly id: string }) => Promise<unknown>

/** One member comes to a list of so many, leaves it, or moves to another list. */
export function listChange(change: ListChange, size: number): Contender[] {
  return [
    copyAndPush(size),
    oursOf(change, size, true),
    oursOf(change, size, false),
    ...(change === 'push' ? [tanStackQueryPush(size)] : []),
  ]
}

/** The name of the contender whose list nobody reads. */
export const UNREAD = `${OURS}, nobody reads`

/** A copy of so many members and one push. */
export function copyAndPush(size: number): Contender {
  let items: readonly unknown[] = flatRows(size)
  return {
    name: COPY,
    times: 20,
    prepare: () => () => {
      const copy = [...items]
      copy.push(items[0])
      copy.pop()
      items = copy
    },
  }
}

function oursOf(change: ListChange, size: number, isRead: boolean): Contender {
  const rows = new Collection([Row])
  const controller = new Controller({ env })
  const getRows = new Endpoint(nothing as OfList, { name: 'rows', schema: rows, dataExpiryLength: Infinity })
  const of = (author: string, count: number): FlatRow[] =>
    flatRows(count).map((row) => ({ ...row, id: `${author} ${row.id}`, author }))
  controller.setResponse(getRows, { author: 'long' }, of('long', size))
  controller.setResponse(getRows, { author: 'short' }, of('short', 20))
  const list = controller.watch(getRows, { author: 'long' })
  if (isRead) {
    list.subscribe(() => {})
    list.getSnapshot()
  }
  const mutation = (name: string, schema: typeof rows.push) => {
    const endpoint = new Endpoint(nothing as OfMember, { name, schema, sideEffect: true })
    return (id: string, author: string): void => {
      controller.setResponse(endpoint, { author, id }, { id, author })
      if (isRead) list.getSnapshot()
    }
  }
  const push = mutation('push', rows.push)
  const remove = mutation('remove', rows.remove as never)
  const move = mutation('move', rows.move as never)
  const middle = `long ${(size >> 1) + 1}`
  const runs = {
    push: inTurn(
      () => push('new', 'long'),
      () => remove('new', 'long'),
    ),
    remove: inTurn(
      () => remove(middle, 'long'),
      () => push(middle, 'long'),
    ),
    move: inTurn(
      () => move(middle, 'short'),
      () => move(middle, 'long'),
    ),
  }
  return { name: isRead ? OURS : UNREAD, times: 2, most: 100, prepare: () => runs[change] }
}

/** Changes and undoes it, so that no list grows. */
function inTurn(change: () => void, undo: () => void): () => void {
  let isChanged = false
  return () => {
    if (isChanged) undo()
    else change()
    isChanged = !isChanged
  }
}

function tanStackQueryPush(size: number): Contender {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } })
  const queryKey = ['rows']
  const [row, ...rows] = flatRows(size + 1)
  client.setQueryData(queryKey, rows)
  new QueryObserver<FlatRow[]>(client, { queryKey, enabled: false }).subscribe(() => {})
  const run = inTurn(
    () => client.setQueryData(queryKey, (list: FlatRow[] = []) => [...list, row]),
    () => client.setQueryData(queryKey, (list: FlatRow[] = []) => list.slice(0, -1)),
  )
  return { name: 'TanStack Query', times: 2, prepare: () => run }
}

/** One member of a mounted list of so many changes: its title, or with `isMoved` the field by which the list is sorted. */
export function memberChange(size: number, isSorted: boolean, isMoved: boolean): Contender[] {
  const compare = (a: { readonly rank: number }, b: { readonly rank: number }): number => a.rank - b.rank
  const rows = new Collection([Row], isSorted ? { compare } : {})
  const controller = new Controller({ env })
  const getRows = new Endpoint(nothing as () => Promise<unknown>, {
    name: 'rows',
    schema: rows,
    dataExpiryLength: Infinity,
  })
  const getRow = new Endpoint(nothing as (args: { id: string }) => Promise<unknown>, { name: 'row', schema: Row })
  controller.setResponse(getRows, flatRows(size))
  const list = controller.watch(getRows)
  list.subscribe(() => {})
  list.getSnapshot()
  const middle = flatRows(size)[size >> 1] as FlatRow
  const ours: Contender = {
    name: OURS,
    most: 100,
    prepare: changes(middle, isMoved, (row) => {
      controller.setResponse(getRow, { id: row.id }, row)
      list.getSnapshot()
    }),
  }
  if (!isSorted) return [copyAndPush(size), ours]
  // Mounted when it is first measured: with 100,000 rows that takes twenty seconds.
  let db: LiveRows | undefined
  const change = (row: FlatRow): void => {
    db ??= mountedRows(flatRows(size), { isSorted })
    db.write(row)
    db.read()
  }
  return [copyAndPush(size), ours, { name: TANSTACK_DB, prepare: changes(middle, isMoved, change) }]
}

/** Runs that give the row another title, or another rank. */
function changes(row: FlatRow, isMoved: boolean, write: (row: FlatRow) => void): () => () => void {
  let version = 0
  return () => {
    version++
    const next = isMoved ? { ...row, rank: (version * 379) % 1_000 } : { ...row, title: `title ${version}` }
    return () => write(next)
  }
}

import { InMemoryCache } from '@apollo/client/cache'
import { configureStore, createEntityAdapter, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { Controller } from '@roundtable/core'
import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { parse } from 'graphql'
import { type FlatRow, flatRows } from '../data/flat.js'
import type { Contender } from '../measure.js'
import { endpoints, OURS } from '../peers/ours.js'

/** So many mounted readers of one row each; a row changes. */
interface Crowd {
  readonly name: string
  change(row: FlatRow): void
  /** How often readers were told since the last time. */
  wakes(): number
}

/** Changing one row while so many readers of other rows are mounted. */
export function wakes(count: number): Contender[] {
  const rows = flatRows(count)
  const middle = rows[count >> 1] as FlatRow
  return [ours, queryCore, redux, apollo].map((make): Contender => {
    const crowd = make(rows)
    let version = 0
    return {
      name: crowd.name,
      prepare: () => {
        version++
        const row = { ...middle, rank: 1_000 + version }
        return () => {
          crowd.wakes()
          crowd.change(row)
        }
      },
      count: () => crowd.wakes(),
    }
  })
}

function counter(): { tell(): void; take(): number } {
  let told = 0
  return {
    tell: () => void told++,
    take: () => {
      const before = told
      told = 0
      return before
    },
  }
}

function ours(rows: readonly FlatRow[]): Crowd {
  const controller = new Controller()
  const { whole, one } = endpoints.flat
  const { tell, take } = counter()
  controller.setResponse(whole, rows)
  for (const { id } of rows) {
    const query = controller.watch(one, { id })
    query.getSnapshot()
    query.subscribe(tell)
  }
  return { name: OURS, wakes: take, change: (row) => controller.setResponse(one, { id: row.id }, row) }
}

function queryCore(rows: readonly FlatRow[]): Crowd {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, gcTime: Infinity } } })
  const { tell, take } = counter()
  for (const row of rows) {
    const queryKey = ['row', row.id]
    client.setQueryData(queryKey, row)
    new QueryObserver(client, { queryKey, enabled: false }).subscribe(tell)
  }
  return { name: 'TanStack Query', wakes: take, change: (row) => void client.setQueryData(['row', row.id], row) }
}

/** As react-redux does it: every reader is told of every action, and looks whether what it selects changed. */
function redux(rows: readonly FlatRow[]): Crowd {
  const adapter = createEntityAdapter<FlatRow>()
  const slice = createSlice({
    name: 'rows',
    initialState: adapter.getInitialState(),
    reducers: { changed: (state, action: PayloadAction<FlatRow>) => void adapter.upsertOne(state, action.payload) },
  })
  const store = configureStore({ reducer: slice.reducer, preloadedState: adapter.getInitialState(undefined, rows) })
  const { tell, take } = counter()
  for (const { id } of rows) {
    let last = store.getState().entities[id]
    store.subscribe(() => {
      const now = store.getState().entities[id]
      if (now !== last) tell()
      last = now
    })
  }
  return { name: 'Redux Toolkit', wakes: take, change: (row) => void store.dispatch(slice.actions.changed(row)) }
}

function apollo(rows: readonly FlatRow[]): Crowd {
  const cache = new InMemoryCache({
    typePolicies: {
      Query: {
        fields: { row: { read: (_, { args, toReference }) => toReference({ __typename: 'Row', id: args?.id }) } },
      },
    },
  })
  const query = parse('query One($id: ID!) { row(id: $id) { __typename id title rank } }')
  const fragment = parse('fragment One on Row { __typename id title rank }')
  const { tell, take } = counter()
  const write = ({ id, title, rank }: FlatRow): void =>
    void cache.writeFragment({ id: `Row:${id}`, fragment, data: { __typename: 'Row', id, title, rank } })
  cache.batch({ update: () => rows.forEach(write) })
  for (const { id } of rows) {
    cache.watch({ query, variables: { id }, optimistic: true, returnPartialData: true, callback: tell })
  }
  // Watches are told of what is there first.
  write({ ...(rows[0] as FlatRow), rank: -1 })
  take()
  return { name: 'Apollo InMemoryCache', wakes: take, change: write }
}

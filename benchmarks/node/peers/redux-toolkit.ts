import {
  configureStore,
  createEntityAdapter,
  createSelector,
  createSlice,
  type EntityState,
  type PayloadAction,
} from '@reduxjs/toolkit'
import { denormalize, normalize, type schema } from 'normalizr'
import type { Shape } from '../data/datasets.js'
import { schemas } from './normalizr.js'
import type { Entity, Peer, Store } from './peer.js'

type Rows = EntityState<Entity, string>
type Tables = Record<string, Record<string, Entity>>

const adapter = createEntityAdapter<Entity>()
const kinds = ['rows', 'issues', 'users', 'labels', 'milestones', 'repositories', 'nodes'] as const

/** One slice with an adapter for each kind, filled by normalizr as the documentation shows for nested data. */
const slice = createSlice({
  name: 'table',
  initialState: {
    result: undefined as unknown,
    ...(Object.fromEntries(kinds.map((kind) => [kind, adapter.getInitialState()])) as Record<
      (typeof kinds)[number],
      Rows
    >),
  },
  reducers: {
    received(state, action: PayloadAction<{ readonly entities: Tables; readonly result?: unknown }>) {
      const { entities } = action.payload
      for (const kind of kinds) {
        const known = entities[kind]
        if (known !== undefined) adapter.upsertMany(state[kind] as Rows, known)
      }
      if ('result' in action.payload) state.result = action.payload.result
    },
  },
})

/** Redux Toolkit: entity adapters, normalizr before them, a memoized selector that joins. */
export const reduxToolkit: Peer = {
  name: 'Redux Toolkit',
  packages: ['@reduxjs/toolkit', 'normalizr'],
  open(shape: Shape): Store {
    const store = configureStore({ reducer: slice.reducer })
    const { whole, one } = schemas[shape]
    const select = createSelector([(state: ReturnType<typeof slice.reducer>) => state], (state) => {
      const tables = Object.fromEntries(kinds.map((kind) => [kind, state[kind].entities]))
      return denormalize(state.result, whole as schema.Entity, tables)
    })
    const take = (answer: unknown, of: unknown): void => {
      const { entities } = normalize<unknown, Tables>(answer, of as schema.Entity)
      store.dispatch(slice.actions.received({ entities }))
    }
    return {
      write: (answer) => {
        const { entities, result } = normalize<unknown, Tables>(answer, whole as schema.Entity)
        store.dispatch(slice.actions.received({ entities, result }))
      },
      read: () => select(store.getState()),
      mount: (onWake) => void store.subscribe(onWake),
      change: (entity) => take(entity, one),
      some: (entities) => take(entities, [one]),
    }
  },
}

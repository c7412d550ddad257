import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import { Provider } from 'react-redux'
import { type Item, List, show } from './app.js'

// #region code
// As in its guide of streaming updates, with an `EventSource`, which connects again by itself.
const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: '/' }),
  endpoints: (build) => ({
    items: build.query<Item[], void>({
      query: () => 'items',
      async onCacheEntryAdded(_arg, { updateCachedData, cacheDataLoaded, cacheEntryRemoved }) {
        const source = new EventSource('/events')
        try {
          await cacheDataLoaded
          source.addEventListener('changed', ({ data }) => {
            const item: Item = JSON.parse(data)
            updateCachedData((items) => {
              const index = items.findIndex(({ id }) => id === item.id)
              if (index >= 0) items[index] = item
            })
          })
        } catch {
          // The entry was removed before it was loaded.
        }
        await cacheEntryRemoved
        source.close()
      },
    }),
    // As in its guide of optimistic updates.
    edit: build.mutation<Item, { id: number; title: string }>({
      query: ({ id, ...body }) => ({ url: `items/${id}`, method: 'PATCH', body }),
      async onQueryStarted({ id, title }, { dispatch, queryFulfilled }) {
        const patch = dispatch(
          api.util.updateQueryData('items', undefined, (items) => {
            const item = items.find((one) => one.id === id)
            if (item) item.title = title
          }),
        )
        queryFulfilled.catch(patch.undo)
      },
    }),
  }),
})

function Items() {
  const { data } = api.useItemsQuery()
  const [edit] = api.useEditMutation()
  return <List items={data} edit={(title) => void edit({ id: 3, title })} />
}
// #endregion code

const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (usual) => usual().concat(api.middleware),
})

show(
  <Provider store={store}>
    <Items />
  </Provider>,
)

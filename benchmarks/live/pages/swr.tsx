import useSWR, { useSWRConfig } from 'swr'
import useSWRSubscription from 'swr/subscription'
import { type Item, List, load, put, save, show } from './app.js'

// #region code
// What comes is written over the list; the `EventSource` connects again by itself.
function Items() {
  const { mutate } = useSWRConfig()
  const { data } = useSWR('/items', load)
  useSWRSubscription('/events', (url: string, { next }: { next(error: unknown, item?: Item): void }) => {
    const source = new EventSource(url)
    source.addEventListener('changed', (event) => {
      const item: Item = JSON.parse(event.data)
      next(null, item)
      void mutate('/items', (items: Item[] | undefined) => items && put(items, item), { revalidate: false })
    })
    source.addEventListener('error', (event) => next(event))
    return () => source.close()
  })
  // As in its guide of optimistic updates.
  const edit = (title: string) =>
    void mutate('/items', save(3, { title }), {
      optimisticData: (items: Item[] = []) => put(items, { id: 3, title }),
      populateCache: (item: Item, items: Item[] = []) => put(items, item),
      rollbackOnError: true,
      revalidate: false,
    })
  return <List items={data} edit={edit} />
}
// #endregion code

show(<Items />)

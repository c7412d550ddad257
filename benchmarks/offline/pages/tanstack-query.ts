import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister'
import { persistQueryClient } from '@tanstack/query-persist-client-core'
import { MutationObserver, QueryClient } from 'query-core-of-persister'
import { type Item, send, untilStored } from './app.js'

// As in its guide "Persisting offline mutations": default functions, optimistic changes, resumePausedMutations.
const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, staleTime: Infinity } } })
const items = { queryKey: ['items'], queryFn: () => send('GET', '/items') as Promise<Item[]> }

queryClient.setMutationDefaults(['create'], {
  mutationFn: ({ title }: Item) => send('POST', '/items', { title }) as Promise<Item>,
  onMutate: (item: Item) => show((all) => [...all, item]),
  onSuccess: (created: Item, { id }: Item) => show((all) => all.map((item) => (item.id === id ? created : item))),
  retry: 3,
})
queryClient.setMutationDefaults(['edit'], {
  mutationFn: ({ id, title }: Item) => send('PATCH', `/items/${id}`, { title }),
  onMutate: (edited: Item) => show((all) => all.map((item) => (item.id === edited.id ? edited : item))),
  retry: 3,
})

function show(change: (items: Item[]) => Item[]): void {
  queryClient.setQueryData<Item[]>(items.queryKey, (all = []) => change(all))
}

function mutate(mutationKey: string, item: Item): void {
  void new MutationObserver<unknown, Error, Item>(queryClient, { mutationKey: [mutationKey] })
    .mutate(item)
    .catch(() => {})
}

window.app = {
  async start() {
    queryClient.mount()
    const persister = createAsyncStoragePersister({ storage: indexedDbStorage() })
    const [, restored] = persistQueryClient({ queryClient, persister })
    await restored
    void queryClient.resumePausedMutations()
  },
  async load() {
    await queryClient.fetchQuery(items)
  },
  async create(title) {
    const id = `temp-${Date.now()}`
    mutate('create', { id, title })
    await untilStored()
    return id
  },
  async edit(id, title) {
    mutate('edit', { id, title })
    await untilStored()
  },
  titleOf: (id) => queryClient.getQueryData<Item[]>(items.queryKey)?.find((item) => item.id === id)?.title,
}

/**
 * A storage of texts, as the guide has one of idb-keyval. What localStorage has just got does not survive a crash of
 * the browser.
 */
function indexedDbStorage() {
  const opened = new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('keyval', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('keyval')
    request.onsuccess = () => resolve(request.result)
  })
  async function transact<Result>(work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
    const database = await opened
    return new Promise((resolve, reject) => {
      const transaction = database.transaction('keyval', 'readwrite')
      const request = work(transaction.objectStore('keyval'))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
    })
  }
  return {
    getItem: (key: string) => transact<string | undefined>((store) => store.get(key)),
    setItem: (key: string, value: string) => transact((store) => store.put(value, key)),
    removeItem: (key: string) => transact((store) => store.delete(key)),
  }
}

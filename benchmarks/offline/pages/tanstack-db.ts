import { startOfflineExecutor } from '@tanstack/offline-transactions'
import { createCollection } from 'tanstack-db-of-offline'
import { type Item, send, untilStored } from './app.js'

let load = async (): Promise<void> => {}

/** Rows come from the server; the outbox puts its optimistic changes over them. */
const items = createCollection<Item, string>({
  id: 'items',
  getKey: ({ id }) => id,
  startSync: true,
  sync: {
    sync({ begin, write, commit, markReady, collection }) {
      load = async () => {
        const all = (await send('GET', '/items')) as Item[]
        begin()
        for (const item of all) write({ type: collection.has(item.id) ? 'update' : 'insert', value: item })
        commit()
      }
      markReady()
    },
  },
})

const offline = startOfflineExecutor({
  // Of its types the package has a copy of its own; the bundle has one of the code.
  collections: { items: items as never },
  mutationFns: {
    // As in its guide: the mutations of a transaction, and the key that it keeps.
    async save({ transaction, idempotencyKey }) {
      for (const { type, key, modified, changes } of transaction.mutations) {
        if (type === 'insert') await send('POST', '/items', modified, idempotencyKey)
        else await send('PATCH', `/items/${String(key)}`, changes, idempotencyKey)
      }
      await load()
    },
  },
})

function transact(change: () => void): void {
  const transaction = offline.createOfflineTransaction({ mutationFnName: 'save', autoCommit: false })
  transaction.mutate(change)
  void transaction.commit().catch(() => {})
}

window.app = {
  start: () => offline.waitForInit(),
  load: () => load(),
  async create(title) {
    // As its guides do, the browser makes the key.
    const id = crypto.randomUUID()
    transact(() => items.insert({ id, title }))
    await untilStored()
    return id
  },
  async edit(id, title) {
    transact(() => {
      items.update(id, (item) => {
        Object.assign(item, { title })
      })
    })
    await untilStored()
  },
  titleOf: (id) => items.get(id)?.title,
}

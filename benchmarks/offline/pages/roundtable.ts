import { Controller, Entity, resource } from '@roundtable/core'
import { indexedDbLog, offline, outbox } from '@roundtable/core/offline'
import { untilStored } from './app.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  title = ''
}

const ItemResource = resource({
  urlPrefix: location.origin,
  path: '/items/:id',
  schema: Item,
  optimistic: true,
})

const store = offline({ log: indexedDbLog('items'), outbox: outbox({ ItemResource }) })
const controller = new Controller({ managers: [store] })

window.app = {
  start: () => store.ready,
  async load() {
    await controller.fetch(ItemResource.getList)
  },
  async create(title) {
    void controller.fetch(ItemResource.create, { title }).catch(() => {})
    await untilStored()
    return controller.watch(ItemResource.getList).getSnapshot().data?.at(-1)?.id ?? ''
  },
  async edit(id, title) {
    void controller.fetch(ItemResource.partialUpdate, { id }, { title }).catch(() => {})
    await untilStored()
  },
  titleOf: (id) => controller.get(Item, { id })?.title,
}

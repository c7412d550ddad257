import { Controller, Entity, resource } from '@roundtable/core'
import { live } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { AsyncBoundary, DataProvider, useController, useLive } from '@roundtable/react'
import { List, show } from './app.js'

// #region code
class Item extends Entity {
  static override key = 'Item'
  id = 0
  title = ''
  done = false
}

const ItemResource = resource({ path: '/items/:id', schema: Item, optimistic: true })

const getLiveItems = ItemResource.getList.extend(
  live({ name: 'items', url: '/events', wire: sse(), messages: { changed: Item } }),
)

function Items() {
  const controller = useController()
  const items = useLive(getLiveItems)
  const edit = (title: string) => void controller.fetch(ItemResource.partialUpdate, { id: 3 }, { title })
  return <List items={items} edit={edit} />
}
// #endregion code

show(
  <DataProvider controller={new Controller()}>
    <AsyncBoundary fallback="…">
      <Items />
    </AsyncBoundary>
  </DataProvider>,
)

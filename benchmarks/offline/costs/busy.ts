import { type Controller, Entity, resource } from '@roundtable/core'
import { flatRow } from '../../node/data/flat.js'
import { seeded } from '../../node/data/random.js'

export class Item extends Entity {
  static override key = 'Item'
  id = ''
  title = ''
  body = ''
  author = ''
  rank = 0
  score = 0
  price = 0
  isOpen = false
  createdAt = ''
  updatedAt = ''
  url = ''
  note: string | null = null
}

export const ItemResource = resource({ urlPrefix: 'https://api.test', path: '/items/:id', schema: Item })

/** A thousand rows change ten times a second, for ten seconds. */
export async function changeRows(controller: Controller): Promise<void> {
  const random = seeded(1)
  const versions = Array.from({ length: 10 }, () => Array.from({ length: 1_000 }, (_, i) => flatRow(random, String(i))))
  for (let turn = 0; turn < 100; turn++) {
    controller.setResponse(ItemResource.getList, versions[turn % versions.length] as Item[])
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

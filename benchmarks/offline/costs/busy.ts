import { type Controller, resource } from '@roundtable/core'
import { flatRow } from '../../node/data/flat.js'
import { seeded } from '../../node/data/random.js'
import { Row } from '../../node/peers/ours.js'

export const ItemResource = resource({ urlPrefix: 'https://api.test', path: '/items/:id', schema: Row })

/** A thousand rows change ten times a second, for ten seconds. */
export async function changeRows(controller: Controller): Promise<void> {
  const random = seeded(1)
  const versions = Array.from({ length: 10 }, () => Array.from({ length: 1_000 }, (_, i) => flatRow(random, String(i))))
  for (let turn = 0; turn < 100; turn++) {
    controller.setResponse(ItemResource.getList, versions[turn % versions.length] as Row[])
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

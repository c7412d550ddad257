import { Controller } from '@roundtable/core'
import { indexedDbLog, offline } from '@roundtable/core/offline'
import { changeRows, ItemResource } from '../costs/busy.js'

declare global {
  interface Window {
    busy(isStored: boolean): Promise<void>
  }
}

/** A page that works: with what it stores or without. */
window.busy = async (isStored) => {
  const store = offline({ log: indexedDbLog('busy') })
  const controller = new Controller({
    managers: isStored ? [store] : [],
    transport: async () => Response.json([]),
  })
  const stop = controller.watch(ItemResource.getList).subscribe(() => {})
  if (isStored) await store.ready
  await changeRows(controller)
  stop()
}

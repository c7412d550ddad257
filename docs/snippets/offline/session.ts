import { Controller, revalidate } from '@roundtable/core'
import { indexedDbLog, offline, outbox } from '@roundtable/core/offline'
import { TodoResource } from './api.js'

export function startSession(userId: string) {
  const store = offline({
    log: indexedDbLog(`board:${userId}`),
    outbox: outbox({ TodoResource }),
  })
  const controller = new Controller({ managers: [store, revalidate()] })
  return {
    controller,
    ready: store.ready,
    /** Take the controller's components off the page first. */
    async end() {
      controller.resetEntireStore() // other tabs of this user
      controller.dispose()
      await store.forget() // after dispose: no late response is stored
    },
  }
}

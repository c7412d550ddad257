import { outboxEntries, pendingOf } from '@roundtable/core/offline'
import { Todo } from './api.js'
import { controller, store } from './controller.js'

const waiting = controller.observe(outboxEntries)

export const stop = waiting.subscribe(() => {
  for (const { id, name, status, error } of waiting.getSnapshot()) {
    console.log(name, status, error?.message)
    if (status === 'refused' && error?.status === 413) store.discard(id)
  }
})

export const status = controller
  .observe(pendingOf(Todo, { id: 5 }))
  .getSnapshot()

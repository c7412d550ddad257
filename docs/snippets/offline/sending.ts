import { store } from './controller.js'

/** Shows how many of the changes that have waited are done, until nothing waits. */
export function onSending(show: (done: number, of: number) => void) {
  const batch = new Set<string>()
  return store.outbox.subscribe(() => {
    let left = 0
    for (const { id, status } of store.outbox.getSnapshot()) {
      if (status === 'refused') continue
      batch.add(id)
      left += 1
    }
    show(batch.size - left, batch.size)
    if (left === 0) batch.clear()
  })
}

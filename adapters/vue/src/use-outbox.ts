import { type OutboxEntry, outboxEntries } from '@roundtable/core/offline'
import type { ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the mutations in the outbox, in the order of their calls: stored, in flight, or refused.
 *
 * @remarks
 * It is empty for a controller without an outbox, and on a server.
 *
 * @example
 * ```ts
 * const waiting = useOutbox()
 * const hint = computed(() => `${waiting.value.length} changes are not sent yet`)
 * ```
 */
export function useOutbox(): ReadonlyRef<readonly OutboxEntry[]> {
  const controller = useController()
  return useObserver(() => controller.observe(outboxEntries))
}

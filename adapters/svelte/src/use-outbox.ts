import { type OutboxEntry, outboxEntries } from '@roundtable/core/offline'
import type { Current } from './reads.js'
import { useController } from './use-controller.js'
import { currentOf, useObserver } from './use-observer.js'

/**
 * Returns the mutations in the outbox, in the order of their calls: stored, in flight, or refused.
 *
 * @remarks
 * It is empty for a controller without an outbox, and on a server.
 *
 * @example
 * ```ts
 * const waiting = useOutbox()
 * const hint = $derived(`${waiting.current.length} changes are not sent yet`)
 * ```
 */
export function useOutbox(): Current<readonly OutboxEntry[]> {
  const controller = useController()
  return currentOf(useObserver(() => controller.observe(outboxEntries)))
}

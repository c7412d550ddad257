import { type OutboxEntry, outboxEntries } from '@roundtable/core/offline'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the mutations in the outbox, in the order of their calls: stored, in flight, or refused.
 *
 * @remarks
 * It is empty for a controller without an outbox, and on a server.
 *
 * @example
 * ```tsx
 * const waiting = useOutbox()
 * return waiting.length > 0 ? <p>{waiting.length} changes are not sent yet</p> : null
 * ```
 */
export function useOutbox(): readonly OutboxEntry[] {
  return useObserver(useController().observe(outboxEntries))
}

import type { LiveObserver, Role } from '../client/live-observer.js'
import type { ObserverKind } from '../client/observer.js'
import type { ObserverMaker } from '../client/registry.js'
import type { Queryable, SchemaArgs } from '../schema/infer.js'
import { isRowSchema } from '../schema/schema.js'
import { stableKey } from '../util/stable-key.js'
import { courierOf } from './couriers.js'
import type { OutboxEntry } from './items.js'
import { rowName } from './row-name.js'

/** The status of a row's mutation: see `OutboxEntry.status`. */
export type PendingStatus = OutboxEntry['status']

const NOTHING_WAITS: readonly OutboxEntry[] = Object.freeze([])

/** Of several mutations of a row, this one is the most important to show. */
const STATUSES: readonly PendingStatus[] = ['refused', 'sending', 'waiting', 'storing']

const OUTBOX: Role = {
  show: ({ host }) => courierOf(host)?.getSnapshot() ?? NOTHING_WAITS,
  start: follow,
}

const PENDING: Role = {
  show({ host, subject }) {
    const { schema, args } = subject
    const entries = courierOf(host)?.getSnapshot() ?? NOTHING_WAITS
    if (entries.length === 0 || !isRowSchema(schema)) return undefined
    const pk = host.runtime.store.views.lookupQuietly(schema, args)
    if (typeof pk !== 'string') return undefined
    const name = rowName(schema.key, pk)
    const own = entries.filter(({ rows }) => rows.includes(name)).map(({ status }) => status)
    return STATUSES.find((status) => own.includes(status))
  },
  start: follow,
}

/** Every step of a mutation notifies. */
function follow(observer: LiveObserver): (() => void) | undefined {
  return courierOf(observer.host)?.subscribe(() => observer.update())
}

const makeOutbox: ObserverMaker<readonly OutboxEntry[]> = () => ({ role: OUTBOX, key: 'outbox', args: [] })

/**
 * The kind of observer for `controller.observe` that shows the waiting mutations, in the order of their calls.
 *
 * @example
 * ```ts
 * const waiting = controller.observe(outboxEntries)
 * const stop = waiting.subscribe(() => console.log(waiting.getSnapshot().length))
 * ```
 */
export const outboxEntries: ObserverKind<readonly OutboxEntry[]> = makeOutbox

/**
 * Returns the kind of observer for `controller.observe` that shows the status of a row's mutation; undefined for a
 * row without one. Of several, it prefers a refused one, then one in flight.
 *
 * @example
 * ```ts
 * const status = controller.observe(pendingOf(Todo, { id: 5 })).getSnapshot()
 * ```
 */
export function pendingOf<S extends Queryable>(
  schema: S,
  ...args: SchemaArgs<S> | readonly [null]
): ObserverKind<PendingStatus | undefined> {
  const make: ObserverMaker<PendingStatus | undefined> = () =>
    args[0] === null
      ? { role: PENDING, key: 'pending', args: [] }
      : { role: PENDING, key: `pending ${stableKey(args)}`, schema, args }
  return make
}

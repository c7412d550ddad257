import type { Manager } from '../client/controller.js'
import type { Observer } from '../client/observer.js'
import { hostOf } from '../client/registry.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import type { OutboxEntry } from './items.js'
import type { OfflineLog } from './log.js'
import type { OfflineOptions } from './options.js'
import type { OutboxMaker } from './outbox.js'
import { Run } from './run.js'

/** The result of `offline`: a manager, with methods for the application. */
export interface OfflineStore extends Manager {
  /** Resolves when the stored data is in the store. It never rejects: unreadable data is reported and refetched. */
  readonly ready: Promise<void>
  /** Writes data that is not stored yet, and resolves when it is: for a test, or before a process ends. It never rejects. */
  flush(): Promise<void>
  /** The mutations that wait, in the order in which they were made; none without the option `outbox`. */
  readonly outbox: Observer<readonly OutboxEntry[]>
  /** Sends a refused mutation again, with those that depend on it or that it depends on. */
  retry(id: string): void
  /** Discards a mutation, with those that depend on the row that it creates. Its promise rejects with an `AbortError`. */
  discard(id: string): void
  /** Sends the mutations that wait since a 401 or a reset of the store: call it after a sign-in. */
  resume(): void
  /**
   * Deletes everything that is stored on this device, including mutations. Call it when a user signs out of a shared
   * device, after `dispose`, and in each of the user's tabs: those that go on store what they receive.
   */
  forget(): Promise<void>
}

/**
 * Creates a manager that stores server data on this device, so that it is available at the next start without a
 * request.
 *
 * @remarks
 * It stores rows, lists and results with their lifetimes; never optimistic changes or responses with
 * `Cache-Control: no-store`. At the next start, they count as a read older than everything else, so they replace no
 * newer data. Give each user a separate log. `resetEntireStore` and `LogoutManager` also delete the stored data. On a
 * server it does nothing.
 *
 * @example
 * ```ts
 * const store = offline({ log: indexedDbLog('board:42') })
 * const controller = new Controller({ managers: [store, revalidate()] })
 * await store.ready // render now: rows are there
 * ```
 * @throws OptionError for an invalid option, or if the same store is given to two controllers
 */
export function offline(options: OfflineOptions): OfflineStore {
  // JavaScript may call it without any.
  if (process.env.NODE_ENV !== 'production') checkOptions(options ?? {})
  let run: Run | undefined
  let begin = (_: Promise<void> | undefined): void => {}
  const ready = new Promise<void>((resolve) => {
    begin = resolve as typeof begin
  })
  return {
    ready,
    start(controller) {
      if (run !== undefined)
        throw new OptionError('managers', 'has an offline() that another controller has: make one for each.')
      const host = hostOf(controller)
      if (host.runtime.isServer) {
        begin(undefined)
        return () => {}
      }
      const own = new Run(controller, host, options)
      run = own
      begin(own.ready)
      return () => own.stop()
    },
    outbox: {
      getSnapshot: () => run?.outbox?.courier.getSnapshot() ?? NOTHING_WAITS,
      subscribe: (onChange) => run?.outbox?.courier.subscribe(onChange) ?? (() => {}),
    },
    retry: (id) => run?.outbox?.courier.retry(id),
    discard: (id) => run?.outbox?.courier.discard(id),
    resume: () => run?.outbox?.courier.resume(),
    flush: async () => void (await run?.flush()),
    forget: async () => void (await run?.forget()),
  }
}

const NOTHING_WAITS: readonly OutboxEntry[] = Object.freeze([])

const rules: { readonly [Name in keyof Required<OfflineOptions>]: (value: unknown) => boolean } = {
  log: (value) => typeof (value as Partial<OfflineLog> | undefined)?.append === 'function',
  version: (value) => typeof value === 'string',
  include: (value) => typeof value === 'function',
  outbox: (value) => typeof (value as Partial<OutboxMaker> | null)?.openFor === 'function',
}

/** Options of earlier versions, and what to write instead. */
const NOW = {
  outbox: 'Import outbox from @roundtable/core/offline and write outbox: outbox({ TodoResource }).',
  maxAttempts: 'It is an option of the outbox: outbox: outbox({ TodoResource }, { maxAttempts: 5 }).',
}

function checkOptions(options: OfflineOptions): void {
  for (const name of new Set(['log', ...Object.keys(options)])) {
    const value = options[name as keyof OfflineOptions] as unknown
    const isValid = rules[name as keyof OfflineOptions] as ((value: unknown) => boolean) | undefined
    if ((value === undefined && name !== 'log') || isValid?.(value)) continue
    const found = value === undefined ? 'is missing' : `cannot be ${describe(value)}`
    const reason = isValid === undefined ? 'is unknown' : found
    const advice = NOW[name as keyof typeof NOW] ?? `The options are ${Object.keys(rules).join(', ')}.`
    throw new OptionError(`offline.${name}`, `${reason}. ${advice}`)
  }
}

import type { ResponseFacts } from '../hydration/draft.js'
import type { MutationMark } from '../hydration/state.js'
import { pageLocks } from '../util/env.js'
import type { Flights } from './flights.js'

/** A message between tabs: the log has grown, a key is being polled, or everything is being, or was, forgotten. */
export type TabMessage = readonly [type: 'log' | 'poll' | 'forget' | 'forgotten', key?: string]

/**
 * The connection to other tabs with the same log. `indexedDbLog` has one; a log without it belongs to one page.
 *
 * @example
 * ```ts
 * const tabs: LogTabs = {
 *   join(hear) {
 *     const channel = new BroadcastChannel('board:42')
 *     channel.onmessage = ({ data }) => hear(data)
 *     return { tell: (message) => channel.postMessage(message), leave: () => channel.close() }
 *   },
 * }
 * ```
 */
export interface LogTabs {
  /** Calls `hear` with each message of another tab, and with `['log']` when this one may have missed some. */
  join(hear: (message: TabMessage) => void): {
    /** Sends a message to all other tabs. */
    tell(message: TabMessage): void
    /** Closes the connection. */
    leave(): void
  }
  /**
   * Runs `work` while no other tab runs its own: at once, or when their promises have settled or their tabs have ended.
   * Without it all tabs send, each mutation with the same `Idempotency-Key`.
   */
  alone?(work: () => Promise<void>): void
}

/**
 * The tabs of a browser: a name is one channel and one lock. Undefined where there are no channels. `use` is called with 1
 * when somebody joins, and with -1 when they leave.
 */
export function browserTabs(name: string, use: (change: number) => void): LogTabs | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  const locks = pageLocks()
  return {
    join(hear) {
      use(1)
      const channel = new BroadcastChannel(name)
      let isOpen = true
      channel.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data)
      // Node keeps a process for an open channel.
      ;(channel as { unref?(): void }).unref?.()
      const stop = onSleep(
        () => {},
        () => hear(['log']),
      )
      return {
        tell(message) {
          if (isOpen) channel.postMessage(message)
        },
        leave() {
          isOpen = false
          channel.close()
          stop()
          use(-1)
        },
      }
    },
    // On pages without HTTPS there are no locks.
    ...(locks && {
      alone(work) {
        let place = new AbortController()
        const ask = (): void => {
          place = new AbortController()
          const run = (): Promise<void> => {
            stop()
            return work()
          }
          // A page that is left loses its request.
          locks.request(name, { signal: place.signal }, run).catch(() => {})
        }
        // If its turn came while it sleeps, all others would wait until it wakes.
        const stop = onSleep(
          () => place.abort(),
          () => place.signal.aborted && ask(),
        )
        ask()
      },
    }),
  }
}

/**
 * Calls back before the browser freezes the page or puts it into the back/forward cache, and when it resumes; returns a
 * function that unsubscribes.
 */
function onSleep(fallAsleep: () => void, wake: () => void): () => void {
  if (typeof document === 'undefined') return () => {}
  const over = new AbortController()
  const { signal } = over
  globalThis.addEventListener('pagehide', fallAsleep, { signal })
  document.addEventListener('freeze', fallAsleep, { signal })
  globalThis.addEventListener('pageshow', wake, { signal })
  document.addEventListener('resume', wake, { signal })
  return () => over.abort()
}

/**
 * The number of records for which a tab remembers its own sequence number; older requests of others count as older than
 * all its data.
 */
const MOST = 1_000

/** A record that this tab has written or read. */
interface Stand {
  readonly number: number
  /** The newest number in this tab's order when it wrote or read it. */
  readonly stood: number
  /** The same when it knew that the record is there. */
  readonly heard: number
}

/** Translates between a tab's own order (requests and writes) and the common order of all tabs (records). */
export class Positions {
  /** Up to this number the tab has read all records. */
  known = 0
  /** The state restored at the start contains all records up to this number. */
  restored = 0
  /** Newest first. */
  #stands: readonly Stand[] = []
  /** The last records of this tab, and where it stood. */
  readonly #own = new Map<number, number>()
  /** Undefined without an outbox. */
  flights: Flights | undefined

  /** This tab has written a record when it stood there. */
  wrote(record: number, stood: number): void {
    this.#own.set(record, stood)
  }

  /** The records of this tab that come after the last known one. */
  get own(): readonly number[] {
    return [...this.#own.keys()].filter((record) => record > this.known)
  }

  /** True for a record that this tab has read or written. */
  has(record: number): boolean {
    return record <= this.known || this.#own.has(record)
  }

  /** All records up to this number are known now; another tab may have known them since `asked`. */
  note(number: number, now: number, asked: number = now): void {
    this.known = number
    this.#stands = [{ number, stood: this.#own.get(number) ?? asked, heard: now }, ...this.#stands.slice(0, MOST)]
    this.#own.delete(number - MOST)
  }

  /** The place of a response among those of all tabs: after the last record that was known before its request. */
  placeOf({ start, mutation }: ResponseFacts): readonly [since: number, mutation: MutationMark] {
    const since = this.#stands.find(({ heard }) => heard < start)?.number ?? 0
    return [since, mutation ? (this.flights?.idOf(start) ?? 1) : 0]
  }

  /** The first record of this tab that tells what it had answered up to this number of its order; 0 if there is none yet. */
  toldIn(done: number): number {
    for (const [record, stood] of this.#own) if (stood >= done) return record
    return 0
  }

  /** This tab's sequence number when it wrote or read a record. */
  stoodAt(record: number): number {
    return this.#stands.find(({ number }) => number <= record)?.stood ?? 0
  }
}

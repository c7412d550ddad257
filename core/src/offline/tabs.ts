import type { ResponseFacts } from '../hydration/draft.js'
import type { MutationMark } from '../hydration/state.js'
import { pageLocks } from '../util/env.js'

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
  const listeners = [
    [globalThis, 'pagehide', fallAsleep],
    [document, 'freeze', fallAsleep],
    [globalThis, 'pageshow', wake],
    [document, 'resume', wake],
  ] as const
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener)
  return () => {
    for (const [target, type, listener] of listeners) target.removeEventListener(type, listener)
  }
}

/**
 * The number of records for which a tab remembers its own sequence number; older requests of others count as older than
 * all its data. As many ended mutations.
 */
const MOST = 1_000

/** A record that this tab has written or read. */
interface Stand {
  readonly number: number
  /** The newest number in this tab's order when it wrote or read it. */
  readonly stood: number
  /** The same when it knew that the record is there. */
  readonly heard: number
  readonly isOwn: boolean
}

/** Translates between a tab's own order (requests and writes) and the common order of all tabs (records). */
export class Positions {
  /** Up to this number the tab has read all records. */
  known = 0
  /** The state restored at the start contains all records up to this number. */
  restored = 0
  /** The last mutations of the outbox that are over, and the first records that tell it. */
  readonly #ends = new Map<string | undefined, number>()
  /** Newest first. */
  #stands: readonly Stand[] = []
  /** The records of this tab that come after such as it has not read, and where it stood. */
  readonly #own = new Map<number, number>()
  /** The starts of mutations' flights here, by their ids. */
  readonly #starts = new Map<string | undefined, number>()

  /** This tab has written a record when it stood there. */
  wrote(record: number, stood: number): void {
    this.#own.set(record, stood)
  }

  /** The records of this tab that come after the last known one. */
  get own(): readonly number[] {
    return [...this.#own.keys()]
  }

  /** True for a record that this tab has read or written. */
  has(record: number): boolean {
    return record <= this.known || this.#own.has(record)
  }

  /** All records up to this number are known now; another tab may have known them since `asked`. */
  note(number: number, now: number, asked: number = now): void {
    this.known = number
    const own = this.#own.get(number)
    const stand = { number, stood: own ?? asked, heard: now, isOwn: own !== undefined }
    this.#stands = [stand, ...this.#stands.slice(0, MOST)]
    this.#own.delete(number)
  }

  /** A mutation of the outbox has a flight here. */
  noteFlight(id: string, start: number): void {
    this.#starts.set(id, start)
  }

  /** Notes mutations as over, in this record, or in one that is still to be written: `Infinity`. */
  noteEnds(ids: Iterable<string>, record: number): void {
    for (const id of ids) this.#ends.set(id, Math.min(record, this.#ends.get(id) ?? Infinity))
    for (const id of [...this.#ends.keys()].slice(0, -MOST)) {
      this.#ends.delete(id)
      // Their flights are forgotten with them.
      this.#starts.delete(id)
    }
  }

  /** True for a mutation that is over: a summary that another tab wrote before it knew still has it. */
  hasEnded(id: string): boolean {
    return this.#ends.has(id)
  }

  /**
   * True for the response to a mutation in a record that knew the log up to `knew` if another record had told its end:
   * it is as old as that.
   */
  isRepeated(id: string | undefined, knew: number): boolean {
    const first = this.#ends.get(id) ?? Infinity
    return first > knew && first < Infinity
  }

  /** The place of a response among those of all tabs: after the last record that was known before its request. */
  placeOf({ start, mutation }: ResponseFacts): readonly [since: number, mutation: MutationMark] {
    const since = this.#stands.find(({ heard }) => heard < start)?.number ?? 0
    return [since, mutation ? (this.#idOf(start) ?? 1) : 0]
  }

  /** The first record of this tab that tells what it had answered up to this number of its order; 0 if there is none yet. */
  toldIn(done: number): number {
    const told = [...this.#own].map(([number, stood]) => ({ number, stood, isOwn: true }))
    const first = [...told, ...this.#stands].filter(({ isOwn, stood }) => isOwn && stood >= done)
    return first.length > 0 ? Math.min(...first.map(({ number }) => number)) : 0
  }

  #idOf(start: number): string | undefined {
    for (const [id, of] of this.#starts) if (of === start) return id
    return undefined
  }

  /** This tab's sequence number when it wrote or read a record. */
  stoodAt(record: number): number {
    return this.#stands.find(({ number }) => number <= record)?.stood ?? 0
  }

  /**
   * Mutations of the outbox have one order in all tabs, whenever they were sent: each stands where its flight does,
   * below what was made since.
   */
  startOf(id: string | undefined): number | undefined {
    return this.#starts.get(id)
  }
}

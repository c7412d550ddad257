import { abortError } from '../endpoint/abort.js'
import type { PartRequest } from '../endpoint/options.js'
import type { Flight } from '../engine/flight.js'
import { keptOf } from '../http/kept.js'
import type { Row } from '../table/row.js'
import {
  type Answer,
  addKeys,
  creationsIn,
  type ErrorFacts,
  type Mutation,
  type RealKeys,
  type Step,
} from './mutation.js'
import { rowName } from './row-name.js'

/** A mutation of the outbox, as the application sees it. */
export interface OutboxEntry {
  /** A fixed UUID, which the server gets as the `Idempotency-Key`. */
  readonly id: string
  /** The name of its endpoint in the option `outbox`. */
  readonly name: string
  readonly args: readonly unknown[]
  /**
   * `storing`: it is not on disk yet. `waiting`: for the network, a pause, an earlier mutation, or a sign-in.
   * `sending`: it is in flight. `refused`: the server has refused it, and its optimistic change was rolled back:
   * `retry` or `discard` it.
   */
  readonly status: 'storing' | 'waiting' | 'sending' | 'refused'
  /** The number of counted attempts. */
  readonly attempts: number
  /** The error with which it was refused, or with which its last attempt failed. */
  readonly error: ErrorFacts | undefined
  /** Wall clock in ms of the call. */
  readonly at: number
  /** The rows that its optimistic change writes: the key of their entity, a space, and their primary key. */
  readonly rows: readonly string[]
}

/** A mutation of this page, or of another tab. */
export interface Item {
  mutation: Mutation
  status: OutboxEntry['status']
  error: ErrorFacts | undefined
  /** True if this tab has made it. */
  readonly isMade: boolean
  /** The flight that shows and sends it; undefined while it is refused. */
  flight: Flight | undefined
  /** The record that added it; 0 if it is in none, `Infinity` until that is known. */
  number: number
  /**
   * The record in which this tab has refused it, `Infinity` until that is known: an earlier summary still has it as
   * waiting.
   */
  refusedIn?: number | undefined
  /** The monotonic ms from which on it may be sent. */
  notBefore: number
  failures: number
  /** The newest number when it was first sent so that the server may have done it: its answer may be as old as that. */
  sentAt: number | undefined
  /** True if this attempt is not the first one that the server may have done. */
  isRepeat?: boolean
  /** Ends its waiting, also with an error; missing while it does not wait. */
  end?: ((error?: Error) => void) | undefined
  /** True while this tab sends it. */
  isOwn: boolean
  /** Settles when the log has counted this tab's last attempt: the response, which may crash the page, waits for that. */
  counted?: Promise<unknown> | undefined
  /** Ends this tab's attempt, the last one if there is none. */
  attempt?: AbortController | undefined
  /** The response of this tab's last attempt, for other tabs. */
  answer: Answer
  /** How it ended in another tab: with a response or an error. */
  told?: Answer | Error | undefined
  /** Called when this flight is over. */
  over?: (() => void) | undefined
}

export function newItem(mutation: Mutation, number: number): Item {
  const { error } = mutation
  const isMade = number === Infinity
  const status = isMade ? 'storing' : error === undefined ? 'waiting' : 'refused'
  return {
    mutation,
    status,
    error,
    number,
    isMade,
    flight: undefined,
    notBefore: 0,
    failures: 0,
    sentAt: mutation.isTried ? 0 : undefined,
    isOwn: false,
    answer: 1,
  }
}

/** The mutations that wait, of all tabs, in the order of the log; those that are not in it yet are the last ones. */
export class Items {
  /** Replaced, never changed. */
  all: readonly Item[] = []
  readonly #listeners = new Set<() => void>()
  #snapshot: readonly OutboxEntry[] | undefined
  /** The keys that ends of creations have brought. */
  readonly realKeys: RealKeys = new Map()
  /** The last start that was found between two others. */
  #inserted = 0

  get(id: string): Item | undefined {
    return this.all.find(({ mutation }) => mutation.id === id)
  }

  /** Adds it after all that were stored before it, or at a place. */
  add(item: Item, place?: number): void {
    const { all } = this
    const isBefore = ({ number }: Item): boolean => (number || Infinity) <= (item.number || Infinity)
    let at = place ?? all.length
    while (place === undefined && at > 0 && !isBefore(all[at - 1] as Item)) at -= 1
    this.all = [...all.slice(0, at), item, ...all.slice(at)]
  }

  /**
   * A mutation that is sent again, or late, comes after the one of its URL in flight, since the server gets it after
   * that.
   */
  queue(item: Item, lane: string | undefined): void {
    const { all } = this
    const first = all.find(
      ({ isOwn, status, flight }) => flight && (isOwn || status === 'sending') && laneOf(flight) === lane,
    )
    if (first === undefined || all.indexOf(first) < all.indexOf(item)) return
    // Mutations that name the row that it creates stay behind it.
    const moved = this.below(item.mutation.id)
    this.all = all.flatMap((one) => (one === first ? [one, ...moved] : moved.includes(one) ? [] : one))
  }

  delete(item: Item): void {
    this.all = this.all.filter((one) => one !== item)
  }

  /** A record has these steps, `Infinity` until one has: those that a full disk has refused may be in a later one. */
  noteStored(steps: readonly Step[], record: number): void {
    for (const step of steps) {
      const [type, id] = step
      const item = this.get(id)
      if (item !== undefined && (type === 'add' || type === 'retry')) item.number = record
      if (item !== undefined && type === 'refuse') item.refusedIn = record
      if (step[0] === 'end') addKeys(this.realKeys, step[2])
    }
  }

  /** Mutations that others have tried were sent by now; unless only this tab sends, so may be those without a note. */
  noteTried(now: number, isAlone: boolean): void {
    for (const item of this.all) if (item.mutation.isTried ?? !(isAlone || item.isMade)) item.sentAt ??= now
  }

  /**
   * A start before this one, and after all that come before it: in the second half between two numbers, since what was
   * stored is in the first one.
   */
  startBefore(later: number): number {
    let last = Math.ceil(later) - 0.5
    const starts = this.all.flatMap(({ flight }) => flight?.start ?? [])
    for (const start of [...starts, this.#inserted]) if (start < later) last = Math.max(last, start)
    this.#inserted = last + (later - last) / 8
    return this.#inserted
  }

  /**
   * Those that name the row that one creates, and it itself; with `andAbove` all that fail and succeed together with it:
   * also the creation of a row that it names.
   */
  below(id: string, andAbove = false): readonly Item[] {
    const { all } = this
    const related = new Set(all.filter(({ mutation }) => mutation.id === id))
    // Iterating a Set includes items that are added meanwhile.
    for (const one of related)
      for (const other of all) if (names(other, one) || (andAbove && names(one, other))) related.add(other)
    return all.filter((item) => related.has(item))
  }

  /** True if a mutation names a row whose creation a reset has put aside: it waits with that. */
  isAside({ args }: Mutation): boolean {
    return [...creationsIn(args).keys()].some((id) => {
      const creation = this.get(id)
      return creation?.status === 'waiting' && creation.flight === undefined
    })
  }

  // — as an observer —

  readonly subscribe = (onChange: () => void): (() => void) => {
    const own = (): void => onChange()
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  readonly getSnapshot = (): readonly OutboxEntry[] => {
    this.#snapshot ??= this.all.map(({ mutation, status, error, flight }) => {
      const { id, name, attempts, at } = mutation
      const rows = flight === undefined ? (mutation.rows ?? []) : rowsOf(flight)
      return { id, name, args: flight?.args ?? mutation.args, status, attempts, error, at, rows }
    })
    return this.#snapshot
  }

  changed(): void {
    this.#snapshot = undefined
    for (const listener of [...this.#listeners]) listener()
  }
}

/** True if one names a row that the other creates. */
function names({ mutation: { args } }: Item, { mutation: { id } }: Item): boolean {
  return creationsIn(args).has(id)
}

/** Notes that a mutation was refused, with the rows that it has shown. */
export function markRefused(item: Item, error: ErrorFacts, rows: readonly string[] | undefined): void {
  item.status = 'refused'
  item.error = error
  item.mutation = { ...item.mutation, error, rows }
}

/** The rows of entities that the optimistic layer of a mutation writes. */
export function rowsOf(flight: Flight | undefined): readonly string[] {
  const rows = [...(flight?.layer?.writes ?? [])].filter((row) => row.list === undefined)
  return rows.map(({ home, pk }) => rowName(home.key, pk))
}

/** Returns the changed `kept` of other mutations after one has ended, since their changes build on it. */
export function keptSince({ all }: Items, isSecret: (row: Row) => boolean): readonly Step[] {
  const steps: Step[] = []
  for (const item of all) {
    const { flight, mutation, status } = item
    if (flight === undefined || status === 'storing') continue
    const kept = keptOf(flight, isSecret)
    if (JSON.stringify(kept) === JSON.stringify(mutation.kept)) continue
    item.mutation = { ...mutation, kept }
    steps.push(['keep', mutation.id, kept])
  }
  return steps
}

/** Ends the flight of a mutation, as its caller's signal would. */
export function endFlight({ flight, end, isOwn }: Item): void {
  const error = abortError('It was discarded.')
  if (end !== undefined && !isOwn) end(error)
  else flight?.abort.abort(error)
}

/** Those of one URL are sent one after the other, whatever their methods. */
export function laneOf({ endpoint, args, key }: Pick<Flight, 'endpoint' | 'args' | 'key'>): string {
  let now = key
  try {
    now = endpoint.key(...(args as never))
  } catch {
    // The one that it was made with.
  }
  return now.replace(/^[A-Z]+ /, '')
}

/** Makes an attempt, which ends when another tab reports how the mutation ended, since its response is no longer needed. */
export async function untilTold(
  item: Item,
  { signal }: PartRequest,
  next: (signal?: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  // Its response has arrived.
  if (Array.isArray(item.told)) return next()
  const attempt = new AbortController()
  const end = (): void => attempt.abort(signal?.reason)
  // It may have been reported in a pause between two attempts.
  if (item.told || signal?.aborted) end()
  signal?.addEventListener('abort', end)
  item.attempt = attempt
  try {
    return await next(attempt.signal)
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

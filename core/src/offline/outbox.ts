import { withTexts } from '../util/texts.js'

/**
 * The stored facts of the error with which a mutation was refused or its last attempt failed: the same after a reload
 * and in all tabs. It is not an instance of the error's class.
 */
export interface ErrorFacts {
  readonly name: string
  readonly message: string
  readonly code?: string | undefined
  readonly status?: number | undefined
  /**
   * The body of a response with an error status: data if it is JSON, such as problem details, else its text; undefined if it came with
   * `no-store` or has more than 4,000 characters.
   */
  readonly body?: unknown
}

/** A waiting mutation, as the log stores it. */
export interface Mutation {
  /** A fixed UUID, which the server gets as the `Idempotency-Key`. */
  readonly id: string
  /** The name of its endpoint among the application's. */
  readonly name: string
  readonly args: readonly unknown[]
  /** The wall clock at which it was made. */
  readonly at: number
  /** The number of counted attempts. */
  readonly attempts: number
  /** The version of the row that its user has seen: see `http/kept.ts`. */
  readonly kept: unknown
  /** Missing while it waits. */
  readonly error?: ErrorFacts | undefined
  /** The rows that it has shown, if it was refused. */
  readonly rows?: readonly string[] | undefined
}

/**
 * The server's response for other tabs: status, headers and text. 1 for a response that is not shared: a secret one,
 * or bytes. 0 for a discarded mutation.
 */
export type Answer =
  | 0
  | 1
  | readonly [status: number, headers: readonly (readonly [name: string, value: string])[], text: string]

/** A step in the life of a mutation. */
export type Step =
  | readonly [type: 'add', mutation: Mutation]
  /** It is about to be sent for this time, or an attempt that does not count was taken back. */
  | readonly [type: 'try', id: string, attempts: number]
  | readonly [type: 'keep', id: string, kept: Mutation['kept']]
  | readonly [type: 'refuse', id: string, error: ErrorFacts, rows: readonly string[]]
  | readonly [type: 'retry', id: string]
  /** It is over; the real keys of the rows that it has created, by their temporary ones. */
  | readonly [type: 'end', id: string, keys: CreatedKeys, answer: Answer]
  /** After a 401, all tabs wait until one of them resumes. */
  | readonly [type: 'pause' | 'resume', id: string]

/** Temporary keys and the server's keys that replace them. */
export type CreatedKeys = readonly (readonly [temporary: string, real: string | number])[]

/** The mutations that wait, in the order in which they were made. */
export type Outbox = ReadonlyMap<string, Mutation>

/** Returns the outbox after a step. */
export function after(outbox: Outbox, step: Step): Outbox {
  const next = new Map(outbox)
  if (step[0] === 'add') return next.set(step[1].id, step[1])
  if (step[0] === 'end') {
    // The finished mutation may be missing from the log, but others may name its row.
    next.delete(step[1])
    return renamed(next, step[2])
  }
  const mutation = outbox.get(step[1])
  if (mutation === undefined) return outbox
  const { id } = mutation
  switch (step[0]) {
    case 'try':
      return next.set(id, { ...mutation, attempts: step[2] })
    case 'keep':
      return next.set(id, { ...mutation, kept: step[2] })
    case 'refuse':
      return next.set(id, { ...mutation, error: step[2], rows: step[3] })
    case 'retry':
      // It is made again: after all others.
      next.delete(id)
      return next.set(id, { ...mutation, error: undefined, rows: undefined, attempts: 0 })
    default:
      return outbox
  }
}

/** Mutations that name a row by its temporary key name it by the real one from then on. */
function renamed(outbox: Outbox, keys: CreatedKeys): Outbox {
  if (keys.length === 0) return outbox
  return new Map(Array.from(outbox, ([id, mutation]) => [id, { ...mutation, args: withKeys(mutation.args, keys) }]))
}

/** Arguments with the real keys in place of the temporary ones; the same ones if they name none. */
export function withKeys(args: readonly unknown[], keys: CreatedKeys): readonly unknown[] {
  const real = new Map(keys)
  return withTexts(args, (text) => real.get(text) ?? text)
}

/** Returns the temporary key of a row whose creation is missing, so that its real key will never be known. */
export function lostIn(args: readonly unknown[], isThere: (id: string) => boolean): string | undefined {
  let lost: string | undefined
  withTexts(args, (text) => {
    const [, id] = /^optimistic:([\da-f]{8}-[\da-f-]{27})(?::\d+)?$/.exec(text) ?? []
    if (id !== undefined && !isThere(id)) lost = text
    return text
  })
  return lost
}

/** True if arguments name a row that a mutation creates. */
export function namesCreationOf(args: readonly unknown[], id: string): boolean {
  let isNamed = false
  withTexts(args, (text) => {
    if (text.startsWith(`optimistic:${id}`)) isNamed = true
    return text
  })
  return isNamed
}

/** Returns the mutations that fail and succeed together with one: the creation of a row that it names, and all that name its own. */
export function relatedTo(outbox: Iterable<Mutation>, id: string): ReadonlySet<string> {
  const all = [...outbox]
  const related = new Set([id])
  // Iterating a Set includes items that are added meanwhile.
  for (const one of related) {
    const args = all.find((mutation) => mutation.id === one)?.args ?? []
    for (const other of all)
      if (namesCreationOf(other.args, one) || namesCreationOf(args, other.id)) related.add(other.id)
  }
  return related
}

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
   * The body of a response with an error status: data if it is JSON, such as problem details, else its text; undefined
   * if it came with `no-store` or has more than 4,000 characters.
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
  /**
   * True if it may have been sent: the server may have done it, and answer as it did then. Undefined if its tab may have
   * sent it while the log noted that.
   */
  readonly isTried?: boolean | undefined
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
  | readonly [type: 'add', id: string, mutation: Mutation]
  /**
   * It is about to be sent for this time, or an attempt that does not count was taken back; whether the server may have
   * done it.
   */
  | readonly [type: 'try', id: string, attempts: number, isTried: boolean]
  | readonly [type: 'keep', id: string, kept: Mutation['kept']]
  | readonly [type: 'refuse', id: string, error: ErrorFacts, rows: readonly string[]]
  | readonly [type: 'retry', id: string]
  /** It is over; the real keys of the rows that it has created, by their temporary ones. */
  | readonly [type: 'end', id: string, keys: CreatedKeys, answer: Answer]
  /** After a 401, all tabs wait until one of them resumes. */
  | readonly [type: 'pause' | 'resume', id: string]

/** Temporary keys and the server's keys that replace them. */
export type CreatedKeys = readonly (readonly [temporary: string, real: string | number])[]

/** The real keys of created rows by their temporary ones. */
export type RealKeys = Map<string, string | number>

/** The mutations that wait, in the order in which they were made. */
export type Mutations = ReadonlyMap<string, Mutation>

/** Returns the mutations that wait after these steps, and adds the real keys that they bring to `realKeys`. */
export function mutationsOf(steps: readonly Step[], realKeys: RealKeys = new Map()): Mutations {
  const mutations = new Map<string, Mutation>()
  for (const step of steps) {
    const [type, id] = step
    const mutation = mutations.get(id)
    // A tab that had not read the end of the creation may have added it after that.
    if (type === 'add') mutations.set(id, withRealKeys(step[2], realKeys))
    else if (type === 'end') {
      // The finished mutation may be missing from the log, but others may name its row.
      mutations.delete(id)
      addKeys(realKeys, step[2])
      if (step[2].length > 0) for (const [of, one] of mutations) mutations.set(of, withRealKeys(one, realKeys))
    } else if (mutation !== undefined) {
      // It is made again: after all others.
      if (type === 'retry') mutations.delete(id)
      mutations.set(id, withStep(mutation, step))
    }
  }
  return mutations
}

/** Returns a mutation as a step leaves it that does not end it. */
export function withStep(mutation: Mutation, step: Step): Mutation {
  if (step[0] === 'try') return { ...mutation, attempts: step[2], isTried: step[3] }
  if (step[0] === 'keep') return { ...mutation, kept: step[2] }
  if (step[0] === 'refuse') return { ...mutation, error: step[2], rows: step[3] }
  return step[0] === 'retry' ? { ...mutation, error: undefined, rows: undefined, attempts: 0 } : mutation
}

/** Returns a mutation that names rows by their real keys; the same one if it names none by a temporary key. */
export function withRealKeys(mutation: Mutation, realKeys: RealKeys): Mutation {
  const args = withTexts(mutation.args, (text) => realKeys.get(text) ?? text)
  return args === mutation.args ? mutation : { ...mutation, args }
}

export function addKeys(realKeys: RealKeys, keys: CreatedKeys): void {
  for (const [temporary, real] of keys) realKeys.set(temporary, real)
}

/** Returns the ids of mutations that create rows which arguments name, with the temporary keys of these. */
export function creationsIn(args: readonly unknown[]): ReadonlyMap<string, string> {
  const creations = new Map<string, string>()
  withTexts(args, (text) => {
    const [, id] = /^optimistic:([\da-f]{8}-[\da-f-]{27})(?::\d+)?$/.exec(text) ?? []
    if (id !== undefined) creations.set(id, text)
    return text
  })
  return creations
}

import type { StateParts } from '../hydration/read-state.js'
import { decodeArgs, encodeArgs } from './args.js'
import type { LogEntry } from './log.js'
import type { Answer, CreatedKeys, ErrorFacts, Step } from './outbox.js'
import { StorageError } from './storage-error.js'

/** The version of the record format: from earlier versions, mutations are read but not rows. */
const FORMAT = 2

const DAMAGED = 'has a damaged record, which was left out'

/** Rows or kinds that were marked: `pk` is null for all rows of a kind. */
export type LogMark = readonly [kind: string, pk: string | null, isInvalid: 0 | 1]

/** Keys whose results were marked; in a summary with the record that said so. */
export type KeyMark = readonly [key: string, isInvalid: 0 | 1, record?: number]

/** The content of a record: first whether earlier rows are void, then marks, then server data. */
export interface Content {
  /** The version of the application: other versions do not read its rows. */
  readonly version: string
  /** Wall clock in ms. */
  readonly at: number
  /** Its place in the log; 0 before it is written. */
  readonly number?: number
  /** The record of the last reset: rows from tabs that did not know of it are void. */
  readonly reset?: number | undefined
  /** The last record that its writer knew; undefined in a summary, which includes all. */
  readonly knew?: number | undefined
  readonly marks?: readonly LogMark[]
  readonly keys?: readonly KeyMark[]
  readonly state?: StateParts | undefined
  /** The steps of mutations. */
  readonly steps?: readonly Step[]
}

/** Returns the text of a record. It is an array, since another build may shorten property names differently. */
export function encode({ version, at, reset, marks = [], keys = [], state, steps = [], knew = -1 }: Content): LogEntry {
  const files: Blob[] = []
  const encoded = steps.map((step) => encodeStep(step, files))
  const text = JSON.stringify([
    FORMAT,
    version,
    at,
    reset === undefined ? 0 : reset + 1,
    marks,
    keys,
    state ? [state.responses, state.shapes, state.rows, state.lists, state.results, state.marks ?? []] : 0,
    encoded,
    knew,
  ])
  return files.length > 0 ? { text, files } : { text }
}

/**
 * Returns a step as JSON can keep it.
 *
 * @throws TypeError for a mutation with arguments that cannot be stored
 */
export function encodeStep(step: Step, files: Blob[]): unknown {
  switch (step[0]) {
    case 'add': {
      const { id, name, args, at, attempts, isTried, kept, error, rows = [] } = step[1]
      const tries = isTried ? ~attempts : attempts
      return ['add', id, name, encodeArgs(args, files), at, tries, kept ?? 0, error ? encodeError(error) : 0, rows]
    }
    case 'keep':
      return ['keep', step[1], step[2] ?? 0]
    case 'refuse':
      return ['refuse', step[1], encodeError(step[2]), step[3]]
    default:
      return step
  }
}

/** The items after the id and the name of a mutation. */
type StoredMutation = readonly [
  args: unknown,
  at: number,
  /** The counted attempts; the complement of their number if it may have been sent. */
  tries: number,
  kept: unknown,
  error: unknown,
  rows: readonly string[],
]

function encodeError({ name, message, code, status, body }: ErrorFacts): unknown {
  return [name, message, code ?? 0, status ?? 0, ...(body === undefined ? [] : [body])]
}

function decodeStep(encoded: readonly unknown[], files: readonly Blob[]): Step {
  const [type, id, second, ...rest] = encoded as readonly [Step[0], string, unknown, ...unknown[]]
  switch (type) {
    case 'add': {
      const [args, at, tries, kept, error, rows] = rest as unknown as StoredMutation
      const decoded = decodeArgs(args, files) as readonly unknown[]
      const tried = tries < 0 ? { attempts: ~tries, isTried: true } : { attempts: tries }
      const mutation = { id, name: second as string, args: decoded, at, ...tried, kept: kept || undefined }
      return ['add', error === 0 ? mutation : { ...mutation, error: decodeError(error), rows }]
    }
    case 'refuse':
      return ['refuse', id, decodeError(second), rest[0] as readonly string[]]
    case 'try':
      return [type, id, second as number, rest[0] !== false]
    case 'keep':
      return [type, id, second || undefined]
    case 'end':
      return [type, id, second as CreatedKeys, rest[0] as Answer]
    default:
      return [type, id]
  }
}

function decodeError(encoded: unknown): ErrorFacts {
  const [name, message, code, status, body] = encoded as readonly [string, string, string | 0, number, unknown]
  return { name, message, code: code || undefined, status: status || undefined, body }
}

/**
 * Returns the content of a record.
 *
 * @throws StorageError if it is damaged, or of a later version of this library
 */
export function decode({ text, files = [], number = 0 }: LogEntry & { readonly number?: number }): Content {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new StorageError(DAMAGED, { cause })
  }
  if (!Array.isArray(parsed) || typeof parsed[0] !== 'number') throw new StorageError(DAMAGED)
  const [format, version, at, reset, marks, keys, state, steps = [], knew = -1] = parsed as readonly unknown[]
  if ((format as number) > FORMAT)
    throw new StorageError(`is of version ${format}, this library reads version ${FORMAT}`)
  const isRight = typeof version === 'string' && typeof at === 'number' && Array.isArray(marks) && Array.isArray(keys)
  if (!isRight || !Array.isArray(steps)) throw new StorageError(DAMAGED)
  // Rows are checked when they are read; the lists of marks are our own as far as their record is whole.
  return {
    version: version as string,
    at: at as number,
    number,
    // A record does not contain its own number.
    reset: reset === 0 ? undefined : Number(reset) - 1 || number,
    knew: Number(knew) < 0 ? undefined : Number(knew),
    marks: marks as readonly LogMark[],
    keys: keys as readonly KeyMark[],
    state: state === 0 || format !== FORMAT ? undefined : stateOf(state),
    steps: (steps as readonly (readonly unknown[])[]).map((step) => decodeStep(step, files)),
  }
}

function stateOf(state: unknown): StateParts {
  if (!Array.isArray(state)) throw new StorageError(DAMAGED)
  // The rest is checked when it is read.
  const [responses, shapes, rows, lists, results, marks] = state as [
    StateParts['responses'],
    StateParts['shapes'],
    StateParts['rows'],
    StateParts['lists'],
    StateParts['results'],
    NonNullable<StateParts['marks']>,
  ]
  return { responses, shapes, rows, lists, results, marks }
}

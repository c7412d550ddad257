import type { StateParts } from '../hydration/read-state.js'
import type { LogEntry } from './log.js'
import { StorageError } from './storage-error.js'

/** The version of the record format: from earlier versions, mutations are read but not rows. */
const FORMAT = 3

/** How many ends of mutations, marks of keys, and moves a summary keeps for suspended tabs. */
export const FOR_SUSPENDED = 32

export const DAMAGED = 'has a damaged record, which was left out'

/** Rows or kinds that were marked: `pk` is null for all rows of a kind. */
export type LogMark = readonly [kind: string, pk: string | null, isInvalid: 0 | 1]

/** Keys whose results were marked; in a summary with the record that said so. */
export type KeyMark = readonly [key: string, isInvalid: 0 | 1, record?: number]

/** A step of a mutation as JSON data, and the files that it refers to by index. Only the outbox reads it. */
export type StoredStep = readonly [data: readonly unknown[], ...files: Blob[]]

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
  /** Its writer's own records after that. */
  readonly own?: readonly number[]
  readonly marks?: readonly LogMark[]
  readonly keys?: readonly KeyMark[]
  readonly state?: StateParts | undefined
  readonly steps?: readonly StoredStep[]
}

/** Returns the text of a record. It is an array, since another build may shorten property names differently. */
export function encode({
  version,
  at,
  reset,
  marks = [],
  keys = [],
  state,
  steps = [],
  knew = -1,
  own = [],
}: Content): LogEntry {
  const files = steps.flatMap(([, ...attached]) => attached)
  const text = JSON.stringify([
    FORMAT,
    version,
    at,
    reset === undefined ? 0 : reset + 1,
    marks,
    keys,
    state ? statePartsOf(state) : 0,
    steps.map(([data, ...own]) => (own.length > 0 ? [own.length, data] : data)),
    knew,
    ...own,
  ])
  return files.length > 0 ? { text, files } : { text }
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
  const [format, version, at, reset, marks, keys, state, steps = [], knew = -1, ...own] = parsed as readonly unknown[]
  if ((format as number) > FORMAT)
    throw new StorageError(`is of version ${format}, this library reads version ${FORMAT}`)
  const isRight = typeof version === 'string' && typeof at === 'number' && [marks, keys, steps].every(Array.isArray)
  if (!isRight || !(steps as readonly unknown[]).every(Array.isArray)) throw new StorageError(DAMAGED)
  // Rows are checked when they are read; the lists of marks are our own as far as their record is whole.
  return {
    version: version as string,
    at: at as number,
    number,
    // A record does not contain its own number.
    reset: reset === 0 ? undefined : Number(reset) - 1 || number,
    knew: Number(knew) < 0 ? undefined : Number(knew),
    own: own as readonly number[],
    marks: marks as readonly LogMark[],
    keys: keys as readonly KeyMark[],
    state: state === 0 || format !== FORMAT ? undefined : stateOf(state),
    steps: storedSteps(steps as readonly (readonly unknown[])[], files),
  }
}

function statePartsOf({
  responses,
  shapes,
  rows,
  lists,
  results,
  marks = [],
  moves = [],
}: StateParts): readonly unknown[] {
  return [responses, shapes, rows, lists, results, marks, ...(moves.length > 0 ? [moves] : [])]
}

/** Returns the ids of the mutations that steps of records end. */
export function endsIn(steps: readonly StoredStep[] = []): readonly string[] {
  return steps.flatMap(([[type, id]]) => (type === 'end' ? `${id}` : []))
}

/** Steps with files have their number; the files are in the order of the steps. */
function storedSteps(steps: readonly (readonly unknown[])[], files: readonly Blob[]): readonly StoredStep[] {
  const left = [...files]
  return steps.map((step) => {
    const [count, data] = step as readonly [number, readonly unknown[]]
    return typeof count === 'number' ? [data, ...left.splice(0, count)] : [step]
  })
}

function stateOf(state: unknown): StateParts {
  // The rest is checked when it is read.
  const [responses, shapes, rows, lists, results, marks, moves = []] = (Array.isArray(state) ? state : []) as [
    StateParts['responses'],
    StateParts['shapes'],
    StateParts['rows'],
    StateParts['lists'],
    StateParts['results'],
    NonNullable<StateParts['marks']>,
    StateParts['moves'],
  ]
  if (![rows, lists, results, moves].every(Array.isArray)) throw new StorageError(DAMAGED)
  return { responses, shapes, rows, lists, results, marks, moves }
}

import type { Dehydrated } from '../hydration/state.js'
import type { LogEntry } from './log.js'
import { StorageError } from './storage-error.js'

/** The version of what records contain. */
const FORMAT = 1

const DAMAGED = 'has a damaged record, which was left out'

/** Rows or kinds that were marked: `pk` is null for all rows of a kind. */
export type LogMark = readonly [kind: string, pk: string | null, isInvalid: 0 | 1]

/** Keys whose results were marked. */
export type KeyMark = readonly [key: string, isInvalid: 0 | 1]

/** What a record says: first that earlier rows do not count, then what was marked, then what the server has told. */
export interface Content {
  /** The version of the application: another one does not read its rows. */
  readonly version: string
  /** Wall clock in ms. */
  readonly at: number
  /** True if the store was emptied before. */
  readonly isReset?: boolean
  readonly marks?: readonly LogMark[]
  readonly keys?: readonly KeyMark[]
  readonly state?: Dehydrated | undefined
}

/** Returns the text of a record. It is a list, since its members keep no names that another build may not know. */
export function encode({ version, at, isReset, marks = [], keys = [], state }: Content): LogEntry {
  return { text: JSON.stringify([FORMAT, version, at, isReset ? 1 : 0, marks, keys, state ?? 0]) }
}

/**
 * Returns what a record says.
 *
 * @throws StorageError if it is damaged, or of a later version of this library
 */
export function decode({ text }: LogEntry): Content {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new StorageError(DAMAGED, { cause })
  }
  if (!Array.isArray(parsed) || typeof parsed[0] !== 'number') throw new StorageError(DAMAGED)
  const [format, version, at, isReset, marks, keys, state] = parsed as readonly unknown[]
  if (format !== FORMAT) throw new StorageError(`is of version ${format}, this library reads version ${FORMAT}`)
  const isRight = typeof version === 'string' && typeof at === 'number' && Array.isArray(marks) && Array.isArray(keys)
  if (!isRight) throw new StorageError(DAMAGED)
  // Rows are checked when they are read; the lists of marks are our own as far as their record is whole.
  return {
    version: version as string,
    at: at as number,
    isReset: isReset === 1,
    marks: marks as readonly LogMark[],
    keys: keys as readonly KeyMark[],
    state: state === 0 ? undefined : (state as Dehydrated),
  }
}

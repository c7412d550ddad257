import { equal } from './equal.js'

type PlainRecord = Readonly<Record<string, unknown>>

/** Makes a shallow copy of a plain record. */
export type Copy = (record: PlainRecord) => Record<string, unknown>

/**
 * Engines remember at each place of a program which forms of objects it has met, and go a slow way there after about four: a copy
 * then costs six times as much. So there are as many call sites as an application may have common classes.
 */
const copies: readonly Copy[] = [
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
  (record) => ({ ...record }),
]

/**
 * Returns a call site that copies records for this name: its inline caches see the objects of few other names.
 *
 * @example copierFor('Todo')({ id: '5' }) // { id: '5' }
 */
export function copierFor(name: string): Copy {
  let sum = 0
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) % 65_521
  // The index is always one of the list.
  return copies[sum % copies.length] as Copy
}

/** Reused arrays for the fields of a record, for comparisons of many records. */
export interface Scratch {
  readonly fields: string[]
  readonly values: unknown[]
}

/**
 * True if two records have equal fields in the same order. Reading a field by its name is slow where a program meets more than about
 * four shapes, but not in a loop over the fields of the very same object: so each record has a loop of its own.
 */
export function sameFields(a: PlainRecord, b: PlainRecord, { fields, values }: Scratch): boolean {
  let count = 0
  for (const field in b) {
    fields[count] = field
    values[count++] = b[field]
  }
  let at = 0
  for (const field in a) {
    if (at === count || field !== fields[at]) return false
    const value = a[field]
    const other = values[at++]
    if (value !== other && !equal(value, other)) return false
  }
  return at === count
}

import { equal } from './equal.js'

type PlainRecord = Readonly<Record<string, unknown>>

/** Returns a shallow copy of a plain record. */
export type Copy = (record: PlainRecord) => Record<string, unknown>

/**
 * Engines cache the shapes of objects at each call site, and take a slow path after about four: a copy then takes six times
 * as long. So there are as many call sites as an application is likely to have common classes.
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
 * Returns a call site that copies records for this name, and is shared with few other names.
 *
 * @example copierFor('Todo')({ id: '5' }) // { id: '5' }
 */
export function copierFor(name: string): Copy {
  let sum = 0
  for (let i = 0; i < name.length; i++) sum = (sum * 31 + name.charCodeAt(i)) % 65_521
  // The index is always within the list.
  return copies[sum % copies.length] as Copy
}

/** Arrays for the fields of a record, reused for comparisons of many records. */
export interface Scratch {
  readonly fields: string[]
  readonly values: unknown[]
}

/**
 * Returns true if two records have equal fields in the same order. Reading fields by name is slow at call sites with more
 * than about four shapes, except in a loop over the fields of the same object, so each record has its own loop.
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

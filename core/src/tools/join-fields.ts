import { equal } from './equal.js'
import { copyPlain } from './plain.js'

type PlainRecord = Readonly<Record<string, unknown>>

/** Copies of the later fields on top of the earlier ones; where they say nothing new, the earlier record itself. */
export function joinFields(said: PlainRecord, record: PlainRecord): PlainRecord {
  for (const field in record) {
    const value = record[field]
    const before = said[field]
    if (before !== value ? !equal(before, value) : value === undefined && !Object.hasOwn(said, field)) {
      return { ...said, ...copyPlain(record) }
    }
  }
  return said
}

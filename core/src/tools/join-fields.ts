type PlainRecord = Readonly<Record<string, unknown>>

/** The later fields on top of the earlier ones; where they say nothing new, the earlier record itself. */
export function joinFields(said: PlainRecord, record: PlainRecord): PlainRecord {
  for (const field in record) {
    const value = record[field]
    if (said[field] !== value || (value === undefined && !Object.hasOwn(said, field))) return { ...said, ...record }
  }
  return said
}

import type { EntityInterface } from '../schema/schema.js'

/** Warns once of each field that a schema changes. Rows are stored as the server sent them, so the change has no effect. */
export function warnOfChanges(entity: EntityInterface, input: object, output: unknown, told: Set<string>): void {
  const { key, schema } = entity
  const before = input as Readonly<Record<string, unknown>>
  for (const [field, after] of Object.entries(Object(output) as object)) {
    // Fields with their own schema are converted, or are rows of another class.
    if (Object.hasOwn(schema, field) || told.has(field) || !isChanged(before[field], after)) continue
    told.add(field)
    console.warn(
      `The schema of ${key} changes '${field}', but rows are stored as the server sent them, so the change has no effect. Let the schema accept the server's value, and convert it: entityOf(schema, { convert: { ${field}: (value) => … } }).`,
    )
  }
}

/** True if a value changed; fields that the schema omits do not count as changes. */
function isChanged(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return false
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return true
  if (Object.getPrototypeOf(before) !== Object.getPrototypeOf(after)) return true
  const fields = before as Readonly<Record<string, unknown>>
  return Object.entries(after).some(([field, value]) => isChanged(fields[field], value))
}

const told = new WeakSet<object>()

/**
 * Warns once of each class in a schema that has `static automaticValidation`: nothing reads it here.
 *
 * @example
 * ```ts
 * class Todo extends Entity {
 *   static automaticValidation = 'silent'
 * }
 * warnOfAutomaticValidation([Todo])
 * ```
 */
export function warnOfAutomaticValidation(schema: unknown): void {
  if (process.env.NODE_ENV !== 'production') warn(schema, new Set())
}

function warn(schema: unknown, seen: Set<unknown>): void {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null || seen.has(schema)) return
  seen.add(schema)
  if ('automaticValidation' in schema && !told.has(schema)) {
    told.add(schema)
    const { name } = schema as { readonly name?: string }
    console.warn(
      `static automaticValidation of ${name} has no counterpart in Roundtable: responses are not compared with the fields of a class. Remove it; static validate(record) returns what is wrong with a row.`,
    )
  }
  // A getter may refer to classes that are not defined yet.
  const inner = Object.getOwnPropertyDescriptor(schema, 'schema')?.value
  for (const next of typeof schema === 'function' ? [inner] : [inner, ...Object.values(schema)]) warn(next, seen)
}

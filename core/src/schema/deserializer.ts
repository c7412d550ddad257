/** Called and not constructed: `new Number(5)` is an object. */
const called: readonly unknown[] = [Number, String, Boolean, BigInt, Symbol, Object]

/**
 * How a function in a schema makes a value from the serialized one: a class constructs it, any other function is called with it.
 *
 * @example
 * ```ts
 * deserializer(Date)('2026-01-01') // a Date
 * deserializer(Number)('5') // 5
 * ```
 */
export function deserializer(
  schema: (new (value: never) => unknown) | ((value: never) => unknown),
): (value: unknown) => unknown {
  // The parameter's type is the user's: whoever wrote the schema knows what the server sends.
  if (!isClass(schema)) return schema as (value: unknown) => unknown
  const Class = schema as new (value: unknown) => unknown
  return (value) => new Class(value)
}

/** The prototype of a class cannot be replaced; that of a function can, and arrows have none. */
function isClass(schema: unknown): boolean {
  if (called.includes(schema)) return false
  return Object.getOwnPropertyDescriptor(schema, 'prototype')?.writable === false
}

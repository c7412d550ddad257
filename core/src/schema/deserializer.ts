/** Functions that are called, not constructed, since `new Number(5)` is an object. */
const called: readonly unknown[] = [Number, String, Boolean, BigInt, Symbol, Object]

/**
 * Returns the deserializer for a function in a schema: a class is constructed with the serialized value, any other function
 * is called with it.
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
  // The author of the schema declares the parameter's type, and knows the server's data.
  if (!isClass(schema)) return schema as (value: unknown) => unknown
  const Class = schema as new (value: unknown) => unknown
  return (value) => new Class(value)
}

/** True for a class: its prototype cannot be replaced, unlike that of a function, and arrow functions have none. */
function isClass(schema: unknown): boolean {
  if (called.includes(schema)) return false
  return Object.getOwnPropertyDescriptor(schema, 'prototype')?.writable === false
}

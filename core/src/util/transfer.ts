/** Transferred values that have not been stored yet. */
const transferred = new WeakSet<object>()

/**
 * Marks a value that the caller no longer needs, such as freshly parsed JSON: the store keeps it without copying it.
 *
 * @remarks
 * Do not change the value or any part of it afterwards, and do not transfer it again; in development the stored value is
 * frozen. Responses of a `RestEndpoint` are transferred automatically, unless its `fetch`, `parseResponse` or `process` is
 * overridden. A transferred value is still copied if a class in its schema has its own `process`, or if a custom schema does
 * not set `passesOn`.
 *
 * @example
 * ```ts
 * const takeTodos = (text: string) => controller.setResponse(getTodos, transfer(JSON.parse(text)))
 * ```
 */
export function transfer<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) transferred.add(value)
  return value
}

/** Returns true once for each transferred value. */
export function takeTransferred(value: unknown): boolean {
  return typeof value === 'object' && value !== null && transferred.delete(value)
}

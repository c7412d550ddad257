/** Values that were handed over and not yet taken. */
const transferred = new WeakSet<object>()

/**
 * Hands a value over, as JSON that was just parsed: whoever stores it keeps it without a copy.
 *
 * @remarks
 * Neither the value nor anything in it may be changed afterwards, nor handed over again; in development what was stored is frozen.
 * Answers of a `RestEndpoint` are handed over by themselves, unless its `fetch`, `parseResponse` or `process` is overridden. An
 * answer is copied all the same if a class in its schema has a `process` of its own, or if a schema of yours does not say `passesOn`.
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

/** True once for a value that was handed over: then it is taken. */
export function takeTransferred(value: unknown): boolean {
  return typeof value === 'object' && value !== null && transferred.delete(value)
}

/** An object of parsed JSON or YAML. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Returns true for an object other than an array.
 *
 * @example isObject({ id: 1 }) // true
 */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * True if two values look the same to a user: deeply, with the classes of their instances. Rings end where both have
 * been.
 */
export function same(a: unknown, b: unknown, path: object[] = []): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Error || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  if (path.includes(a)) return true
  const within = [...path, a]
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  for (const name of names) {
    if (!Object.hasOwn(b, name)) return false
    if (!same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name], within)) return false
  }
  return true
}

/** A copy that later changes of the original cannot reach. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  const copy: object = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value))
  for (const name of Object.keys(value)) {
    const inner = copyOf((value as Record<string, unknown>)[name])
    Object.defineProperty(copy, name, { value: inner, enumerable: true, configurable: true, writable: true })
  }
  return copy
}

/** A value in one line, for messages. */
export function text(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner) => (inner instanceof Error ? `${inner.name}: ${inner.message}` : inner)) ??
    'undefined'
  )
}

/**
 * Reads everything that a template could read: the getters of an object, and those of each member of an array. It ignores
 * errors, which are thrown again when a test reads the value.
 */
export function look(shown: unknown): void {
  if (typeof shown !== 'object' || shown === null) return
  if (Array.isArray(shown)) {
    for (const member of shown) look(member)
    return
  }
  for (const { get } of Object.values(Object.getOwnPropertyDescriptors(shown))) {
    try {
      get?.call(shown)
    } catch {
      // Reading is enough.
    }
  }
}

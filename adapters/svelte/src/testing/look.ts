/**
 * Reads whatever a template could read: the getters of an object, those of each member of an array. What throws is thrown again where
 * a test reads it.
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
      // Looking is all.
    }
  }
}

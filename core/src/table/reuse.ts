import { equal, sameItems } from '../util/equal.js'
import { isPlain } from '../util/plain.js'

/** Returns the new value with equal containers of the previous one: `{ author: User }` in an entity is no row. */
export function reuse(before: unknown, now: unknown): unknown {
  const progress: Reuse = { results: undefined, isShared: false }
  const reused = reuseIn(before, now, progress, 0)
  // Containers with cycles can be compared only as a whole.
  return progress.isShared && reused !== before && equal(before, reused) ? before : reused
}

/** Like `reuse`, but a different order of keys is a difference, since users see it in lists and maps. */
export function reuseInOrder(before: unknown, now: unknown): unknown {
  const reused = reuse(before, now)
  return reused === now || sameItems(Object.keys(reused as object), Object.keys(now as object)) ? reused : now
}

interface Reuse {
  /** The results for nested containers; a container itself until its result is known. */
  results: Map<object, unknown> | undefined
  /** True if a container was found twice. */
  isShared: boolean
}

/** The depth below which containers are reused only as a whole. */
const MAX_REUSE_DEPTH = 200

function reuseIn(before: unknown, now: unknown, progress: Reuse, depth: number): unknown {
  if (before === now || !isPlain(before) || !isPlain(now) || Array.isArray(before) !== Array.isArray(now)) return now
  const result = progress.results?.get(now)
  if (result !== undefined) {
    progress.isShared = true
    return result
  }
  if (depth === MAX_REUSE_DEPTH) return equal(before, now) ? before : now
  const old = before as Record<string, unknown>
  const fresh = now as Record<string, unknown>
  const fields = Object.keys(fresh)
  let same = fields.length === Object.keys(old).length
  let isOuter = false
  for (const field of fields) {
    if (!isOuter && isPlain(fresh[field])) {
      isOuter = true
      progress.results ??= new Map()
      progress.results.set(now, now)
    }
    const reused = reuseIn(old[field], fresh[field], progress, depth + 1)
    if (reused === old[field] && Object.hasOwn(old, field)) {
      if (field !== '__proto__' && !Object.isFrozen(fresh)) fresh[field] = reused
    } else same = false
  }
  if (same && isOuter) progress.results?.set(now, before)
  return same ? before : now
}

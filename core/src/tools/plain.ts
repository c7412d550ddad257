/** True for arrays and for objects without a class: what may be copied, compared and frozen. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A copy of the plain values in `value`; instances of classes are shared. Deeper than the stack allows, the rest is shared too. */
export function copyPlain<Value>(value: Value, depth = 0): Value {
  if (!isPlain(value) || depth > 200) return value
  // The copy has the shape of the original: arrays map to arrays, records to records.
  if (Array.isArray(value)) return value.map((item) => copyPlain(item, depth + 1)) as Value
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) }
  for (const field of Object.keys(copy)) {
    const inner = copy[field]
    if (typeof inner === 'object' && inner !== null && field !== '__proto__') copy[field] = copyPlain(inner, depth + 1)
  }
  return copy as Value
}

/** Freezes a value and the plain values in it, so that a user who writes into shared data hears of it at once. */
export function freezePlain(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || depth > 200) return
  if (depth > 0 && !isPlain(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freezePlain(inner, depth + 1)
}

/** What is handed out is shared by everybody: in development it is frozen. */
export function seal<View>(view: View): View {
  if (process.env.NODE_ENV !== 'production') freezePlain(view)
  return view
}

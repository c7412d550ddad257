import { equal } from './equal.js'

/** True for arrays and for objects without a class: values that may be copied, compared and frozen. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** True for plain objects and for instances with fields of their own: not for a Blob, a Map, a Date or an array of bytes. */
export function hasFields(value: object): boolean {
  return isPlain(value) || (!ArrayBuffer.isView(value) && Object.keys(value).length > 0)
}

/** The copies that were made, by their originals. */
export type Copies = Map<object, object>

/**
 * A copy of the plain values in `value`; instances of classes are shared. A value that occurs several times is copied once, also where a
 * value contains itself.
 *
 * @param copies Earlier copies, which are used again.
 */
export function copyPlain<Value>(value: Value, copies: Copies = new Map()): Value {
  if (!isPlain(value)) return value
  const copied = copies.get(value)
  // A copy has the shape of the original: arrays map to arrays, records to records.
  if (copied !== undefined) return copied as Value
  const made: object[] = []
  const copy = copyOne(value, copies, made)
  // A list that grows while it is walked is walked to its end: values may be nested deeper than the call stack.
  for (const outer of made) {
    // Only own fields of plain values are read and written.
    const fields = outer as Record<string, unknown>
    for (const field of Object.keys(fields)) {
      const inner = fields[field]
      if (isPlain(inner)) put(fields, field, copies.get(inner) ?? copyOne(inner, copies, made))
    }
  }
  return copy as Value
}

function copyOne(value: object, copies: Copies, made: object[]): object {
  const copy = Array.isArray(value) ? [...value] : { ...value }
  copies.set(value, copy)
  if (holdsObject(copy)) made.push(copy)
  return copy
}

function holdsObject(value: object): boolean {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (typeof value[i] === 'object') return true
    return false
  }
  for (const field in value) if (typeof (value as Record<string, unknown>)[field] === 'object') return true
  return false
}

/** Freezes a value and the plain values in it, so that code that writes into shared data throws at once. */
export function freezePlain(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return
  const frozen: object[] = [Object.freeze(value)]
  // A list that grows while it is walked is walked to its end.
  for (const outer of frozen) {
    for (const inner of Object.values(outer)) {
      if (isPlain(inner) && !Object.isFrozen(inner)) frozen.push(Object.freeze(inner))
    }
  }
}

/**
 * A list that is handed out is frozen, in production too: sorting it in place would change it for everybody. That costs nothing that
 * can be measured (0.7 µs for 10,000 members that take 700 µs to build); freezing an instance costs ten times its making.
 */
export function freezeList<View>(view: View): View {
  if (process.env.NODE_ENV !== 'production') freezePlain(view)
  else if (Array.isArray(view)) Object.freeze(view)
  return view
}

/** Freezes shared data in development. */
export function freezeInDevelopment<View>(view: View): View {
  if (process.env.NODE_ENV !== 'production') freezePlain(view)
  return view
}

/**
 * Copies the later fields on top of the earlier ones; returns the earlier record if nothing differs. If it is the caller's own, the
 * fields are added to it: a copy for each of many records would cost as much as all of them together.
 */
export function joinFields(
  written: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
  isOwn: boolean,
): Readonly<Record<string, unknown>> {
  for (const field in record) {
    const value = record[field]
    const before = written[field]
    if (before !== value ? !equal(before, value) : value === undefined && !Object.hasOwn(written, field)) {
      if (!isOwn) return { ...written, ...copyPlain(record) }
      const later = copyPlain(record)
      // It is read-only for others.
      for (const name in later) put(written as Record<string, unknown>, name, later[name])
      return written
    }
  }
  return written
}

/** Sets an own field of a plain record; `__proto__` becomes data like any other and never the record's prototype. */
export function put(record: Record<string, unknown>, field: string, value: unknown): void {
  if (field !== '__proto__') record[field] = value
  else defineMember(record, field, value)
}

/**
 * Defines an ordinary member of an object, whatever setters and read-only members its class has of that name.
 *
 * @example
 * ```ts
 * defineMember(endpoint, 'name', 'getUser')
 * ```
 */
export function defineMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Binds the methods of an instance's class, so that `const { fetch, set } = controller` works. */
export function bindMethods<T extends object>(instance: T, prototype: T): void {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    // Getters are not read: those of former names warn.
    if (name === 'constructor' || get !== undefined) continue
    // A subclass may have overridden it.
    const method: unknown = instance[name as keyof T]
    if (typeof method !== 'function') continue
    Object.defineProperty(instance, name, { value: method.bind(instance), writable: true, configurable: true })
  }
}

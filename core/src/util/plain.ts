import { equal } from './equal.js'

/** Returns true for arrays and for objects without a class, which may be copied, compared and frozen. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Returns true for plain objects and for instances with own fields, unlike a Blob, a Map, a Date or an array of bytes. */
export function hasFields(value: object): boolean {
  return isPlain(value) || (!ArrayBuffer.isView(value) && Object.keys(value).length > 0)
}

/** Returns true for an object that is no list: fields and their values. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Copies by their originals. */
export type Copies = Map<object, object>

/**
 * Copies the plain values in `value`; instances of classes are shared. A value that occurs several times is copied once,
 * even if it contains itself.
 *
 * @param copies earlier copies, which are reused
 */
export function copyPlain<Value>(value: Value, copies: Copies = new Map()): Value {
  if (!isPlain(value)) return value
  const copied = copies.get(value)
  // A copy has the shape of the original: arrays map to arrays, records to records.
  if (copied !== undefined) return copied as Value
  const made: object[] = []
  const copy = copyOne(value, copies, made)
  // A list instead of recursion, since values may be nested deeper than the call stack. Iteration includes items added
  // meanwhile.
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
  // Iteration includes items that are added meanwhile.
  for (const outer of frozen) {
    for (const inner of Object.values(outer)) {
      if (isPlain(inner) && !Object.isFrozen(inner)) frozen.push(Object.freeze(inner))
    }
  }
}

/** Freezes shared data in development. */
export function freezeInDevelopment<View>(view: View): View {
  if (process.env.NODE_ENV !== 'production') freezePlain(view)
  return view
}

/**
 * Merges the later fields into a copy of the earlier ones; returns the earlier record if nothing differs. A record among the
 * `joined` gets the fields itself, and a new copy becomes one, since one copy for each of many records would be expensive.
 */
export function joinFields(
  written: Readonly<Record<string, unknown>>,
  record: Readonly<Record<string, unknown>>,
  joined: Set<object>,
): Readonly<Record<string, unknown>> {
  for (const field in record) {
    const value = record[field]
    const before = written[field]
    if (before !== value ? !equal(before, value) : value === undefined && !Object.hasOwn(written, field)) {
      if (!joined.has(written)) {
        const both = { ...written, ...copyPlain(record) }
        joined.add(both)
        return both
      }
      const later = copyPlain(record)
      // The record is read-only only for other code.
      for (const name in later) put(written as Record<string, unknown>, name, later[name])
      return written
    }
  }
  return written
}

/** Sets an own field of a plain record. A field named `__proto__` is data and never changes the prototype. */
export function put(record: Record<string, unknown>, field: string, value: unknown): void {
  if (field !== '__proto__') record[field] = value
  else defineMember(record, field, value)
}

/**
 * Defines an ordinary member of an object, even if its class has a setter or a read-only member of that name.
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
    // Getters are not read, since those of old names warn.
    if (name === 'constructor' || get !== undefined) continue
    // A subclass may override the method.
    const method: unknown = instance[name as keyof T]
    if (typeof method !== 'function') continue
    Object.defineProperty(instance, name, { value: method.bind(instance), writable: true, configurable: true })
  }
}

/** Returns the fields of a call's body: of an object or a form, none of anything else. */
export function bodyFields(body: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (typeof FormData !== 'undefined' && body instanceof FormData) return [...body]
  return isPlain(body) && !Array.isArray(body) ? Object.entries(body) : []
}

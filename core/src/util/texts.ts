import { put } from './plain.js'

/**
 * Returns a value with its texts replaced: members at any depth, their names, and the entries of forms and search params.
 * Without replacements it is the same value. Only plain data and instances with fields are searched.
 *
 * @example
 * ```ts
 * withTexts({ id: 'a', tags: ['b'] }, (text) => (text === 'a' ? 1 : text)) // { id: 1, tags: ['b'] }
 * ```
 */
export function withTexts<Value>(value: Value, replace: (text: string) => string | number): Value {
  const done = new Map<object, unknown>()
  const visit = (one: unknown): unknown => {
    if (typeof one === 'string') return replace(one)
    if (typeof one !== 'object' || one === null) return one
    // A cycle or a repeated value has the same result as before.
    const visited = done.get(one)
    if (visited !== undefined) return visited
    done.set(one, one)
    const changed = copied(one)
    done.set(one, changed)
    return changed
  }
  const copied = (one: object): object => {
    const isWithin = Array.isArray(one) || isForm(one) || Object.prototype.toString.call(one) === '[object Object]'
    if (!isWithin) return one
    const before = isForm(one) ? [...one.entries()] : Object.entries(one)
    const after = before.map(([name, inner]) => [`${replace(name)}`, visit(inner)] as const)
    if (after.every(([name, inner], i) => name === before[i]?.[0] && inner === before[i]?.[1])) return one
    if (isForm(one)) return formOf(one, after)
    const copy: object = Array.isArray(one) ? [] : Object.create(Object.getPrototypeOf(one) as object | null)
    for (const [name, inner] of after) put(copy as Record<string, unknown>, name, inner)
    return copy
  }
  // The copy has the type of the original.
  return visit(value) as Value
}

type Form = FormData | URLSearchParams

function isForm(value: object): value is Form {
  return value instanceof URLSearchParams || (typeof FormData !== 'undefined' && value instanceof FormData)
}

function formOf(form: Form, entries: readonly (readonly [string, unknown])[]): Form {
  const copy = form instanceof URLSearchParams ? new URLSearchParams() : new FormData()
  // Files are not searched.
  for (const [name, value] of entries) copy.append(name, (typeof value === 'number' ? `${value}` : value) as string)
  return copy
}

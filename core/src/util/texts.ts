import { put } from './plain.js'

/**
 * Returns a value with other texts in it: its members at any depth, their names, the entries of forms and search params. What has
 * nothing to replace stays the same value; what is neither plain data nor an instance with fields is not looked into.
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
    // A ring, or what occurs twice: the same as before.
    const known = done.get(one)
    if (known !== undefined) return known
    done.set(one, one)
    const changed = copied(one)
    done.set(one, changed)
    return changed
  }
  const copied = (one: object): object => {
    if (Array.isArray(one)) {
      const items = one.map(visit)
      return items.some((item, i) => item !== one[i]) ? items : one
    }
    if (isForm(one)) return withEntries(one, visit)
    if (Object.prototype.toString.call(one) !== '[object Object]') return one
    const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(one) as object | null)
    let isSame = true
    for (const [name, before] of Object.entries(one)) {
      const own = `${replace(name)}`
      const after = visit(before)
      isSame &&= own === name && after === before
      put(copy, own, after)
    }
    return isSame ? one : copy
  }
  // The same kind of value, with other texts.
  return visit(value) as Value
}

type Form = FormData | URLSearchParams

function isForm(value: object): value is Form {
  return value instanceof URLSearchParams || (typeof FormData !== 'undefined' && value instanceof FormData)
}

function withEntries(form: Form, visit: (value: unknown) => unknown): Form {
  const entries = [...form.entries()]
  if (entries.every(([, value]) => visit(value) === value)) return form
  const copy = form instanceof URLSearchParams ? new URLSearchParams() : new FormData()
  for (const [name, value] of entries) {
    // Files stay as they are.
    const changed = visit(value)
    copy.append(name, typeof changed === 'number' ? `${changed}` : (changed as string))
  }
  return copy
}

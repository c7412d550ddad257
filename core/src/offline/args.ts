import { isStorable } from '../hydration/values.js'
import { describe } from '../util/describe.js'
import { isPlain } from '../util/plain.js'

/** The field that marks an object as an encoded value, as in a dehydrated state. */
const TAG = '~'

/**
 * Returns the arguments of a mutation as JSON data: files are added to `files` and referred to by index. Other instances
 * become a name, and the values to recreate them from.
 *
 * @throws TypeError for a value that cannot be stored, such as a function or a stream
 */
export function encodeArgs(value: unknown, files: Blob[]): unknown {
  if (Array.isArray(value)) return Array.from(value, (item) => encodeArgs(item, files))
  if (value === undefined) return { [TAG]: ['undefined'] }
  if (typeof value === 'object' && value !== null) {
    if (value instanceof Date) return { [TAG]: ['date', value.getTime()] }
    if (value instanceof Blob) return { [TAG]: ['file', files.push(value) - 1] }
    if (value instanceof URLSearchParams) return { [TAG]: ['search', value.toString()] }
    const isForm = value instanceof FormData
    if (isForm || isPlain(value)) {
      const entries: [string, unknown][] = isForm ? [...value.entries()] : Object.entries(value)
      const fields = entries.map(([name, item]) => [name, encodeArgs(item, files)] as const)
      if (isForm) return { [TAG]: ['form', fields] }
      return Object.hasOwn(value, TAG) ? { [TAG]: ['object', fields] } : Object.fromEntries(fields)
    }
  } else if (isStorable(value)) return value
  throw new TypeError(`A mutation with ${describe(value)} cannot be stored.`)
}

/** Returns the original arguments of `encodeArgs`. */
export function decodeArgs(value: unknown, files: readonly Blob[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => decodeArgs(item, files))
  const [tag, of] = ((value as { readonly [TAG]?: unknown })[TAG] ?? [
    undefined,
    Object.entries(value),
  ]) as readonly unknown[]
  const pairs = (): [string, unknown][] =>
    (of as readonly (readonly [string, unknown])[]).map(([name, item]) => [name, decodeArgs(item, files)])
  switch (tag) {
    case undefined:
    case 'object':
      return Object.fromEntries(pairs())
    case 'date':
      return new Date(of as number)
    case 'file':
      return files[of as number]
    case 'search':
      return new URLSearchParams(of as string)
    case 'form': {
      const form = new FormData()
      for (const [name, item] of pairs()) form.append(name, item as string)
      return form
    }
    default:
      return undefined
  }
}

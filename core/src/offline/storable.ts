import { isPlain } from '../util/plain.js'

/** True for what JSON keeps as it is, but for the maps and what is undefined in what the table stores, which are written in another way. */
export function isStorable(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || areStorable(value)
    default:
      return false
  }
}

function areStorable(value: object): boolean {
  if (value instanceof Map) {
    for (const item of value.values()) if (!isStorable(item)) return false
    return true
  }
  if (Array.isArray(value)) return value.every(isStorable)
  return isPlain(value) && hasStorableFields(value)
}

/** As `isStorable`, of the record of a row, in whose place an instance with the same fields may be. */
export function hasStorableFields(record: object): boolean {
  for (const field in record) if (!isStorable((record as Readonly<Record<string, unknown>>)[field])) return false
  return true
}

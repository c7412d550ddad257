import { defineMember } from './define-member.js'

/** Sets an own field of a plain record; `__proto__` becomes data like any other and never the record's prototype. */
export function put(record: Record<string, unknown>, field: string, value: unknown): void {
  if (field !== '__proto__') record[field] = value
  else defineMember(record, field, value)
}

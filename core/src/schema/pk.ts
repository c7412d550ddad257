import type { EntityInterface } from './schema.js'

/**
 * Returns a primary key as a string; undefined for undefined, null, `''`, NaN, and anything but strings and numbers.
 *
 * @example
 * ```ts
 * pkText(0) // '0'
 * pkText('') // undefined
 * ```
 */
export function pkText(pk: unknown): string | undefined {
  if (typeof pk === 'string') return pk === '' ? undefined : pk
  if (typeof pk === 'number') return Number.isNaN(pk) ? undefined : `${pk}`
  return typeof pk === 'bigint' ? `${pk}` : undefined
}

/**
 * Returns the primary key of a value by its class; undefined if it has none.
 *
 * @remarks
 * A template such as `${this.id}` returns 'undefined' if the field is missing. That is no primary key, unless the data
 * contains the word.
 *
 * @example pkOfValue(Todo, { id: 5 }, undefined, undefined, []) // '5'
 */
export function pkOfValue(
  entity: EntityInterface,
  value: object,
  parent: unknown,
  field: string | undefined,
  args: readonly unknown[],
): string | undefined {
  const pk = pkText(entity.pk(value, parent, field, args))
  return pk !== undefined && isOfMissingField(pk) && !isSaid(pk, value, field) ? undefined : pk
}

/**
 * Returns the primary key that the first argument of a call is or contains. Arguments may lack fields that `pk` needs: if
 * `pk` throws, they refer to no row.
 *
 * @example pkInArgs(Todo, [{ id: 5 }]) // '5'
 */
export function pkInArgs(entity: EntityInterface, args: readonly unknown[]): string | undefined {
  const [named] = args
  if (typeof named !== 'object' || named === null) return pkText(named)
  try {
    return pkOfValue(entity, named, undefined, undefined, args)
  } catch {
    return undefined
  }
}

/** Matches a character other than a letter or a digit. */
const APART = '[^\\p{L}\\p{N}]'

/** True for the result of a template for a missing field, alone or as a part of a key. */
function isOfMissingField(pk: string): boolean {
  // A text, since engines parse literals with the surrounding code, and character classes take a quarter of a millisecond.
  return (
    pk === 'null' || (pk.includes('undefined') && new RegExp(`(?:^|${APART})undefined(?:${APART}|$)`, 'u').test(pk))
  )
}

function isSaid(pk: string, value: object, field: string | undefined): boolean {
  if (field?.includes(pk)) return true
  for (const item of Object.values(value)) if (typeof item === 'string' && isOfMissingField(item)) return true
  return false
}

import type { RowRecord } from './schema.js'

/**
 * Returns a message about the first field of `defaults` that a processed record does not have; undefined if it has all.
 *
 * @example
 * ```ts
 * class Profile extends Entity {
 *   static override key = 'Profile'
 *   id = ''
 *   name = ''
 *   avatar = ''
 *
 *   static override validate(processed: Readonly<Record<string, unknown>>) {
 *     const { avatar, ...required } = this.defaults // all but the avatar must be there
 *     return validateRequired(processed, required)
 *   }
 * }
 * ```
 */
export function validateRequired(processed: RowRecord, defaults: RowRecord): string | undefined {
  for (const field of Object.keys(defaults)) {
    if (!Object.hasOwn(processed, field)) return `Field '${field}' is missing.`
  }
  return undefined
}

import type { RowRecord } from './schema.js'

/**
 * Says which field a processed value lacks: the first of `defaults` that is none of its own fields.
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

import type { RowRecord } from './schema.js'

/**
 * Says which field a processed value lacks: the first of `defaults` that is none of its own fields.
 *
 * @example
 * Everything but `avatar` is required:
 * ```ts
 * static override validate(processed: RowRecord) {
 *   const { avatar, ...required } = this.defaults
 *   return validateRequired(processed, required)
 * }
 * ```
 */
export function validateRequired(processed: RowRecord, defaults: RowRecord): string | undefined {
  for (const field of Object.keys(defaults)) {
    if (!Object.hasOwn(processed, field)) return `Field '${field}' is missing.`
  }
  return undefined
}

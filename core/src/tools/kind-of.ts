/**
 * Says in an error what a value is: `null`, `NaN`, `an array`, `an object`, `a function` …; never the value of a string.
 *
 * @example
 * ```ts
 * kindOf(['a']) // 'an array'
 * ```
 */
export function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number') return `${value}`
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/**
 * Returns how many random cases a test tries: all of them with RANDOM_CASES=all, as `npm run test:long` sets it, and a
 * tenth in `npm test`.
 *
 * @example fc.assert(property, { numRuns: cases(300) }) // 30, or 300 with RANDOM_CASES=all
 */
export function cases(all: number): number {
  return process.env.RANDOM_CASES === 'all' ? all : Math.ceil(all / 10)
}

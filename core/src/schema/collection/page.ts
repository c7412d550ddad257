import { stableKey } from '../../util/stable-key.js'
import type { PageMark, RowRecord } from '../schema.js'

/** Cursors with exactly these names count from the start: their numbers are positions. */
export const COUNTED: ReadonlySet<string> = new Set([
  'page',
  '_page',
  'pageNumber',
  'offset',
  'skip',
  'start',
  '_start',
])

/**
 * Returns the page of a list that a call requests, from the arguments that `removeCursor` removed.
 *
 * @example pageOf([{ userId: 1, page: 2 }], [{ userId: 1 }]) // { cursor: '{"page":2}', order: 2 }
 */
export function pageOf(
  args: readonly unknown[],
  rest: readonly unknown[],
  pageOrder?: (...args: readonly unknown[]) => number | undefined,
): PageMark {
  const taken: Record<string, unknown> = {}
  args.forEach((arg, i) => {
    if (!isParams(arg)) {
      if (i >= rest.length) taken[i] = arg
      return
    }
    const left = isParams(rest[i]) ? rest[i] : {}
    for (const name of Object.keys(arg)) {
      if (arg[name] !== undefined && left[name] === undefined) taken[name] = arg[name]
    }
  })
  const [name, ...more] = Object.keys(taken)
  if (pageOrder !== undefined) return { cursor: stableKey(taken), order: pageOrder(...args) }
  const order = name === undefined || more.length > 0 ? undefined : countedOrder(name, taken[name])
  // A number as text, as a router has it, is the same page.
  if (order !== undefined) taken[name as string] = order
  return { cursor: stableKey(taken), order }
}

function countedOrder(name: string, value: unknown): number | undefined {
  if (!COUNTED.has(name)) return undefined
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined
}

function isParams(value: unknown): value is RowRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

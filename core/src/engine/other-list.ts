import type { Change } from '../table/change.js'
import type { Flight } from './flight.js'

type Written = Change['lists'][number]

/** A read that returned a list: the list's Collection, the fetch key, and the path of the endpoint. */
interface LastRead {
  readonly list: Written['list']
  readonly key: string
  readonly path: string | undefined
}

/** The last read that returned each list, by the list's row. Empty in production. */
const lastReads = new WeakMap<object, LastRead>()

/**
 * For developers: warns if a read overwrote the list of another read although the two are probably different lists: their
 * Collections differ in `belongs` or `compare`, or their endpoints have different paths without params.
 */
export function warnOfOtherList(flight: Flight, change: Change, warn: (message: string) => void): void {
  if (flight.isMutation) return
  const { path } = flight.endpoint as { readonly path?: string }
  for (const write of change.lists) {
    const read = { list: write.list, key: flight.key, path }
    const before = lastReads.get(write.row)
    lastReads.set(write.row, read)
    if (before !== undefined && before.list !== write.list && isOther(before, read)) warn(textFor(before, read, write))
  }
}

/** Compares functions by their source: hot reload creates new Collections with equal functions. */
function isOther(before: LastRead, now: LastRead): boolean {
  const isOtherRule = (['belongs', 'compare'] as const).some(
    (rule) => String(before.list[rule]) !== String(now.list[rule]),
  )
  const isOtherPath = before.path !== now.path && ![before.path, now.path].some((path) => path?.includes(':') ?? true)
  return isOtherRule || isOtherPath
}

function textFor(before: LastRead, now: LastRead, { list, args }: Written): string {
  const what = `${before.key} and ${now.key} wrote the same list, ${list.key} with ${JSON.stringify(args)}: each replaces what the other has read`
  return `${what}. If they are two lists, name one in its Collection: argsKey: (params) => ({ ...params, list: 'other' }). If they are one, give both endpoints the same Collection.`
}

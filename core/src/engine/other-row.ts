import { pkInArgs } from '../schema/pk.js'
import { isEntity } from '../schema/schema.js'
import type { Flight } from './flight.js'

/** For developers: warns if a read returns a different row from the one that its arguments name. */
export function warnOfOther(flight: Flight, result: unknown, warn: (message: string) => void): void {
  const { endpoint, args } = flight
  const { schema } = endpoint
  if (flight.isMutation || !isEntity(schema) || typeof result !== 'string') return
  const named = pkInArgs(schema, args)
  if (named === undefined || named === result) return
  // The text contains no keys, so the warning appears once per endpoint.
  const what = `${endpoint.name ?? 'An endpoint'} responded with another ${schema.key} than its arguments name`
  warn(
    `${what}, so its data is stored under its own key. If the arguments mean something else, give them a different name than the key's.`,
  )
}

import { pkOfValue, pkText } from '../schema/pk.js'
import { isEntity } from '../schema/schema.js'
import type { Flight } from './flight.js'

/** For developers: says so if a read was answered with another row than its arguments name. */
export function warnOfOther(flight: Flight, result: unknown, warn: (message: string) => void): void {
  const { endpoint, args } = flight
  const { schema } = endpoint
  if (flight.isMutation || !isEntity(schema) || typeof result !== 'string') return
  const [given] = args
  const asked =
    typeof given === 'object' && given !== null
      ? pkOrNone(() => pkOfValue(schema, given, undefined, undefined, args))
      : pkText(given)
  if (asked === undefined || asked === result) return
  // Without the keys themselves, so that it is said once for each endpoint.
  const what = `${endpoint.name ?? 'An endpoint'} was answered with another ${schema.key} than its arguments name`
  warn(`${what}, which is kept as what it is. If they name something else, call them by another name than its key.`)
}

/** Arguments need not be a whole record: a `pk` that fails on them names nothing. */
function pkOrNone(pk: () => string | undefined): string | undefined {
  try {
    return pk()
  } catch {
    return undefined
  }
}

import type { EndpointInterface } from '../endpoint/options.js'
import type { Landing } from '../engine/flight.js'
import { copyPlain } from '../tools/plain.js'
import type { Desk } from './desk.js'

/**
 * What a caller of `fetch` gets: what the store shows for its answer, or the processed answer if the store shows nothing for it;
 * null for a mutation that answered without a body.
 */
export function landed(desk: Desk, endpoint: EndpointInterface, args: readonly unknown[], landing: Landing): unknown {
  const { schema } = endpoint
  if (schema === undefined || schema === null) return landing.data
  if (!landing.isWritten) return null
  if (landing.result === undefined) return landing.data
  // What came may be the store's own by now.
  return desk.store.views.show(schema, args, landing.result) ?? copyPlain(landing.data)
}

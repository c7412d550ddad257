import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { digits, optional } from '../input/field.js'
import { readWhole } from '../input/read.js'
import { ApiError } from './errors.js'

const LONGEST_DELAY = 10_000

const wait = optional(digits(0, LONGEST_DELAY))
const switches = { delay: wait, fail: optional(digits(400, 599)), late: wait }

/**
 * Makes the server slow or broken on request: `?delay=` waits that many milliseconds (at most ten seconds),
 * `?fail=` answers with that status (400 to 599) before anything is applied, and `?late=` waits once it has been
 * applied, before the client hears of it.
 */
export const obeySwitches: MiddlewareHandler = async (c, next) => {
  const { delay, fail, late } = readWhole(switches, wantedBy(c))
  if (delay !== undefined) await sleep(delay, undefined, { signal: c.req.raw.signal }).catch(refuseToGoOn)
  if (fail !== undefined) throw new ApiError(asStatus(fail), `Failed with ${fail}, as ?fail=${fail} asked for.`)
  await next()
  // A client that has disconnected misses the response.
  if (late !== undefined) await sleep(late, undefined, { signal: c.req.raw.signal }).catch(() => {})
}

/** The query string of a request without the switches. */
export function queryOf(url: string): URLSearchParams {
  const query = new URL(url).searchParams
  for (const name of Object.keys(switches)) query.delete(name)
  return query
}

function wantedBy(c: Context): Record<string, unknown> {
  const values = Object.keys(switches).map((name) => [name, c.req.query(name)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

// The client has disconnected while we waited, so the change is not made.
function refuseToGoOn(): never {
  throw new ApiError(408, 'The client left before the delay was over; nothing was applied.')
}

// Every status from 400 to 599 may have a body, which is what the narrower type says.
function asStatus(status: number): ContentfulStatusCode {
  return status as ContentfulStatusCode
}
